import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright";
import sharp from "sharp";
import { personsBrowser, submitSignIn } from "@/e2e/kit";
import { workspaceUrl } from "@/lib/http/host";
import { startServer } from "@/testing/server";
import { findBrowser } from "../bin/browser.mjs";

// npm run screenshots: takes screenshots of the sample workspaces, by default only those in README.md.

const usage = "npm run screenshots -- [--all] [--out docs/screenshots] [view, such as editor, …]";

/** The screenshots in README.md. */
const shown = ["home-light-1280", "search-dark-1280", "editor-light-1280"];

const sizes = { 1280: { width: 1280, height: 800 }, 390: { width: 390, height: 844 } };
const themes = ["light", "dark"] as const;

interface View {
  name: string;
  path: string;
  /** Opens the view from the page, for example a dialog. */
  open?: (page: Page) => Promise<void>;
}

const article = "/articles/what-markdown-can-do";

const readerViews: View[] = [
  { name: "home", path: "/" },
  { name: "article", path: article },
  { name: "category", path: "/categories/concepts" },
  { name: "categories", path: "/categories" },
  { name: "tag", path: "/tags/concept" },
  { name: "results", path: "/search?q=import" },
  { name: "no-results", path: "/search?q=xylophone" },
  {
    name: "search",
    path: article,
    open: async (page) => {
      await page.keyboard.press("/");
      await page.getByRole("combobox").last().fill("import articles");
      await page.getByRole("option").nth(2).waitFor();
    },
  },
  { name: "missing", path: "/articles/import-foldr" },
  { name: "developers", path: "/developers" },
  { name: "reference", path: "/developers/v2" },
];

const entryViews: View[] = ["/admin/sign-in", "/admin/sign-in/password"].map((path) => ({ name: nameOf(path), path }));

/** ID in a path stands for the id of the first item in the list. */
const adminViews: View[] = `
  /admin /admin/articles /admin/articles/new /admin/articles/ID/publish /admin/articles/ID/preview /admin/articles/ID/versions
  /admin/articles/ID/delete /admin/categories /admin/categories/new /admin/categories/ID /admin/categories/ID/articles
  /admin/categories/ID/merge /admin/categories/ID/delete /admin/tags /admin/tags/ID /admin/insights
  /admin/snippets /admin/snippets/new
  /admin/insights/broken-links /admin/synonyms /admin/synonyms/new /admin/synonyms/paste /admin/redirects /admin/redirects/new
  /admin/members /admin/members/ID /admin/members/invite /admin/members/invitations /admin/roles /admin/roles/ID /admin/roles/new
  /admin/keys /admin/keys/new /admin/webhooks /admin/webhooks/new /admin/appearance /admin/readers /admin/settings /admin/settings/address /admin/settings/delete
  /admin/import /admin/export /admin/audit /admin/trash /admin/profile /admin/account /admin/account/email /admin/missing`
  .trim()
  .split(/\s+/)
  .map((path) => ({ name: nameOf(path), path }));

const editor: View = {
  name: "editor",
  path: "/admin/articles/ID",
  open: async (page) => {
    await page.getByRole("textbox", { name: "Article", exact: true }).waitFor();
  },
};

const markdown: View = {
  name: "markdown",
  path: "/admin/articles/ID",
  open: async (page) => {
    await page.getByRole("button", { name: "Edit as Markdown" }).click();
    await page.getByRole("textbox", { name: "Article as Markdown" }).waitFor();
  },
};

const selecting: View = {
  name: "admin-articles-selected",
  path: "/admin/articles",
  open: async (page) => {
    await page
      .getByRole("checkbox", { name: /^Select / })
      .nth(2)
      .check();
  },
};

function nameOf(path: string): string {
  return path.slice(1).replaceAll("/", "-").toLowerCase();
}

async function main(): Promise<void> {
  const { values, positionals: only } = parseArgs({
    allowPositionals: true,
    options: { all: { type: "boolean" }, out: { type: "string" }, help: { type: "boolean" } },
  });
  if (values.help) return console.log(usage);
  const isAll = values.all === true || only.length > 0;
  const out = resolve(values.out ?? (isAll ? ".data/screenshots" : "docs/screenshots"));
  mkdirSync(out, { recursive: true });
  const dataDir = mkdtempSync(join(tmpdir(), "lectern-screenshots-"));
  const port = String(await freePort());
  const baseUrl = `http://localhost:${port}`;
  const env = {
    PORT: port,
    BASE_URL: baseUrl,
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    WORKSPACE_CREATION: "on",
    RATE_LIMIT_PAGES: "0",
  };
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const server = await startServer("front door", env);
    closing.push(server.stop);
    const seeding = spawnSync(process.execPath, ["dist/seed.js"], {
      env: { ...process.env, ...env },
      stdio: "inherit",
    });
    if (seeding.status !== 0) throw new Error("The sample workspaces could not be created.");
    const access = JSON.parse(readFileSync(join(dataDir, "quickstart.json"), "utf8")) as Access;
    const browser = await chromium.launch(await findBrowser());
    closing.push(() => browser.close());
    const site = workspaceUrl(access.workspace, baseUrl);
    for (const [width, size] of Object.entries(sizes)) {
      for (const theme of themes) {
        const suffix = `${theme}-${width}`;
        const wanted = ({ name }: View) =>
          only.length > 0 ? only.includes(name) : isAll || shown.includes(`${name}-${suffix}`);
        const take = async (views: View[], open: () => Promise<Page>, origin: string) => {
          const listed = views.filter(wanted);
          if (listed.length === 0) return;
          const page = await open();
          for (const view of listed)
            await photograph(page, origin, view, join(out, `${view.name}-${suffix}.webp`), isAll);
          await page.context().close();
        };
        const fresh = () => newPage(browser, theme, size);
        await take(
          [
            { name: "landing", path: "/" },
            { name: "new", path: "/new" },
            { name: "find", path: "/find" },
          ],
          fresh,
          baseUrl,
        );
        await take([...readerViews, ...entryViews], fresh, site);
        await take(
          [...adminViews, selecting, editor, markdown],
          () => signedIn(browser, theme, size, site, access),
          site,
        );
      }
    }
  } finally {
    for (const close of closing.reverse()) await close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Access {
  workspace: string;
  adminEmail: string;
  adminPassword: string;
}

async function newPage(browser: Browser, colorScheme: "light" | "dark", viewport: { width: number; height: number }) {
  const context = await browser.newContext({
    colorScheme,
    viewport,
    userAgent: personsBrowser,
    reducedMotion: "reduce",
  });
  return context.newPage();
}

async function signedIn(
  browser: Browser,
  theme: "light" | "dark",
  size: { width: number; height: number },
  site: string,
  access: Access,
) {
  const page = await newPage(browser, theme, size);
  await page.goto(`${site}/admin/sign-in`);
  await submitSignIn(page, access.adminEmail, access.adminPassword);
  await page.waitForURL(`${site}/admin`);
  return page;
}

/** Pixels. Longer pages are cut off. */
const TALLEST = 2_400;

/** @param isWhole captures the whole page, not only the window */
async function photograph(
  page: Page,
  origin: string,
  { path, open }: View,
  file: string,
  isWhole: boolean,
): Promise<void> {
  await page.goto(origin + (await resolved(page, origin, path)), { waitUntil: "networkidle" });
  await page.evaluate(() => document.fonts.ready);
  await open?.(page);
  const { width, height } = await page.evaluate(() => ({ width: innerWidth, height: document.body.scrollHeight }));
  const whole = { fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(height, TALLEST) } };
  const png = await page.screenshot({ ...(isWhole && !open && whole), animations: "disabled" });
  await sharp(png).webp({ quality: 80 }).toFile(file);
  console.log(file);
}

/** Replaces ID with the id of the first item in the list. */
async function resolved(page: Page, origin: string, path: string): Promise<string> {
  const [list = "", rest] = path.split("/ID");
  if (rest === undefined) return path;
  await page.goto(origin + list, { waitUntil: "networkidle" });
  // The category tree has no links.
  const place = list === "/admin/categories" ? '\\\\"id\\\\":\\\\"' : `${list}/`;
  const id = new RegExp(`${place}([0-9a-f]{8}-[0-9a-f-]{27})`).exec(await page.content())?.[1];
  if (!id) throw new Error(`The page ${list} names no id.`);
  return `${list}/${id}${rest}`;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
