import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { type Browser, expect } from "playwright/test";
import { hashPassword } from "@/lib/passwords";
import { plantCanary } from "@/lib/testing.canary";
import { type Planted, snapshot } from "@/lib/testing.wall";
import { ask, baseUrl, password, submitSignIn, test } from "./kit";

// Every page and every action that was built, asked at our host for what is another workspace's, which has a word in
// every text it can hold. What is not in the tables below fails.

const root = join(import.meta.dirname, "..");

/** Whatever in `app` Next answers requests with; the external API has its own tests (app/api/external). */
const onDisk = readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" })
  .filter((file) => /(^|\/)(page|route|sitemap|robots|manifest|[a-z]+-image|icon|apple-icon)\.tsx?$/.test(file))
  .filter((file) => !file.startsWith("api/external/"))
  .sort();

interface Page {
  /** The addresses under which it is asked for the things of a workspace. None of them holds the word. */
  at: (of: Planted) => string[];
  /** A text of this table is what it shows; the word in whatever text when left out. */
  text?: string;
  /** Who is shown that at the other workspace's host. */
  shows: keyof typeof shownTo;
  /** What it answers at our host and at theirs, where no word of the answer can tell. */
  status?: [ours: number, theirs: number];
  /** It answers nothing else: the body, as it is sent. It changes nothing of theirs at our host, and does at theirs. */
  post?: (of: Planted) => { type: string; body: string };
  apex?: true;
}

/** To whom that is: without a session, with ours, with theirs. */
const shownTo = { anyone: [true, true, true], "its members": [false, false, true], nobody: [false, false, false] };

const pages: Record<string, Page> = {
  "(apex)/[...path]/page.tsx": { apex: true, at: ({ ids }) => [`/${ids.articles}`], shows: "nobody" },
  "(apex)/page.tsx": { apex: true, at: () => ["/"], shows: "nobody" },
  "api/[...path]/route.ts": { at: ({ ids }) => [`/api/${ids.articles}`], shows: "anyone" },
  "api/auth/[...nextauth]/route.ts": { at: () => ["/api/auth/session"], text: "members", shows: "its members" },
  // Of an article its text, of a category its name; the addresses are made without the word, see below.
  "markdown/[workspace]/articles/[slug]/route.ts": {
    at: () => ["/articles/of-theirs.md"],
    text: "article-live",
    shows: "anyone",
  },
  "markdown/[workspace]/categories/[slug]/route.ts": {
    at: () => ["/categories/of-theirs.md"],
    text: "categories",
    shows: "anyone",
  },
  "sites/[workspace]/(reader)/[...path]/page.tsx": { at: ({ ids }) => [`/${ids.articles}`], shows: "anyone" },
  // The addresses of articles and categories are made without the word, see below.
  "sites/[workspace]/(reader)/articles/[slug]/page.tsx": {
    at: () => ["/articles/of-theirs"],
    text: "article-live-rendered",
    shows: "anyone",
  },
  "sites/[workspace]/(reader)/categories/page.tsx": { at: () => ["/categories"], text: "categories", shows: "anyone" },
  // Of the category its name, which is a heading there.
  "sites/[workspace]/(reader)/categories/[slug]/page.tsx": {
    at: () => ["/categories/of-theirs"],
    text: "categories",
    shows: "anyone",
  },
  "sites/[workspace]/(reader)/articles/[slug]/feedback/page.tsx": {
    at: () => ["/articles/of-theirs/feedback?helpful=no"],
    shows: "anyone",
  },
  // Takes forms and shows nothing.
  "sites/[workspace]/(reader)/articles/[slug]/feedback/send/route.ts": {
    at: () => ["/articles/of-theirs/feedback/send"],
    shows: "nobody",
    status: [404, 303],
    post: () => ({ type: "application/x-www-form-urlencoded", body: "helpful=no" }),
  },
  "sites/[workspace]/(reader)/developers/page.tsx": { at: () => ["/developers"], shows: "anyone" },
  "sites/[workspace]/(reader)/developers/v1/page.tsx": { at: () => ["/developers/v1"], shows: "anyone" },
  "sites/[workspace]/(reader)/developers/v2/page.tsx": { at: () => ["/developers/v2"], shows: "anyone" },
  "sites/[workspace]/(reader)/feed.xml/route.ts": { at: () => ["/feed.xml"], text: "article-live", shows: "anyone" },
  "sites/[workspace]/(reader)/llms.txt/route.ts": { at: () => ["/llms.txt"], text: "article-live", shows: "anyone" },
  // Pictures.
  "sites/[workspace]/(reader)/og.png/route.ts": { at: () => ["/og.png"], shows: "nobody", status: [200, 200] },
  "sites/[workspace]/(reader)/og/articles/[file]/route.ts": {
    at: () => ["/og/articles/of-theirs.png"],
    shows: "nobody",
    status: [404, 200],
  },
  "sites/[workspace]/(reader)/page.tsx": { at: () => ["/"], shows: "anyone" },
  "sites/[workspace]/(reader)/robots.txt/route.ts": { at: () => ["/robots.txt"], shows: "anyone" },
  "sites/[workspace]/(reader)/sitemap.xml/route.ts": { at: () => ["/sitemap.xml"], shows: "anyone" },
  "sites/[workspace]/(reader)/sitemaps/[file]/route.ts": { at: () => ["/sitemaps/1.xml"], shows: "anyone" },
  "sites/[workspace]/(reader)/search/log/route.ts": {
    at: () => ["/search/log"],
    shows: "nobody",
    status: [204, 204],
    post: ({ word }) => ({ type: "application/json", body: JSON.stringify({ text: word, opened: false }) }),
  },
  // The beginning of the word finds it.
  "sites/[workspace]/(reader)/search/page.tsx": {
    at: ({ word }) => [`/search?q=${word.slice(0, -2)}`],
    shows: "anyone",
  },
  "sites/[workspace]/(reader)/search/suggestions/route.ts": {
    at: ({ word }) => [`/search/suggestions?q=${word.slice(0, -2)}`],
    text: "article-live-title",
    shows: "anyone",
  },
  "sites/[workspace]/admin/page.tsx": { at: () => ["/admin"], text: "members", shows: "its members" },
  "sites/[workspace]/admin/sign-in/page.tsx": { at: () => ["/admin/sign-in"], shows: "anyone" },
  // A picture of two initials.
  "sites/[workspace]/avatars/[file]/route.ts": { at: ({ ids }) => [`/avatars/${ids.members}.svg`], shows: "nobody" },
};

/** What each action is sent for the things of a workspace, as React encodes its arguments, and from which page. */
const actions: Record<string, { from: string; sent: (of: Planted, email: string) => [name: string, value: string][] }> =
  {
    "app/sites/[workspace]/admin/actions.ts submitSignOut": { from: "/admin", sent: () => [["0", "[]"]] },
    "app/sites/[workspace]/admin/sign-in/actions.ts submitSignIn": {
      from: "/admin/sign-in",
      sent: (_, email) => [
        ["_1_email", email],
        ["_1_password", password],
        ["0", '[{"email":""},"$K1"]'],
      ],
    },
  };

let owner: Client;
let canary: Planted;
let email: string;

test.beforeAll(async ({ aWorkspace }) => {
  // The fixture has opened the database by now.
  expect(aWorkspace).toBeDefined();
  owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
  canary = await plantCanary(owner);
  for (const table of ["categories", "articles"]) {
    await owner.query(`UPDATE ${table} SET slug = 'of-theirs' WHERE workspace_id = $1 AND id = $2`, [
      canary.id,
      canary.ids[table],
    ]);
  }
  const { rows } = await owner.query<{ email: string }>(
    "UPDATE members SET password_hash = $2 WHERE workspace_id = $1 RETURNING email",
    [canary.id, await hashPassword(password)],
  );
  email = rows[0]?.email ?? "";
});
test.afterAll(() => owner.end());

/** What a browser calls itself: who says nothing is not counted. */
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const urlOf = (subdomain: string) => baseUrl.replace("//", `//${subdomain}.`);

/** Signs a member in; gives the cookie of the session. */
async function signedIn(browser: Browser, subdomain: string, address: string): Promise<string> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${urlOf(subdomain)}/admin/sign-in`);
  await submitSignIn(page, address, password);
  await expect(page).toHaveURL(`${urlOf(subdomain)}/admin`);
  const cookies = await context.cookies();
  await context.close();
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

test("every file that answers requests is in the table of pages", () => {
  expect(onDisk).toEqual(Object.keys(pages).sort());
});

test("no page shows another workspace's texts to anyone or to our member, and it does show them to theirs", async ({
  browser,
  aWorkspace,
}) => {
  // Some two hundred pages are asked for.
  test.setTimeout(120_000);
  const ours = await aWorkspace({ name: "Ours", subdomain: "ours" });
  const mine = await signedIn(browser, ours.subdomain, ours.email);
  const theirs = await signedIn(browser, canary.word, email);
  const hostOf = ({ apex }: Page, subdomain: string) => new URL(apex ? baseUrl : urlOf(subdomain)).host;

  for (const [file, page] of Object.entries(pages)) {
    // A page also as the browser fetches it from within another.
    const kinds: { query: string; headers: Record<string, string> }[] = [{ query: "", headers: {} }];
    if (file.endsWith("page.tsx")) kinds.push({ query: "?_rsc", headers: { RSC: "1" } });
    for (const [path, { query, headers }] of page
      .at(canary)
      .flatMap((at) => kinds.map((kind) => [at, kind] as const))) {
      const get = (subdomain: string, Cookie: string) =>
        ask(hostOf(page, subdomain), path + (path.includes("?") ? query.replace("?", "&") : query), {
          headers: { ...headers, Cookie },
        });
      for (const cookie of ["", mine]) {
        const told = JSON.stringify(await get(ours.subdomain, cookie));
        expect([file, path, told.includes(canary.word)]).toEqual([file, path, false]);
      }
      if (page.status && !page.post) {
        const [here, there] = [await get(ours.subdomain, mine), await get(canary.word, theirs)];
        expect([file, here.status, there.status]).toEqual([file, ...page.status]);
        expect([file, here.body === there.body]).toEqual([file, false]);
      }
      const shown: boolean[] = [];
      const text = page.text ? `${canary.word}-${page.text}-` : canary.word;
      for (const cookie of ["", mine, theirs]) shown.push((await get(canary.word, cookie)).body.includes(text));
      expect([file, path, ...shown]).toEqual([file, path, ...shownTo[page.shows]]);
    }
  }
});

test("what is posted at our host changes no row of another workspace, and does at theirs", async ({
  browser,
  aWorkspace,
}) => {
  const ours = await aWorkspace({ name: "Ours", subdomain: "ours" });
  const mine = await signedIn(browser, ours.subdomain, ours.email);
  for (const [file, { at, post, status = [] }] of Object.entries(pages)) {
    if (!post) continue;
    const { type, body } = post(canary);
    const send = async (subdomain: string, Cookie: string) => {
      const headers = { "Content-Type": type, "User-Agent": firefox, Origin: urlOf(subdomain), Cookie };
      const path = at(canary)[0] ?? "";
      return (await ask(new URL(urlOf(subdomain)).host, path, { method: "POST", headers, body })).status;
    };
    const before = (await snapshot(owner, canary.id)).split("\n");
    const added = async () => {
      const rows = (await snapshot(owner, canary.id)).split("\n");
      return [file, rows.filter((row) => !before.includes(row)).length, rows.length - before.length];
    };
    for (const cookie of ["", mine]) expect([file, await send(ours.subdomain, cookie)]).toEqual([file, status[0]]);
    expect(await added()).toEqual([file, 0, 0]);
    // What is written later is written in turn: one row is what was sent at theirs.
    expect([file, await send(canary.word, "")]).toEqual([file, status[1]]);
    await expect.poll(added).toEqual([file, 1, 1]);
  }
});

test("no action that a member of ours sends changes a row of another workspace, and each does where it belongs", async ({
  browser,
  aWorkspace,
}) => {
  const ours = await aWorkspace({ name: "Ours", subdomain: "ours" });
  const manifest = JSON.parse(readFileSync(join(root, ".next/server/server-reference-manifest.json"), "utf8")) as {
    node: Record<string, { filename: string; exportedName: string }>;
  };
  const built = Object.entries(manifest.node).map(([id, of]) => ({ id, name: `${of.filename} ${of.exportedName}` }));
  expect(built.map(({ name }) => name).sort()).toEqual(Object.keys(actions).sort());

  for (const { id, name } of built) {
    const { from, sent } = actions[name] as (typeof actions)[string];
    const send = async (subdomain: string, Cookie: string) => {
      const form = new FormData();
      for (const [key, value] of sent(canary, email)) form.set(key, value);
      const { headers, body } = await encoded(form);
      const told = { ...headers, "Next-Action": id, Origin: urlOf(subdomain), Cookie };
      return (await ask(new URL(urlOf(subdomain)).host, from, { method: "POST", headers: told, body })).status;
    };
    const mine = await signedIn(browser, ours.subdomain, ours.email);
    const theirs = await signedIn(browser, canary.word, email);
    const before = await snapshot(owner, canary.id);
    for (const cookie of [mine, ""]) expect([name, await send(ours.subdomain, cookie)]).not.toEqual([name, 500]);
    expect([name, await snapshot(owner, canary.id)]).toEqual([name, before]);
    await send(canary.word, theirs);
    expect([name, (await snapshot(owner, canary.id)) === before]).toEqual([name, false]);
  }
});

/** A form as the browser sends it. */
async function encoded(form: FormData): Promise<{ headers: Record<string, string>; body: string }> {
  const request = new Request("http://form", { method: "POST", body: form });
  return { headers: { "Content-Type": request.headers.get("content-type") ?? "" }, body: await request.text() };
}
