import { expect } from "playwright/test";
import { printedByKb } from "@/testing/kb";
import { aPooler, type Pooler } from "@/testing/pooler";
import { ask, test } from "./kit";
import { aServer } from "./own-server";

test.setTimeout(180_000);

test("a server behind a pooler in transaction mode migrates, serves two workspaces side by side, and sends mail", async ({
  page,
}) => {
  let pooler: Pooler | undefined;
  const urls: Record<string, string> = {};
  let stop = async () => {};
  try {
    const server = await aServer(async (database) => {
      pooler = await aPooler(database, { sessions: 2 });
      Object.assign(urls, { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database });
      return { ...urls, WORKSPACE_CREATION: "off", RATE_LIMIT_KEY: "0", RATE_LIMIT_WRITE: "0" };
    });
    stop = server.stop;
    const { port } = server;
    const kb = (...args: string[]) => printedByKb(urls, ...args);
    const aWorkspace = async (subdomain: string) => {
      const admin = ["--admin-email", `ada@${subdomain}.example`];
      await kb("workspace", "create", "--subdomain", subdomain, "--name", subdomain, ...admin);
      const scopes = ["content.draft", "content.publish", "categories"];
      const key = await kb("key", "create", "--workspace", subdomain, "--name", "Sync", "--scope", ...scopes);
      return { host: `${subdomain}.localhost:${port}`, headers: { "X-Api-Key": key }, word: `only-${subdomain}` };
    };
    const workspaces = [await aWorkspace("harbor"), await aWorkspace("orchard")];

    // Each request of one workspace can follow one of the other in the same session.
    const articles = "/api/external/v2/articles";
    const titles = Array.from({ length: 20 }, (_, index) => `Article ${index}`);
    /** Requests of both workspaces, eight at a time. */
    const forEach = async <T>(send: (workspace: (typeof workspaces)[number], title: string) => Promise<T>) => {
      const results: T[] = [];
      for (let first = 0; first < titles.length; first += 4) {
        const some = titles.slice(first, first + 4).flatMap((title) => workspaces.map((one) => send(one, title)));
        results.push(...(await Promise.all(some)));
      }
      return results;
    };
    const written = await forEach(async ({ host, headers, word }, title) => {
      const body = JSON.stringify({
        title: `${title} ${word}`,
        markdown_content: word,
        category_path: ["Guides"],
        create_categories: true,
        publish: true,
      });
      const path = `${articles}/by-external-id/${title.replace(" ", "-")}`;
      const json = { ...headers, "Content-Type": "application/json" };
      const answer = await ask(host, path, { port, method: "PUT", headers: json, body });
      return [answer.status, answer.status === 201 ? "" : answer.body];
    });
    expect(new Set(written.map(String))).toEqual(new Set(["201,"]));
    const read = await forEach(async ({ host, headers, word }) => {
      const list = await ask(host, `${articles}?page_size=100`, { port, headers });
      const foreign = workspaces.filter((one) => one.word !== word).some((one) => list.body.includes(one.word));
      const found = (JSON.parse(list.body) as { articles: { title: string }[] }).articles;
      return [list.status, found.filter(({ title }) => title.endsWith(word)).length, foreign];
    });
    expect(new Set(read.map(String))).toEqual(new Set([`200,${titles.length},false`]));

    // A job sends the mail.
    await page.goto(`http://${workspaces[0]?.host}/admin/sign-in/link`);
    await page.getByLabel("Email").fill("ada@harbor.example");
    await page.getByRole("button", { name: "Send link" }).click();
    await page.goto(await server.linkMailedTo("ada@harbor.example"));
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page).toHaveURL(`http://${workspaces[0]?.host}/admin`);
    await page.goto(`http://${workspaces[0]?.host}/admin/articles`);
    await expect(page.getByRole("main")).toContainText("only-harbor");
    await expect(page.getByRole("main")).not.toContainText("only-orchard");
    expect(server.log()).not.toMatch(/"level":"(error|fatal)"/);
  } finally {
    await stop();
    await pooler?.stop();
  }
});
