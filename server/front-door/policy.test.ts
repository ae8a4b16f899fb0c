import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { withoutNonce } from "./policy";
import { addSecureHeaders, clearHeaders } from "./response";

const nonce = "a+b/c==";
const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

test("a page is kept with the hashes of its own scripts, whatever tags its text contains", () => {
  const alt = 'alt="The <script> and <script nonce=x> tags, <style> too"';
  const html =
    `<img ${alt}><p>&lt;script&gt;</p><style nonce="${nonce}">p{}</style><img ${alt}>` +
    `<script nonce="${nonce}">start("${nonce}")</script><script src="/a.js" nonce="${nonce}" async=""></script><script>theirs()</script>`;
  expect(withoutNonce(html, `script-src 'nonce-${nonce}' 'strict-dynamic'; style-src 'nonce-${nonce}'`)).toEqual({
    html:
      `<img ${alt}><p>&lt;script&gt;</p><style>p{}</style><img ${alt}>` +
      '<script>start("")</script><script src="/a.js" async=""></script><script>theirs()</script>',
    policy: `script-src 'self' ${hash('start("")')}; style-src 'self' ${hash("p{}")}`,
  });
});

test("on https, every response has the security headers, even one that replaces another", async ({
  onTestFinished,
}) => {
  let baseUrl = "https://example.com";
  const server = createServer((_, response) => {
    addSecureHeaders(response, baseUrl);
    response.setHeader("Set-Cookie", "a=b");
    clearHeaders(response);
    response.end();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const headers = async () => {
    const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return ["strict-transport-security", "cross-origin-opener-policy", "permissions-policy", "set-cookie"].map((name) =>
      headers.get(name),
    );
  };
  expect(await headers()).toEqual([
    "max-age=31536000",
    "same-origin",
    "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    null,
  ]);
  baseUrl = "http://localhost:3000";
  expect(await headers()).toEqual([null, null, null, null]);
});
