import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { newRequest } from "@/lib/http/request";
import { completeHead } from "./head";
import { wrapResponse } from "./response";

let server: Server;

afterEach(() => server.close());

async function got(
  unavailable: boolean,
  answer: (response: ServerResponse) => void,
  requestHeaders: Record<string, string> = {},
) {
  server = createServer((request, response) => {
    const current = newRequest(null, "page");
    wrapResponse(response, () => completeHead(response, current, request.headers));
    current.unavailable = unavailable;
    answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    headers: requestHeaders,
  });
  const { headers, status } = response;
  return {
    status,
    retry: headers.get("retry-after"),
    type: headers.get("content-type"),
    policy: headers.get("content-security-policy"),
    body: await response.text(),
  };
}

const outage = {
  status: 503,
  retry: "5",
  type: "text/plain; charset=utf-8",
  policy: null,
  body: "This page can't be shown because the database is not responding. Try again in a few seconds.\n",
};

const ways: [name: string, answer: (response: ServerResponse) => void][] = [
  [
    "in pieces",
    (response) => {
      response.statusCode = 500;
      response.setHeader("Content-Type", "text/html");
      response.setHeader("Content-Encoding", "gzip");
      response.write("<html>");
      response.write("</html>");
      response.end();
    },
  ],
  [
    "head first",
    (response) => {
      response.writeHead(500, { "Content-Type": "text/html", "Content-Length": "5" });
      response.end("Oops!");
    },
  ],
  [
    "immediately",
    (response) => {
      response.statusCode = 500;
      response.end("Oops!", () => {});
    },
  ],
];

test.each(ways)("a page that failed without a database is a 503 that says so, sent %s", async (_, answer) => {
  expect(await got(true, answer)).toEqual(outage);
});

test("people get a page with a link to try again, and the scripts of a page get text", async () => {
  const [, fail] = ways[2] ?? [];
  if (!fail) throw new Error("No way to fail.");
  const Accept = "text/html,application/xhtml+xml";
  const page = await got(true, fail, { Accept });
  expect(page).toMatchObject({ status: 503, retry: "5", type: "text/html; charset=utf-8" });
  expect(page.body).toContain("the database is not responding");
  expect(page.body).toContain('<a href="">Try again</a>');
  expect(page.body).not.toContain("<script");
  const style = /<style>(.*)<\/style>/.exec(page.body)?.[1] ?? "";
  expect(page.policy).toContain(`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`);
  server.close();
  expect(await got(true, fail, { Accept, RSC: "1" })).toEqual(outage);
});

test("what failed for another reason, or was shown all the same, is left as it is", async () => {
  const failed = await got(false, (response) => response.writeHead(500).end("Oops!"));
  expect(failed).toMatchObject({ status: 500, retry: null, body: "Oops!" });
  const shown = await got(true, (response) => response.end("Shown without it."));
  expect(shown).toMatchObject({ status: 200, retry: null, body: "Shown without it." });
});

test("a page that exists as Markdown too varies by Accept, beside what else it varies by", async () => {
  const varies = async (path: string, vary?: string) => {
    server = createServer((_, response) => {
      wrapResponse(response, () => completeHead(response, newRequest(null, "page", path), {}));
      response.writeHead(200, vary ? { Vary: vary } : {}).end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.close();
    return headers.get("vary");
  };
  expect(await varies("/articles/one")).toBe("Accept");
  expect(await varies("/articles/one", "RSC, Accept-Encoding")).toBe("Accept, RSC, Accept-Encoding");
  expect(await varies("/articles/one", "Cookie, accept")).toBe("Cookie, accept");
  expect(await varies("/search", "RSC")).toBe("RSC");
});
