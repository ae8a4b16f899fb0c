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
  apex?: true;
}

/** To whom that is: without a session, with ours, with theirs. */
const shownTo = { anyone: [true, true, true], "its members": [false, false, true], nobody: [false, false, false] };

const pages: Record<string, Page> = {
  "(apex)/[...path]/page.tsx": { apex: true, at: ({ ids }) => [`/${ids.articles}`], shows: "nobody" },
  "(apex)/page.tsx": { apex: true, at: () => ["/"], shows: "nobody" },
  "api/[...path]/route.ts": { at: ({ ids }) => [`/api/${ids.articles}`], shows: "anyone" },
  "api/auth/[...nextauth]/route.ts": { at: () => ["/api/auth/session"], text: "members", shows: "its members" },
  "sites/[workspace]/(reader)/developers/page.tsx": { at: () => ["/developers"], shows: "anyone" },
  "sites/[workspace]/(reader)/developers/v1/page.tsx": { at: () => ["/developers/v1"], shows: "anyone" },
  "sites/[workspace]/(reader)/developers/v2/page.tsx": { at: () => ["/developers/v2"], shows: "anyone" },
  "sites/[workspace]/(reader)/page.tsx": { at: () => ["/"], shows: "anyone" },
  "sites/[workspace]/[...path]/page.tsx": { at: ({ ids }) => [`/${ids.articles}`], shows: "anyone" },
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
  const { rows } = await owner.query<{ email: string }>(
    "UPDATE members SET password_hash = $2 WHERE workspace_id = $1 RETURNING email",
    [canary.id, await hashPassword(password)],
  );
  email = rows[0]?.email ?? "";
});
test.afterAll(() => owner.end());

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
        ask(hostOf(page, subdomain), path + query, { headers: { ...headers, Cookie } });
      for (const cookie of ["", mine]) {
        const told = JSON.stringify(await get(ours.subdomain, cookie));
        expect([file, path, told.includes(canary.word)]).toEqual([file, path, false]);
      }
      const shown: boolean[] = [];
      const text = page.text ? `${canary.word}-${page.text}-` : canary.word;
      for (const cookie of ["", mine, theirs]) shown.push((await get(canary.word, cookie)).body.includes(text));
      expect([file, path, ...shown]).toEqual([file, path, ...shownTo[page.shows]]);
    }
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
