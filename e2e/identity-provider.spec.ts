import { expect, type Page } from "playwright/test";
import { inWorkspace } from "@/lib/db";
import { workspaceUrl } from "@/lib/http/host";
import { freePort, startServer } from "@/testing/server";
import { complaintsOf, expectAccessible, message, openAccount, signInByForm, test } from "./kit";
import { putMember } from "./library";
import { aPublicProvider, browserInReach, inReach } from "./provider";

// Starts a second server, and checks pages against axe's rules, in both themes.
test.setTimeout(240_000);

test.use({
  ignoreHTTPSErrors: true,
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...(launchOptions.args ?? []), browserInReach] }),
});

const continueWith = (page: Page) => page.getByRole("link", { name: "Sign in with Acme" });
const account = (page: Page, name: string) => page.getByRole("button", { name: `Account: ${name}` });

test("an administrator sets up a provider, people sign in and out with it, and its removal ends their sessions", async ({
  page,
  browser,
  aWorkspace,
}) => {
  const port = String(await freePort());
  const baseUrl = `http://localhost:${port}`;
  const server = await startServer("front door", {
    ...inReach,
    PORT: port,
    BASE_URL: baseUrl,
    JOBS: "off",
    QUICKSTART: "",
  });
  const made = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const workspace = { ...made, url: workspaceUrl(made.subdomain, baseUrl) };
  const provider = await aPublicProvider(workspace);
  try {
    const grace = await putMember(workspace, ["Grace", "Hopper"], "Editor");
    const complaints = complaintsOf(page);
    await signInByForm(page, workspace);
    await page.goto(`${workspace.url}/admin/settings`);
    const settings = page.getByRole("region", { name: "Identity provider" });
    await settings.getByRole("link", { name: "Set up" }).click();
    await expect(page.getByText(`${workspace.url}/admin/sign-in/oidc/callback`)).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Provider name").fill("Acme");
    // Nothing answers there.
    await page.getByLabel("Issuer URL").fill("https://elsewhere.provider.example/");
    await page.getByLabel("Client ID").fill(provider.clientId);
    await page.getByLabel("Client secret").fill(provider.clientSecret);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("The host elsewhere.provider.example was not found.")).toBeVisible();
    await expect(page.getByLabel("Client secret")).toHaveValue("");
    await page.getByLabel("Issuer URL").fill(provider.issuer);
    await page.getByLabel("Client secret").fill(provider.clientSecret);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(message(page)).toContainText("Identity provider saved");
    await expect(settings).toContainText("Members can sign in with Acme.");

    const person = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
    const complaintsOfPerson = complaintsOf(person);
    await test.step("an email that the provider has not verified is refused", async () => {
      provider.person = { email: grace.email, email_verified: false };
      await person.goto(`${workspace.url}/admin/articles?status=draft`);
      await expectAccessible(person);
      await continueWith(person).click();
      const refusal = "Acme hasn't verified your email. Verify it there, then try again.";
      await expect(person.getByText(refusal)).toBeVisible();
      await expectAccessible(person);
    });

    await test.step("a member signs in, lands where they wanted to go, and signs out", async () => {
      provider.person = { email: grace.email, email_verified: true };
      await continueWith(person).click();
      await expect(person).toHaveURL(`${workspace.url}/admin/articles?status=draft`);
      await expect(account(person, "Grace Hopper")).toBeVisible();
      const cookies = await person.context().cookies(workspace.url);
      await openAccount(person);
      await person.getByRole("button", { name: "Sign out" }).click();
      await expect(person).toHaveURL(`${workspace.url}/admin/sign-in`);
      // The provider still knows the browser, but only a click signs in again. A copy of the cookie doesn't.
      await person.context().addCookies(cookies.filter(({ name }) => name === "lectern-session"));
      await person.goto(`${workspace.url}/admin`);
      await expect(person).toHaveURL(`${workspace.url}/admin/sign-in`);
    });

    await test.step("someone who is no member joins only with the role that an administrator chose", async () => {
      provider.person = {
        email: "katherine@example.com",
        email_verified: true,
        given_name: "Katherine",
        family_name: "Johnson",
      };
      await continueWith(person).click();
      const refusal = "No active member has the email you use at Acme. Ask an administrator to invite you.";
      await expect(person.getByText(refusal)).toBeVisible();
      await settings.getByRole("link", { name: "Change" }).click();
      await page.getByLabel("Non-members").selectOption("Join as Collaborator");
      await page.getByRole("button", { name: "Save" }).click();
      await expect(message(page)).toContainText("Identity provider saved");
      await continueWith(person).click();
      await expect(account(person, "Katherine Johnson")).toBeVisible();
      await expect(person.getByText("Collaborator", { exact: true })).toBeVisible();
      const joined = await inWorkspace(workspace.id, (db) =>
        db.member.findFirst({
          where: { email: "katherine@example.com" },
          select: { role: { select: { name: true } } },
        }),
      );
      expect(joined).toEqual({ role: { name: "Collaborator" } });
    });

    await test.step("removing the provider signs out everyone who signed in with it, and nobody else", async () => {
      const withPassword = await (await browser.newContext()).newPage();
      await signInByForm(withPassword, workspace, grace.email);
      await settings.getByRole("link", { name: "Change" }).click();
      await page.getByRole("link", { name: "Remove identity provider" }).click();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Remove identity provider" }).click();
      await expect(message(page)).toContainText("Identity provider removed");
      await person.goto(`${workspace.url}/admin`);
      await expect(person).toHaveURL(`${workspace.url}/admin/sign-in`);
      await expect(person.getByRole("button", { name: "Sign in", exact: true })).toBeVisible();
      await expect(continueWith(person)).toHaveCount(0);
      await withPassword.reload();
      await expect(account(withPassword, "Grace Hopper")).toBeVisible();
      await withPassword.context().close();
    });
    await person.context().close();
    expect([complaints, complaintsOfPerson]).toEqual([[], []]);
  } finally {
    await provider.stop();
    await server.stop();
  }
});
