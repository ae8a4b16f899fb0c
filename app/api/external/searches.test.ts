import { describe, expect, test } from "vitest";
import type { Handler } from "@/lib/api/route";
import { readWorkspace } from "@/lib/db";
import { aCategory, anArticle, aWorkspace, call } from "@/testing/workspace";
import { paths as v1 } from "./v1/_document/operations";
import { paths as v2 } from "./v2/_document/operations";

// The search log of searches by programs.

describe.each([
  ["v1", v1["/search"]],
  ["v2", v2["/search"]],
] as [string, Handler][])("%s", (version, handler) => {
  test("the first page of a search is remembered, also when it found nothing; whatever else is asked is not", async () => {
    const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
    await anArticle(workspace, { category: await aCategory(workspace), title: "Tapir care" });
    const search = (query: string, options: Parameters<typeof call>[3] = {}) =>
      call(handler, workspace, `/api/external/${version}/search?${query}`, options);
    const statuses = [
      await search("search_term=second&page_number=2"),
      await search("search_term=head", { method: "HEAD" }),
      await search("search_term="),
      await search("search_term=wrong&page_size=x"),
      await search("search_term=foreign", { key: other.key.text }),
      await search("search_term=%20Tapir%20&page_size=1"),
      await search("q=Unicorn"),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 422, 422, 401, 200, 200]);

    const remembered = (id: string) =>
      readWorkspace(id, (read) => read("SELECT term, results_count, clicked FROM searches ORDER BY term"));
    await expect
      .poll(() => remembered(workspace.id))
      .toEqual([
        { term: "Tapir", results_count: 1, clicked: false },
        { term: "Unicorn", results_count: 0, clicked: false },
      ]);
    expect(await remembered(other.id)).toEqual([]);
  });
});
