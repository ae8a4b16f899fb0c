import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import type { Client } from "pg";
import { type BrowserContext, expect, type Page } from "playwright/test";
import { newKeyText } from "@/lib/api-keys/key-format";
import { kbWith } from "@/testing/kb";
import { textsIn } from "@/testing/zip";
import { ask, message, submitSignIn, test } from "./kit";
import { aServer } from "./own-server";
import { aPublicProvider, browserInReach, inReach } from "./provider";

// Starts a second server, and makes three backups.
test.setTimeout(360_000);

test.use({
  ignoreHTTPSErrors: true,
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...(launchOptions.args ?? []), browserInReach] }),
});

const aPassword = () => `four words and ${randomBytes(6).toString("hex")}`;

/** The forms in which a text may be stored or logged. Keys are shown as base64 or base32 of bytes. */
const formsOf = (secret: string) => [
  ...[secret, encodeURIComponent(secret), secret.replaceAll("-", "")],
  ...(["hex", "base64", "base64url"] as const).map((form) => Buffer.from(secret).toString(form)),
  Buffer.from(secret, "base64").toString("hex"),
];

/** Every row of every table, as a dump has it. */
async function rowsOf(owner: Client): Promise<string> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join("\n");
}

async function create(page: Page, name: string, email: string, secret: string): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Lovelace");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(secret);
  await page.getByRole("button", { name: "Create knowledge base" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
}

test("no secret that someone types, gets or is shown is in the log, the database or a backup", async ({
  page,
  browser,
}) => {
  const server = await aServer({ ...inReach, LOG_LEVEL: "trace" });
  const { port, database, linkMailedTo } = server;
  const url = `http://alpha.localhost:${port}`;
  const provider = await aPublicProvider({ url });
  const folder = await mkdtemp(join(tmpdir(), "lectern-secrets-"));
  const secrets = new Map<string, string>();
  const plant = (what: string, secret: string | null | undefined) => {
    expect(secret?.length ?? 0, what).toBeGreaterThanOrEqual(10);
    secrets.set(what, secret ?? "");
    return secret ?? "";
  };
  const plantToken = (what: string, link: string) => {
    plant(what, new URL(link).searchParams.get("token"));
    return link;
  };
  const plantCookies = async (who: string, context: BrowserContext) => {
    const cookies = (await context.cookies(url)).filter(({ httpOnly }) => httpOnly);
    for (const { name, value } of cookies) plant(`${who}'s cookie ${name}`, value);
  };
  try {
    const owner = await database.connect();
    const dumps: string[] = [];
    const step = (title: string, work: () => Promise<void>) =>
      test.step(title, async () => {
        await work();
        dumps.push(await rowsOf(owner));
      });
    const grace = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
    const gracesPassword = aPassword();

    await step("two knowledge bases are created", async () => {
      await page.goto(`http://localhost:${port}/new`);
      await create(page, "Alpha", "ada@example.com", plant("the creator's password", aPassword()));
      await plantCookies("Ada", page.context());
      const other = await (await browser.newContext()).newPage();
      await other.goto(`http://localhost:${port}/new`);
      await create(other, "Beta", "bob@example.com", plant("a password in another workspace", aPassword()));
      await other.context().close();
    });

    await step("people use mailed links", async () => {
      await page.goto(`${url}/admin/members/invite`);
      await page.getByRole("button", { name: /^Send link to ada@/ }).click();
      await page.goto(plantToken("a sign-in link", await linkMailedTo("ada@example.com")));
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByLabel("Emails").fill("grace@example.com");
      await page.getByLabel("Role").selectOption("Editor");
      await page.getByRole("button", { name: "Send invitations" }).click();
      await grace.goto(plantToken("an invitation", await linkMailedTo("grace@example.com")));
      await grace.getByLabel("First name").fill("Grace");
      await grace.getByLabel("Last name").fill("Hopper");
      await grace.getByLabel("Password").fill(plant("an invited person's password", aPassword()));
      await grace.getByRole("button", { name: "Accept invitation" }).click();
      await expect(grace.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
      await plantCookies("Grace", grace.context());

      await grace.context().clearCookies();
      await grace.goto(`${url}/admin/sign-in/password`);
      await grace.getByLabel("Email").fill("grace@example.com");
      await grace.getByRole("button", { name: "Send link" }).click();
      await grace.goto(plantToken("a password reset", await linkMailedTo("grace@example.com", 2)));
      await grace.getByLabel("New password").fill(plant("a new password", gracesPassword));
      await grace.getByRole("button", { name: "Set password" }).click();
      await expect(grace).toHaveURL(`${url}/admin/account`);

      const email = grace.getByRole("region", { name: "Email" });
      await email.getByLabel("New email").fill("hopper@example.com");
      await email.getByLabel("Current password").fill(gracesPassword);
      await email.getByRole("button", { name: "Change email" }).click();
      await grace.goto(plantToken("an email change", await linkMailedTo("hopper@example.com")));
      await grace.getByRole("button", { name: "Confirm" }).click();
      await submitSignIn(grace, "hopper@example.com", plant("a mistyped password", aPassword()));
      await expect(grace.getByRole("alert").filter({ hasText: "Incorrect email or password" })).toBeVisible();
    });

    await step("an administrator creates a key, a preview link and a webhook", async () => {
      await page.goto(`${url}/admin/keys/new`);
      await page.getByRole("textbox", { name: "Name" }).fill("Website");
      await page.getByLabel("Access").selectOption("Full access");
      await page.getByRole("button", { name: "Create key" }).click();
      const key = plant("an API key", await page.locator("pre").first().textContent());
      const send = (text: string) =>
        ask(new URL(url).host, "/api/external/v2/articles", {
          ...{ port, method: "POST", headers: { "X-Api-Key": text, "Content-Type": "application/json" } },
          body: JSON.stringify({
            title: "Plans",
            html_content: "<p>Soon.</p>",
            category_path: ["Guides"],
            create_categories: true,
          }),
        });
      expect((await send(plant("a key of nobody", newKeyText()))).status).toBe(401);
      const { article } = JSON.parse((await send(key)).body) as { article: { id: string } };
      await page.goto(`${url}/admin/articles/${article.id}/preview`);
      const preview = (await page.locator("pre").first().textContent()) ?? "";
      plant("a preview link", preview.split(".").at(-1));
      await grace.goto(preview);
      await expect(grace.getByRole("heading", { level: 1, name: "Plans" })).toBeVisible();

      await page.goto(`${url}/admin/webhooks/new`);
      await page.getByRole("textbox", { name: "URL" }).fill("https://hooks.invalid/in");
      await page.getByRole("checkbox", { name: /^article\.published/ }).check();
      await page.getByRole("button", { name: "Add webhook" }).click();
      const shown = page.locator("pre").first();
      plant("a webhook's secret", (await shown.textContent())?.replace("whsec_", ""));
      await page.getByRole("link", { name: "Done" }).click();
      await page.getByRole("button", { name: "Send test" }).click();
      await expect(message(page)).toContainText("Sending a test");
      await page.getByRole("link", { name: "Rotate secret" }).click();
      await page.getByRole("button", { name: "Rotate secret" }).click();
      await expect(shown).toHaveText(/^whsec_/);
      plant("a webhook's next secret", (await shown.textContent())?.replace("whsec_", ""));
    });

    await step("a member signs in with an identity provider", async () => {
      await page.goto(`${url}/admin/settings/provider`);
      await page.getByLabel("Provider name").fill("Acme");
      await page.getByLabel("Issuer URL").fill(provider.issuer);
      await page.getByLabel("Client ID").fill(provider.clientId);
      await page.getByLabel("Client secret").fill(plant("an OIDC client secret", provider.clientSecret));
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page).toHaveURL(`${url}/admin/settings`);
      provider.person = { email: "hopper@example.com", email_verified: true };
      const callback = grace.waitForRequest((request) =>
        request.url().startsWith(`${url}/admin/sign-in/oidc/callback`),
      );
      await grace.goto(`${url}/admin/sign-in`);
      await grace.getByRole("link", { name: "Sign in with Acme" }).click();
      const answer = new URL((await callback).url()).searchParams;
      plant("an OIDC code", answer.get("code"));
      plant("an OIDC state", answer.get("state"));
      await expect(grace).toHaveURL(`${url}/admin`);
      await plantCookies("Grace's next", grace.context());
    });

    await step("an administrator turns on two-step verification", async () => {
      await page.goto(`${url}/admin/two-step`);
      await page.getByRole("button", { name: "Continue" }).click();
      const codes = page.locator("[data-code-frame] code");
      await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
      const secret = plant("a two-step key", (await codes.innerText()).replaceAll(" ", ""));
      plant("the bytes of a two-step key", Secret.fromBase32(secret).hex.toLowerCase());
      await page.getByLabel("Code", { exact: true }).fill(new TOTP({ secret }).generate());
      const current = page.getByLabel("Current password");
      if (await current.isVisible()) await current.fill(secrets.get("the creator's password") ?? "");
      await page.getByRole("button", { name: "Turn on" }).click();
      await expect(page.getByRole("heading", { name: "Save your recovery codes" })).toBeVisible();
      for (const [index, code] of (await codes.innerText()).split("\n").entries())
        plant(`recovery code ${index}`, code);
      await plantCookies("Ada's next", page.context());
    });

    const settings = { DATABASE_URL: database.url, BASE_URL: `http://localhost:${port}` };
    const backupOf = async (name: string, ...args: string[]) => {
      const file = join(folder, `${name}.zip`);
      const { code, err } = await kbWith(settings, "backup", ...args, "--out", file);
      expect([code, err]).toEqual([0, expect.any(String)]);
      return (await textsIn(file)).join("\n");
    };
    const places = {
      log: server.log(),
      database: dumps.join("\n"),
      "backup of everything": await backupOf("all"),
      "backup of Alpha": await backupOf("alpha", "--workspace", "alpha"),
      "backup of Beta": await backupOf("beta", "--workspace", "beta"),
    };
    const found = Object.entries(places).flatMap(([place, text]) =>
      [...secrets]
        .filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
        .map(([what]) => `${what} is in the ${place}`),
    );
    expect(found).toEqual([]);

    // They were where they could have been found.
    expect(places.log).toContain('"event":"sign_in.failed"');
    expect(places.log).toContain('"event":"key.refused"');
    expect(places.log).toContain("/admin/sign-in/oidc/callback");
    for (const place of ["database", "backup of everything", "backup of Alpha"] as const) {
      expect(places[place]).toContain("hopper@example.com");
      expect(places[place]).toContain("hooks.invalid");
    }
    expect(places["backup of Beta"]).toContain("bob@example.com");
    expect(places["backup of Beta"]).not.toMatch(/hopper|grace|ada@|hooks\.invalid|provider\.example/);
  } finally {
    await rm(folder, { recursive: true });
    await provider.stop();
    await server.stop();
  }
});
