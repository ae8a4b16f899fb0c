import { expect, test, vi } from "vitest";
import type { anyWorkspace } from "@/lib/site";
import { submitPasskey } from "./actions";

vi.mock("./_request", async (original) => ({
  ...(await original<object>()),
  requestedWorkspace: async () => ({}) as Awaited<ReturnType<typeof anyWorkspace>>,
}));
vi.mock("@/lib/sign-in/passkey", () => ({ signInByPasskey: async () => "signed_in" }));
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  redirect: (path: string) => {
    throw new Error(`to ${path}`);
  },
}));

test.each([
  ["/admin/profile", "/admin/profile"],
  ["//evil.example", "/admin"],
  ["/\\evil.example", "/admin"],
  ["https://evil.example/admin", "/admin"],
  ["", "/admin"],
])("a sign-in with a passkey continues to %s at %s", async (to, target) => {
  const form = new FormData();
  form.set("answer", "{}");
  form.set("to", to);
  await expect(submitPasskey(form)).rejects.toThrow(new Error(`to ${target}`));
});
