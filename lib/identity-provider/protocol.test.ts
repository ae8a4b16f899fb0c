import { expect, onTestFinished, test } from "vitest";
import { ProviderError, testProvider } from "@/lib/identity-provider/protocol";
import type { Network } from "@/lib/outgoing/send";
import { aProvider } from "@/testing/provider";
import { aReceiver, type Received } from "@/testing/receiver";

const problemWith = (issuer: string, network?: Network) =>
  testProvider(issuer, network).then(
    () => "none",
    (error: unknown) => (error instanceof ProviderError ? error.message : Promise.reject(error as Error)),
  );

/** A server with this answer to every request. @returns its issuer URL */
async function answering(
  answer: (issuer: string) => { status?: number; headers?: Record<string, string>; body?: string },
): Promise<{ issuer: string; received: Received[] }> {
  const { url, received } = await aReceiver(onTestFinished, ({ headers }, response) => {
    const { status = 200, headers: sent = {}, body = "" } = answer(`http://${headers.host}/`);
    response.writeHead(status, { "content-type": "application/json", ...sent }).end(body);
  });
  return { issuer: url.replace("hook", ""), received };
}

const document = (issuer: string, changes: Record<string, unknown> = {}) => ({
  body: JSON.stringify({
    issuer,
    authorization_endpoint: `${issuer}auth`,
    token_endpoint: `${issuer}token`,
    jwks_uri: `${issuer}jwks`,
    ...changes,
  }),
});

test("a valid discovery document is accepted", async () => {
  const { issuer } = await aProvider(onTestFinished, ["http://docs.localhost:3000/callback"]);
  expect(await problemWith(issuer)).toBe("none");
  const { issuer: small } = await answering(document);
  expect(await problemWith(small)).toBe("none");
});

const nowhere = "No OpenID Connect discovery document found. Check the issuer URL.";

test.each([
  ["is missing", () => ({ status: 404 }), nowhere],
  ["is a page", () => ({ body: "<html>", headers: { "content-type": "text/html" } }), nowhere],
  ["is broken", () => ({ body: "{" }), nowhere],
  ["moved", () => ({ status: 302, headers: { location: "http://127.0.0.1/" } }), /doesn't follow redirects/],
  ["is too long", () => ({ body: " ".repeat(300_000) }), "The response is too long or was cut off."],
  [
    "is another's",
    () => document("https://other.example/"),
    "The provider's issuer URL is https://other.example/. Enter exactly that URL.",
  ],
  [
    "has no keys",
    (issuer: string) => document(issuer, { jwks_uri: undefined }),
    "The discovery document has no jwks_uri.",
  ],
  [
    "leads elsewhere",
    (issuer: string) => document(issuer, { authorization_endpoint: "javascript:alert(1)" }),
    /^The authorization_endpoint .* must begin with http/,
  ],
])("a discovery document that %s is refused with a reason", async (_, answer, reason) => {
  const { issuer } = await answering(answer);
  expect(await problemWith(issuer)).toEqual(reason instanceof RegExp ? expect.stringMatching(reason) : reason);
});

test("a provider is reached like a webhook", async () => {
  const { issuer, received } = await answering(document);
  const { port } = new URL(issuer);
  const to = (address: string): Network => ({ resolve: async () => [address], allowsLoopback: false });
  expect(await problemWith(issuer, to("127.0.0.1"))).toBe("The host 127.0.0.1 needs https.");
  for (const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1"]) {
    const problem = "The host login.example is not on the public internet.";
    expect(await problemWith(`https://login.example:${port}/`, to(address))).toBe(problem);
  }
  expect(received).toEqual([]);
  expect(await problemWith("https://nowhere.example/", { resolve: async () => [], allowsLoopback: false })).toBe(
    "The host nowhere.example was not found.",
  );
});
