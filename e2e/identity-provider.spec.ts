import { expect } from "playwright/test";
import { workspaceUrl } from "@/lib/http/host";
import { aProvider } from "@/testing/provider";
import { freePort, startServer } from "@/testing/server";
import { complaintsOf, message, password, signIn, submitSignIn, test } from "./kit";

// A server in development, which alone reaches a provider on this machine. It compiles each page when it is first opened.
test.setTimeout(300_000);

test("an administrator sets up a provider, and members sign in with it while it is there", async ({
  page,
  aWorkspace,
}) => {
  const made = await aWorkspace({ name: "Harbour Coffee", subdomain: "harbour" });
  const PORT = String(await freePort());
  const server = await startServer("next", { PORT, BASE_URL: `http://localhost:${PORT}`, JOBS: "off" });
  const workspace = { ...made, url: workspaceUrl(made.subdomain, `http://localhost:${PORT}`) };
  const cleanUp: (() => Promise<void> | void)[] = [server.stop];
  try {
    const provider = await aProvider((work) => cleanUp.push(work), [`${workspace.url}/admin/sign-in/oidc/callback`]);
    provider.person.email = workspace.email;
    const complaints = complaintsOf(page);
    page.setDefaultTimeout(60_000);
    await page.goto(`${workspace.url}/admin/sign-in`);
    await expect(page.getByText("Sign in with")).toHaveCount(0);
    await signIn(page, workspace);

    await page.goto(`${workspace.url}/admin/settings`);
    await page.getByRole("link", { name: "Set up" }).click();
    await expect(page.getByText("/admin/sign-in/oidc/callback")).toBeVisible();
    await page.getByLabel("Provider name").fill("Acme");
    await page.getByLabel("Issuer URL").fill(`${workspace.url}/`);
    await page.getByLabel("Client ID").fill(provider.clientId);
    await page.getByLabel("Client secret").fill(provider.clientSecret);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("There is no OpenID Connect discovery document at this URL.")).toBeVisible();
    await expect(page.getByLabel("Client secret")).toHaveValue("");
    await page.getByLabel("Issuer URL").fill(provider.issuer);
    await page.getByLabel("Client secret").fill(provider.clientSecret);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(message(page)).toContainText("Identity provider saved");
    await page.goto(`${workspace.url}/admin/settings/provider`);
    expect(await page.content()).not.toContain(provider.clientSecret);

    await page.context().clearCookies();
    await page.goto(`${workspace.url}/admin/settings`);
    await page.getByRole("link", { name: "Sign in with Acme" }).click();
    await expect(page).toHaveURL(`${workspace.url}/admin/settings`);
    await expect(page.getByText("Members can sign in with Acme.")).toBeVisible();

    await page.context().clearCookies();
    provider.person.email = "stranger@example.com";
    await page.goto(`${workspace.url}/admin/sign-in`);
    await page.getByRole("link", { name: "Sign in with Acme" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "No active member" })).toBeVisible();
    await provider.stop();
    await page.getByRole("link", { name: "Sign in with Acme" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Acme isn't available right now" })).toBeVisible();
    await submitSignIn(page, workspace.email, password);
    await expect(page).toHaveURL(`${workspace.url}/admin`);
    expect(complaints).toEqual([]);
  } finally {
    for (const work of cleanUp.reverse()) await work();
  }
});
