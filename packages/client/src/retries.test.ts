import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  ConnectionError,
  Lectern,
  type LecternOptions,
  NotFoundError,
  RateLimitError,
  TimeoutError,
  UnavailableError,
  type WriteOptions,
} from "./index.js";
import { failureOf, serve } from "./testing.js";

// The network and proxies cause these failures, so these servers are not Lectern. Each test lists what its server does to
// one request after the other, and the last entry applies to all later requests.

type Act = (response: ServerResponse, request: IncomingMessage) => void;

const setting = { knowledge_base_name: "Docs", url: "https://docs.example.com" };

const say =
  (status: number, body: object | string, headers: Record<string, string> = {}): Act =>
  (response) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "Content-Type": "application/json", ETag: '"1"', ...headers }).end(text);
  };
const fine = say(200, setting);
const refuse = (status: number, headers?: Record<string, string>) => say(status, { error: "Not now." }, headers);
const hangUp: Act = (response) => response.destroy();

/** A client of such a server, the requests it received, and the client's waits in milliseconds. */
async function aClient(acts: [Act, ...Act[]], options: Partial<LecternOptions> = {}) {
  const requests: string[] = [];
  const waits: number[] = [];
  const url = await serve((request, response) => {
    const act = acts[Math.min(requests.push(`${request.method} ${request.url}`), acts.length) - 1];
    act?.(response, request);
  });
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  return { kb: new Lectern({ url, apiKey: "kb_secret", sleep, ...options }), url, requests, waits };
}

test("a call that is refused for now is repeated after the seconds that the server names", async () => {
  for (const status of [429, 503]) {
    const { kb, requests, waits } = await aClient([refuse(status, { "Retry-After": "7" }), fine]);
    expect(await kb.setting()).toEqual({ ...setting, etag: '"1"' });
    expect([requests.length, waits]).toEqual([2, [7000]]);
  }
});

test("a call that can be retried immediately is retried", async () => {
  const { kb, requests } = await aClient([refuse(429, { "Retry-After": "0" }), fine], { sleep: undefined });
  expect((await kb.setting()).knowledge_base_name).toBe("Docs");
  expect(requests).toHaveLength(2);
});

test("a date to come back at is read by the server's clock, and one that has passed is now", async () => {
  const at = (date: string, now: string) => refuse(503, { "Retry-After": date, Date: now });
  const noon = "Sat, 31 Jan 2026 12:00:00 GMT";
  const { kb, waits } = await aClient([
    at("Sat, 31 Jan 2026 12:00:09 GMT", noon),
    at("Sat, 31 Jan 2026 11:00:00 GMT", noon),
    fine,
  ]);
  await kb.setting();
  expect(waits).toEqual([9000, 0]);
});

test("where the server names no time, each wait is about twice the one before", async () => {
  const { kb, waits } = await aClient([refuse(503), refuse(503, { "Retry-After": "soon" }), hangUp, hangUp, fine], {
    retries: 4,
  });
  await kb.setting();
  expect(waits).toHaveLength(4);
  for (const [index, most] of [500, 1000, 2000, 4000].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(most / 2);
    expect(waits[index]).toBeLessThanOrEqual(most);
  }
});

test("two retries are made unless told otherwise, then the last refusal is thrown with what the server said", async () => {
  const refusal = refuse(429, { "Retry-After": "3", "X-Request-Id": "r-1" });
  const { kb, url, requests } = await aClient([refusal]);
  const error = await failureOf(kb.setting());
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error).toMatchObject({ message: "Not now.", status: 429, retryAfter: 3, requestId: "r-1" });
  expect(requests).toHaveLength(3);

  await failureOf(new Lectern({ url, apiKey: "kb_secret", retries: 0 }).setting());
  expect(requests).toHaveLength(4);
});

test("a wait that would exceed the timeout is not started", async () => {
  const { kb, requests, waits } = await aClient([refuse(429, { "Retry-After": "60" })], { timeout: 30_000 });
  expect(await failureOf(kb.setting())).toMatchObject({ name: "RateLimitError", retryAfter: 60 });
  expect([requests.length, waits]).toEqual([1, []]);
});

test("what will not be better the next time is not repeated", async () => {
  for (const status of [400, 401, 403, 404, 409, 412, 422, 500]) {
    const { kb, requests } = await aClient([refuse(status)]);
    expect(await failureOf(kb.setting())).toMatchObject({ status, message: "Not now." });
    expect(requests).toHaveLength(1);
  }
});

test("a change is repeated with one idempotency key, so that it has one effect", async () => {
  const running = say(409, { error: "Not now.", code: "request_in_progress" });
  for (const trouble of [refuse(429, { "Retry-After": "0" }), refuse(503, { "Retry-After": "0" }), hangUp, running]) {
    const keys: (string | undefined)[] = [];
    const noting =
      (act: Act): Act =>
      (response, request) => {
        keys.push(String(request.headers["idempotency-key"]));
        act(response, request);
      };
    const { kb, requests } = await aClient([noting(trouble), noting(say(200, { team_member: {} }))]);
    const change = (options?: WriteOptions) => kb.teamMembers.update("1", { first_name: "Eva" }, options);
    expect(await change()).toEqual({ team_member: {} });
    expect(requests).toEqual(Array(2).fill("PATCH /api/external/v2/team-members/1"));
    await change();
    await change({ idempotencyKey: "order-1" });
    const [first, second, third, fourth] = keys;
    expect([first, first === second, second === third, fourth]).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      true,
      false,
      "order-1",
    ]);
  }
  const { kb, requests } = await aClient([say(409, { error: "No.", code: "idempotency_key_reused" })]);
  expect(await failureOf(kb.teamMembers.update("1", {}))).toMatchObject({
    name: "ConflictError",
    code: "idempotency_key_reused",
  });
  expect(requests).toHaveLength(1);
});

test("a connection that breaks off is made again, and one that cannot be made says why", async () => {
  const broken = await aClient([hangUp, hangUp, fine]);
  expect((await broken.kb.setting()).knowledge_base_name).toBe("Docs");

  const error = await failureOf((await aClient([hangUp])).kb.setting());
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ status: undefined, request: "GET /api/external/v2/setting" });
  expect(error.cause).toBeInstanceOf(Error);

  const nobody = new Lectern({ url: "http://127.0.0.1:9", apiKey: "kb_secret", retries: 0 });
  expect((await failureOf(nobody.setting())).message).toMatch(/^The connection to http:\/\/127.0.0.1:9 failed: .+\.$/);
});

test("half an answer is asked for again, whether the connection shows it or only the JSON", async () => {
  const short: Act = (response) => {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000" });
    response.write('{"knowledge_base_name":', () => response.destroy());
  };
  const cut = say(200, '{"knowledge_base_name":');
  const { kb, requests } = await aClient([short, cut, fine]);
  expect((await kb.setting()).knowledge_base_name).toBe("Docs");
  expect(requests).toHaveLength(3);
  for (const act of [short, cut]) {
    expect(await failureOf((await aClient([act])).kb.setting())).toBeInstanceOf(ConnectionError);
  }
});

test("a server that never answers, or never ends its answer, runs into the timeout", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const hang: Act = () => vi.advanceTimersByTime(90_000);
  const endless: Act = (response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.write('{"knowledge_base_name":', () => vi.advanceTimersByTime(90_000));
  };
  for (const act of [hang, endless]) {
    const { kb, requests, url } = await aClient([act]);
    const error = await failureOf(kb.setting());
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toBe(
      `No response within 90000 ms. Check that ${url} can be reached, or set a longer timeout.`,
    );
    expect(requests).toHaveLength(1);
  }
});

test("a proxy's page is an error that says so, of its status's class", async () => {
  const page = "<html><h1>502 Bad Gateway</h1></html>";
  const html = (status: number) => say(status, page, { "Content-Type": "text/html" });
  const error = await failureOf((await aClient([html(502)])).kb.setting());
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error.message).toBe(
    "The response is 502 with text/html, which Lectern does not send. Check url, and any proxy in between.",
  );
  expect(await failureOf((await aClient([html(404)])).kb.setting())).toBeInstanceOf(NotFoundError);

  const elsewhere = await aClient([html(200)]);
  const message = `${elsewhere.url} does not return JSON. Check that it is the URL of a workspace.`;
  expect(await failureOf(elsewhere.kb.setting())).toMatchObject({ name: "LecternError", status: 200, message });
  expect(elsewhere.requests).toHaveLength(1);
});

test("a redirect is not followed: the key goes to no other host", async () => {
  const other = await aClient([fine]);
  const { kb, url } = await aClient([say(301, "", { Location: `${other.url}/moved` })]);
  expect(await failureOf(kb.setting())).toMatchObject({
    status: 301,
    message: `${url} redirects to ${other.url}/moved. Set url to the final URL. The client does not follow redirects, because it would send the key along.`,
  });
  expect(other.requests).toEqual([]);
});

test("a call ends when its signal says so: before, during an answer, and between attempts", async () => {
  const reason = new Error("The user went away.");
  const never = await aClient([fine]);
  expect(await failureOf(never.kb.setting({ signal: AbortSignal.abort(reason) }))).toBe(reason);
  expect(never.requests).toEqual([]);

  const during = new AbortController();
  const slow = await aClient([() => during.abort(reason)]);
  expect(await failureOf(slow.kb.articles.list({}, { signal: during.signal }))).toBe(reason);
  expect(slow.requests).toHaveLength(1);

  const between = new AbortController();
  const real = globalThis.setTimeout;
  const clock = vi.spyOn(globalThis, "setTimeout").mockImplementation((work, milliseconds) => {
    if (milliseconds === 60_000) queueMicrotask(() => between.abort(reason));
    return real(work, milliseconds);
  });
  onTestFinished(() => void clock.mockRestore());
  const busy = await aClient([refuse(503, { "Retry-After": "60" })], { sleep: undefined });
  expect(await failureOf(busy.kb.me({ signal: between.signal }))).toBe(reason);
  expect(busy.requests).toHaveLength(1);
});

test("the pages of a list are requested one by one as they are read, and none past the end", async () => {
  const page = (number: number) =>
    say(200, {
      articles: [{ id: `${number}a` }, { id: `${number}b` }],
      matches: [{ id: `${number}c` }],
      pagination: { total_records: 6, total_pages: 3, current_page_number: number, page_size: 2 },
    });
  const read = async (items: AsyncIterable<{ id: string }>, last?: string) => {
    const seen: string[] = [];
    for await (const { id } of items) {
      seen.push(id);
      if (id === last) break;
    }
    return seen;
  };
  const some = await aClient([page(1), page(2), page(3)]);
  expect(await read(some.kb.articles.all({ state: "published", page_size: 2 }), "2a")).toEqual(["1a", "1b", "2a"]);
  expect(some.requests).toEqual(
    [1, 2].map((number) => `GET /api/external/v2/articles?page_size=2&state=published&page_number=${number}`),
  );
  const every = await aClient([page(1), page(2), page(3)]);
  expect(await read(every.kb.searchAll("a b"))).toEqual(["1c", "2c", "3c"]);
  expect(every.requests).toEqual(
    [1, 2, 3].map((number) => `GET /api/external/v2/search?page_size=100&search_term=a+b&page_number=${number}`),
  );
  await every.kb.search("c", { page_number: 3 });
  expect(every.requests[3]).toBe("GET /api/external/v2/search?page_number=3&search_term=c");
});

test("the key is in no error, also when an answer or a failing fetch repeats it", async () => {
  const echo: Act = (response, request) => {
    const key = String(request.headers["x-api-key"]);
    say(422, { error: `No: ${key}`, details: [{ field: key }] })(response, request);
  };
  const { kb } = await aClient([echo]);
  const failure = await failureOf(kb.setting());
  expect(failure.message).toBe("No: (the key)");
  expect(failure.details).toEqual([{ field: "(the key)" }]);

  const failing = new Lectern({
    url: "https://docs.example.com",
    apiKey: "kb_secret",
    retries: 0,
    fetch: async (_, { headers }) => {
      throw new Error(`could not send ${new Headers(headers).get("x-api-key")}`);
    },
  });
  const failed = await failureOf(failing.setting());
  for (const thing of [failure, failed, failing])
    expect(JSON.stringify(thing) + String(thing)).not.toContain("kb_secret");
  expect(JSON.parse(JSON.stringify(failed))).toEqual({
    name: "ConnectionError",
    message: "The connection to https://docs.example.com failed: could not send (the key).",
    request: "GET /api/external/v2/setting",
  });
});

test("invalid options are refused immediately, without repeating the key", () => {
  const options = { url: "https://docs.example.com", apiKey: "kb_secret" };
  for (const url of [
    undefined,
    "",
    "docs.example.com",
    "ftp://docs.example.com",
    "https://docs.example.com/api/external/v2",
  ]) {
    expect(() => new Lectern({ ...options, url })).toThrow("url is not the URL of a workspace");
  }
  for (const apiKey of [undefined, "", "  ", "kb_€secret", "kb_\nsecret"]) {
    expect(() => new Lectern({ ...options, apiKey })).toThrow(
      /^apiKey is empty or contains invalid characters\. (?!.*secret)/,
    );
  }
  for (const timeout of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => new Lectern({ ...options, timeout })).toThrow(`timeout is ${timeout}`);
  }
  for (const retries of [-1, 1.5]) expect(() => new Lectern({ ...options, retries })).toThrow(`retries is ${retries}`);
  expect(() => new Lectern({ ...options, url: "https://docs.example.com/", apiKey: "kb_secret\n" })).not.toThrow();
});

test("an id that would lead elsewhere is refused, any other is sent as one piece of the path", async () => {
  const { kb, requests } = await aClient([fine]);
  for (const id of ["", ".", ".."]) await expect(kb.articles.get(id)).rejects.toThrow(`"${id}" is not an ID`);
  expect(requests).toEqual([]);
  await kb.articles.get("../team-members?x=ü#");
  expect(requests).toEqual(["GET /api/external/v2/articles/..%2Fteam-members%3Fx%3D%C3%BC%23"]);
});
