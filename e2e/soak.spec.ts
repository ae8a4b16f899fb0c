import { expect } from "playwright/test";
import { everyScope } from "@/lib/api-keys/scopes";
import { test } from "./kit";
import { putKey } from "./library";
import { soak, twoServers } from "./soak";

// A few seconds of `npm run trial -- soak`.

test("two servers never answer with text that is older than what one of them had acknowledged", async ({
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbor", subdomain: "soak" });
  const { servers, port, stop } = await twoServers();
  try {
    const host = `${workspace.subdomain}.localhost:${port}`;
    const place = { servers, host, key: await putKey(workspace, everyScope) };
    const { failed, stale, writes, compared } = await soak(place, { seconds: 6, rate: 60, writes: 4 });
    expect(stale).toEqual([]);
    // An overloaded machine refuses requests.
    expect(failed.filter((line) => !line.endsWith(": 503"))).toEqual([]);
    expect(writes).toBeGreaterThan(10);
    expect(compared).toBeGreaterThan(1_000);
  } finally {
    await stop();
  }
});
