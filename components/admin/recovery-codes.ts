import type { ShownOnce } from "./shown-once";

export const recoveryCodes = (codes: readonly string[]): ShownOnce => ({
  title: "Save your recovery codes",
  advice:
    "If you lose your phone, sign in with a recovery code. Each code works once. Keep the codes safe. You won't see them again.",
  texts: [{ name: "Recovery codes", text: codes.join("\n"), copy: "Copy the recovery codes" }],
});
