import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { contentOf } from "@/lib/api/answer";
import { keepContent, keptContent } from "@/lib/api/kept";
import type { ApiKey, Entered } from "@/lib/api/keys";
import { withinPatience } from "@/lib/db";
import { duringRequest, newRequest } from "@/lib/http/request";

const key = { scopes: ["public"] } as unknown as ApiKey;

function aWorkspace() {
  const entered = { workspace: { id: randomUUID() }, versions: { content: "1", drafts: "1" } } as Entered;
  return (path: string) => ({ entered, request: { url: `http://api/api/external/v2${path}` } });
}

test("an answer is kept from the second request on", async () => {
  const one = aWorkspace()("/setting");
  const ask = (about: typeof one) => keepContent(about, key, async () => contentOf("{}"));
  for (const isKept of [false, true]) {
    await ask(one);
    expect(keptContent(one, key) !== null).toBe(isKept);
  }
  const other = aWorkspace()("/setting");
  await Promise.all([ask(other), ask(other)]);
  expect(keptContent(other, key)).not.toBeNull();
});

test("long URLs count against the memory of kept answers", async () => {
  const at = aWorkspace();
  const first = at("/setting?x=0");
  const keep = async (about: typeof first) => {
    for (let asked = 1; asked <= 2; asked++) await keepContent(about, key, async () => contentOf("{}"));
  };
  await keep(first);
  expect(keptContent(first, key)).not.toBeNull();
  // 40 MB of URLs.
  for (let number = 1; number <= 5_000; number++) await keep(at(`/setting?x=${number}${"x".repeat(8_000)}`));
  expect(keptContent(first, key)).toBeNull();
});

test("a request that waited in vain for another one's answer has less time left to make its own", async () => {
  const about = aWorkspace()("/setting");
  const first = keepContent(about, key, async () => {
    await sleep(300);
    throw new Error("away");
  });
  first.catch(() => {});
  const second = duringRequest(newRequest(null, "api"), () =>
    keepContent(about, key, () => withinPatience(2_000, async (ms) => contentOf(String(ms)))),
  );
  await expect(first).rejects.toThrow("away");
  expect(Number((await second).body)).toBeLessThan(1_900);
});
