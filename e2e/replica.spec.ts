import { expect } from "playwright/test";
import { kbWith, printedByKb } from "@/testing/kb";
import { aFragileDatabase, type FragileDatabase, type FragileReplica } from "@/testing/outage";
import { ask, test } from "./kit";
import { aServer } from "./own-server";

test.setTimeout(180_000);

test("a server with a replica reads there, and no answer is older than a change or fails with the replica", async () => {
  let primary: FragileDatabase | undefined;
  let replica: FragileReplica | undefined;
  let stop = async () => {};
  try {
    primary = await aFragileDatabase();
    replica = await primary.replica();
    const [database, copy] = [primary, replica];
    const urls = { DATABASE_URL: database.url, DATABASE_REPLICA_URL: copy.url };
    const server = await aServer({ ...urls, DATABASE_DIRECT_URL: "", JOBS: "off", SLOW_QUERY_MS: "0" });
    stop = server.stop;
    const { port } = server;
    const kb = (...args: string[]) => printedByKb(urls, ...args);
    await kb("workspace", "create", "--subdomain", "harbor", "--name", "Harbor", "--admin-email", "ada@harbor.example");
    const scopes = ["content.draft", "content.publish", "categories"];
    const key = await kb("key", "create", "--workspace", "harbor", "--name", "Sync", "--scope", ...scopes);
    const [host, headers] = [`harbor.localhost:${port}`, { "X-Api-Key": key }];
    const send = async (method: string, path: string, input?: object) => {
      const body = input && JSON.stringify(input);
      const json: Record<string, string> = body ? { "Content-Type": "application/json" } : {};
      const answer = await ask(host, `/api/external/v2${path}`, {
        port,
        method,
        headers: { ...headers, ...json },
        body,
      });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.body}`);
      return answer.body;
    };
    const rename = (title: string) =>
      send("PUT", "/articles/by-external-id/knots", {
        title,
        markdown_content: "Bowline",
        category_path: ["Guides"],
        create_categories: true,
        publish: true,
      });
    const { article } = JSON.parse(await rename("Knots")) as { article: { id: string; slug: string } };

    /** What clients see of the article, each in another way. Never a kept answer, because the article was just changed. */
    const views = async () => [
      await send("GET", `/articles/${article.id}`),
      await send("GET", "/articles"),
      await send("GET", "/search?q=knots"),
      (await ask(host, `/articles/${article.slug}`, { port })).body,
      (await ask(host, "/search/suggestions?q=knots", { port })).body,
    ];
    const expectNow = async (title: string) => {
      for (const [view, text] of (await views()).entries())
        expect([view, text]).toEqual([view, expect.stringContaining(title)]);
    };
    await rename("Knots 1");
    await expectNow("Knots 1");
    await rename("Knots 2");
    await copy.catchUp();
    await copy.replay("pause");
    // Now only the replica can read them.
    await database.owner.query("BEGIN; LOCK TABLE articles, article_live, categories, search_documents");
    await expect(() => expectNow("Knots 2")).toPass({ timeout: 30_000 });
    await database.owner.query("ROLLBACK");
    for (const title of ["Knots 3", "Knots 4"]) {
      await rename(title);
      await expectNow(title);
    }
    await copy.replay("resume");
    await expectNow("Knots 4");
    const checked = async () => {
      const { out } = await kbWith(urls, "doctor");
      return out.split("\n").find((line) => line.includes("the replica follows the database"));
    };
    expect(await checked()).toMatch(/^ok /);

    await copy.stop();
    expect(await checked()).toMatch(/^problem .* can't be reached/);
    for (const title of ["Knots 5", "Knots 6"]) {
      await rename(title);
      await expectNow(title);
    }
    expect(server.log()).toContain("The database's replica can't be used");
    expect(server.log()).not.toMatch(/"level":"(error|fatal)"/);
  } finally {
    await stop();
    await replica?.drop();
    await primary?.drop();
  }
});
