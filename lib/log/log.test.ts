import { afterAll, expect, test } from "vitest";
import { newKeyText } from "@/lib/api-keys/key-format";
import { UnavailableError } from "@/lib/errors";
import { log, logConsole, logRequest, openLog } from "@/lib/log";

const { error, warn } = console;

afterAll(() => {
  openLog({ level: "error", format: "text", write: (line) => process.stderr.write(line) });
  Object.assign(console, { error, warn });
});

/** The log's output. */
function said(tell: () => void, format: "json" | "text" = "json"): string {
  const lines: string[] = [];
  openLog({ level: "info", format, write: (line) => lines.push(line) });
  tell();
  return lines.join("");
}

const key = newKeyText();
const request = {
  request_id: "1",
  method: "GET",
  host: "demo.example.com",
  path: "/articles?page",
  status: 200,
  ms: 12.5,
  client: "::1",
};

test("a line is looked through in one go, however long its words are", () => {
  const time = (text: string) => {
    const start = performance.now();
    said(() => log().info({ host: text }, "Told."));
    return performance.now() - start;
  };
  time("a.".repeat(1_000));
  // Eight times as much takes about eight times as long, and not sixty-four times.
  expect(time("a.".repeat(64_000)) / time("a.".repeat(8_000))).toBeLessThan(40);
});

test.each<[what: string, secret: string, tell: (secret: string) => void]>([
  ["a key in an error's message", key, (text) => log().error({ err: new Error(`Refused ${text}.`) }, "Failed.")],
  [
    "a key in an error's cause",
    key,
    (text) => log().error({ err: new Error("Failed", { cause: new Error(text) }) }, "Failed."),
  ],
  ["a key in an address", key, (text) => log().info(`GET /articles/${text}?x=${text}&y=1`)],
  ["a key with its underscore encoded", key.slice(3), (text) => log().info(`GET /articles/kb%5F${text}`)],
  [
    "a webhook's secret",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    (text) => log().error({ err: new Error(`Signed with ${text}`) }, `It is ${text}.`),
  ],
  ["a key among words", key, (text) => log().info({ said: ["the key", `is ${text}!`] }, "Told.")],
  ["headers", "hush-hush", (text) => log().info({ headers: { "X-Api-Key": text, Cookie: `a="${text}"` } }, "Told.")],
  ["set cookies", "hush-hush", (text) => log().info({ headers: { "set-cookie": [`a=${text}`, text] } }, "Told.")],
  ["a header as text", "hush-hush", (text) => log().info(`Authorization: Bearer ${text}`)],
  ["headers as Node prints them", "hush-hush", (text) => console.error("Failed", { headers: { cookie: `a=${text}` } })],
  ["the database's password", "hush-hush", (text) => log().info(`at postgresql://lectern:${text}@db:5432/lectern`)],
  [
    "settings with URLs",
    "hush-hush",
    (text) => log().info({ DATABASE_URL: text, DATABASE_DIRECT_URL: text, DATABASE_REPLICA_URL: text }, "Told."),
  ],
  [
    "the mail server's password",
    "hu%2Fsh",
    (text) => log().info({ url: `smtps://user:${text}@mail.example` }, "Told."),
  ],
  ["a token in an address", "hush-hush", (text) => log().info(`postgres://db/lectern?password=${text}&ssl=1`)],
  ["a link to a preview", "1b-2c.k3.Hu%73h", (text) => log().info({ path: `/preview/${text}` }, "Told.")],
  ["a file of a preview", "1b-2c.k3.Hu_sh-", (text) => log().error(`GET /uploads/1?preview=${text}&x`)],
  ["the path of a request", "hush-hush", (text) => logRequest("info", { ...request, path: `/preview/${text}` })],
  ["the ID and the host of a request", key, (text) => logRequest("info", { ...request, request_id: text, host: text })],
  ["what Next prints", key, (text) => console.error(new Error(`⨯ ${text}`))],
])("%s is hidden, in every form", (_, secret, tell) => {
  logConsole();
  for (const format of ["json", "text"] as const) {
    const line = said(() => tell(secret), format);
    expect(line).not.toContain(secret);
    expect(line).toContain("[hidden]");
    if (format === "json") expect(() => JSON.parse(line) as unknown).not.toThrow();
  }
});

test.each(["cookie:'", '"cookie":['])("a request for %s doesn't hide its host", (path) => {
  const line = said(() => logRequest("info", { ...request, path: `/${path}`, host: `x'],${request.host}` }));
  expect(JSON.parse(line)).toMatchObject({ host: expect.stringContaining(request.host) });
});

test("what only looks like a secret stays", () => {
  const text = "The cookie banner, kb_short, https://example.com:8080/a@b and 12:30 author@example.com.";
  expect(JSON.parse(said(() => log().info({ email: "ada@example.com" }, text)))).toMatchObject({
    level: "info",
    email: "ada@example.com",
    msg: text,
  });
});

test("people are shown a request in a line, and an error with where it comes from", () => {
  expect(said(() => logRequest("info", request), "text")).toMatch(
    /^\d\d:\d\d:\d\d GET demo\.example\.com\/articles\?page 200, 12\.5 ms\n$/,
  );
  const text = said(() => log().error({ err: new Error("It broke"), attempt: 2 }, "Failed."), "text");
  expect(text).toMatch(/^\d\d:\d\d:\d\d error: Failed\. attempt=2\nError: It broke\n +at /);
});

test("an outage is told in a line for each failed request, without a stack", () => {
  const outage = new UnavailableError("The database is not responding.", { cause: new Error("connect ECONNREFUSED") });
  const { msg, err } = JSON.parse(said(() => log().error({ err: outage }, "An API request failed.")));
  expect([msg, err]).toEqual([
    "An API request failed.",
    { type: "UnavailableError", message: "The database is not responding. (connect ECONNREFUSED)" },
  ]);
});

test("what is below the level is not told", () => {
  const tell = () => {
    log().debug("Quiet.");
    logRequest("debug", request);
    log().info("Loud.");
  };
  expect(said(tell).split("\n").filter(Boolean)).toEqual([expect.stringContaining("Loud.")]);
});
