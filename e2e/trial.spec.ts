import { expect, type Page } from "playwright/test";
import { workspaceUrl } from "@/lib/http/host";
import { signIn, test } from "./kit";
import { KINDS, trialServer, tryWriting } from "./trial";

// A few rounds of `npm run trial`.

test("of what is typed nothing is lost, whatever ends meanwhile", async ({ browser, aWorkspace }) => {
  test.setTimeout(240_000);
  const made = await aWorkspace({ name: "Harbour", subdomain: "trial" });
  const server = await trialServer();
  const workspace = { ...made, url: workspaceUrl(made.subdomain, server.baseUrl) };
  try {
    const outcome = await tryWriting(
      { browser, workspace, server, signIn: (page: Page) => signIn(page, workspace) },
      { rounds: KINDS.length, seed: 1 },
    );
    expect([outcome.losses, outcome.lost]).toEqual([[], 0]);
    expect(outcome.typed).toBeGreaterThan(200);
    expect(outcome.acknowledged).toBeGreaterThan(0);
  } finally {
    await server.kill();
  }
});
