import { once } from "node:events";
import { Agent, type RequestOptions, request } from "node:http";
import { expect } from "playwright/test";
import { everyScope } from "@/lib/api-keys/scopes";
import { aBalancer } from "@/testing/balancer";
import { freePort, startServer } from "@/testing/server";
import { ask, cookieOf, message, openAccount, signInByForm, test } from "./kit";
import { publish, putCategory, putKey } from "./library";

// Two servers with one process each, behind nginx, on one database.
test.setTimeout(180_000);

const ARTICLES = "/api/external/v2/articles";

test("two servers share sessions, keys and content, no read fails when one is killed, and no request when one is stopped", async ({
  page,
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Harbor", subdomain: "harbor" });
  const article = await publish(workspace, await putCategory(workspace, "Guides"), { title: "Open a boat" });
  const key = await putKey(workspace, everyScope);
  const [port, firstPort, secondPort] = [await freePort(), await freePort(), await freePort()];
  const running: { stop: () => Promise<void> }[] = [];
  const start = async (own: number) => {
    const server = await startServer("front door", {
      ...{ PORT: String(own), BASE_URL: `http://localhost:${port}`, WORKERS: "1", QUICKSTART: "", JOBS: "off" },
      ...{ RATE_LIMIT_KEY: "0", RATE_LIMIT_PAGES: "0", RATE_LIMIT_WRITE: "0", TRUST_PROXY: "true" },
    });
    running.push(server);
    return server;
  };
  const host = `${workspace.subdomain}.localhost:${port}`;
  const headers = { "X-Api-Key": key };
  /** The answers of both servers, one after the other. */
  const ofBoth = async (path: string, more: Record<string, string>) => {
    const answers = [];
    for (const at of [firstPort, secondPort]) answers.push(await ask(host, path, { port: at, headers: more }));
    return answers;
  };
  const statuses = async (path: string, more: Record<string, string>) =>
    (await ofBoth(path, more)).map(({ status }) => status);

  try {
    let first = await start(firstPort);
    const second = await start(secondPort);
    running.push(await aBalancer([firstPort, secondPort], port));

    await test.step("a session and a key work on both, and end on both", async () => {
      await signInByForm(page, { ...workspace, url: `http://${host}` });
      const cookie = { Cookie: await cookieOf(page.context()) };
      expect(await statuses("/admin/articles", cookie)).toEqual([200, 200]);
      expect(await statuses(`${ARTICLES}/${article.id}`, headers)).toEqual([200, 200]);

      const json = { ...headers, "Content-Type": "application/json" };
      for (const [at, title] of [
        [firstPort, "Open a ship"],
        [secondPort, "Open a yacht"],
      ] as const) {
        const body = JSON.stringify({ title, publish: true });
        const path = `${ARTICLES}/${article.id}`;
        expect((await ask(host, path, { port: at, method: "PATCH", headers: json, body })).status).toBe(200);
        for (const { body } of await ofBoth(path, headers)) expect(JSON.parse(body).article.title).toBe(title);
        for (const { body } of await ofBoth("/", {})) expect(body).toContain(title);
      }

      await page.goto(`http://${host}/admin/keys`);
      await page.getByRole("button", { name: "Revoke" }).click();
      await page.getByRole("button", { name: "Revoke key" }).click();
      await expect(message(page)).toContainText("Revoked");
      expect(await statuses(`${ARTICLES}/${article.id}`, headers)).toEqual([401, 401]);
      await openAccount(page);
      await page.getByRole("button", { name: "Sign out" }).click();
      await expect(page).toHaveURL(/sign-in/);
      expect(await statuses("/admin/articles", cookie)).toEqual([307, 307]);
    });

    const written = `${ARTICLES}/${article.id}`;
    const paths = [written, ARTICLES, `${ARTICLES}?page_size=100`, "/", new URL(article.url).pathname];
    const current = { "X-Api-Key": await putKey(workspace, everyScope), Host: host };
    /** Sends requests without a pause until something has happened, and 400 more. @returns the failures */
    const during = async (happens: () => Promise<unknown>, { withWrite = false } = {}) => {
      const failures: string[] = [];
      let [left, answered] = [Number.POSITIVE_INFINITY, 0];
      const agent = new Agent({ keepAlive: true });
      const clients = Array.from({ length: 4 }, async (_, index) => {
        for (let turn = index; left-- > 0; turn++) {
          const isWrite = withWrite && index === 0;
          const path = isWrite ? written : (paths[turn % paths.length] ?? "/");
          const method = isWrite ? "PATCH" : turn % 4 === 0 ? "HEAD" : "GET";
          const outcome = await send({ agent, port, method, path, headers: current });
          if (outcome !== 200) failures.push(`${method} ${path} ${outcome}`);
          answered++;
        }
      });
      await expect.poll(() => answered).toBeGreaterThan(100);
      await happens();
      left = 400;
      await Promise.all(clients);
      agent.destroy();
      return failures;
    };

    await test.step("no read fails when one is killed, while it is down, and when it is back", async () => {
      const failures = await during(async () => {
        const killed = once(first.child, "exit");
        first.child.kill("SIGKILL");
        await killed;
      });
      expect(failures).toEqual([]);
      const back = await during(async () => {
        first = await start(firstPort);
        // nginx first tries it with one request.
        await expect.poll(() => first.output.join("").split(ARTICLES).length, { timeout: 60_000 }).toBeGreaterThan(50);
      });
      expect(back).toEqual([]);
    });
    await test.step("no request fails when one is stopped", async () => {
      expect(await during(() => second.stop(), { withWrite: true })).toEqual([]);
      expect(second.child.exitCode).toBe(0);
    });
  } finally {
    await Promise.all(running.map(({ stop }) => stop()));
  }
});

/** Sends a request. @returns the status of an answer that arrived completely, or the code of the error */
function send(options: RequestOptions): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
    const body = options.method === "PATCH" ? JSON.stringify({ title: "Open a boat" }) : undefined;
    const headers = { ...options.headers, ...(body && { "Content-Type": "application/json" }) };
    request({ ...options, headers }, (response) => {
      response.resume().once("error", failed);
      response.once("end", () => resolve(response.statusCode));
    })
      .once("error", failed)
      .end(body);
  });
}
