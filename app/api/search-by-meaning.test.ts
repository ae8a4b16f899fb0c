import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { env } from "@/lib/env";
import { embedArticle } from "@/lib/search/vectors";
import { aCategory, anArticle, aWorkspace, call } from "@/testing/workspace";

const asked: string[] = [];

/** To this model, all texts mean the same. */
const server = createServer((request, response) => {
  void json(request).then((body) => {
    const { input } = body as { input: string[] };
    asked.push(...input);
    response.end(JSON.stringify({ data: input.map((_, index) => ({ index, embedding: [1, -1, 0.5, -0.5] })) }));
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // On a busy machine, an answer may take longer than a search waits.
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => new AbortController().signal);
});

afterAll(() => server.close());

// Not beside the other tests of the API: those run against a server of its own too, whose settings a test cannot reach.
test("the API finds articles close in meaning only with an embedding model", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const { id } = await anArticle(workspace, { category, title: "Feed a wombat" });
  const titles = async () =>
    (await call(paths["/search"], workspace, "/api/external/v2/search?search_term=quit%20membership")).body.matches.map(
      ({ title }: { title: string }) => title,
    );
  expect([await titles(), asked]).toEqual([[], []]);

  const { port } = server.address() as AddressInfo;
  env().embeddings = { url: `http://127.0.0.1:${port}/v1/embeddings`, model: "small", key: "secret" };
  await embedArticle(workspace.id, id, new AbortController().signal);
  expect(await titles()).toEqual(["Feed a wombat"]);
  expect(asked.at(-1)).toBe("quit membership");
});
