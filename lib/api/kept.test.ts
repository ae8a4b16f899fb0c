import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { contentOf } from "@/lib/api/answer";
import { keepContent, keptContent } from "@/lib/api/kept";
import type { ApiKey, Entered } from "@/lib/api/keys";

const key = { scopes: ["public"] } as unknown as ApiKey;

function aWorkspace() {
  const entered = { workspace: { id: randomUUID() }, versions: { content: "1", drafts: "1" } } as Entered;
  return (path: string) => ({ entered, request: { url: `http://api/api/external/v2${path}` } });
}

test("long URLs count against the memory of kept answers", async () => {
  const at = aWorkspace();
  const first = at("/setting?x=0");
  const keep = (about: typeof first) => keepContent(about, key, async () => contentOf("{}"));
  await keep(first);
  expect(keptContent(first, key)).not.toBeNull();
  // 40 MB of URLs.
  for (let number = 1; number <= 5_000; number++) await keep(at(`/setting?x=${number}${"x".repeat(8_000)}`));
  expect(keptContent(first, key)).toBeNull();
});
