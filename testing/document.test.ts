import { describe, expect, test } from "vitest";
import { assertDocumented, type Exchange } from "./document";

const always = { "x-request-id": "1", "x-content-type-options": "nosniff" };
const cached = { ...always, "cache-control": "no-store", vary: "X-Api-Key" };
const json = { ...cached, "content-type": "application/json; charset=utf-8" };
const link = '</api/external/v2/setting>; rel="successor-version"';

const limits = { ratelimit: '"key";r=599;t=60', "ratelimit-policy": '"key";q=600;w=60' };
const answered = { ...json, ...limits, etag: 'W/"x"' };

const setting = { knowledge_base_name: "Help", url: "https://docs.example.com" };
const error = { error: "No.", code: "not_found" };

/** The answer of `GET /setting`, with changes. */
function problemWith(change: Partial<Omit<Exchange, "headers">> & { headers?: Record<string, string> }): string | null {
  const { headers = answered, ...rest } = change;
  const whole = { method: "GET", path: "/api/external/v2/setting", status: 200, body: setting, ...rest };
  try {
    assertDocumented({ ...whole, headers: new Headers(headers) });
  } catch (problem) {
    return (problem as Error).message.split("\n").slice(1, -1).join("\n");
  }
  return null;
}

describe("what is documented passes:", () => {
  test.each<[string, Parameters<typeof problemWith>[0]]>([
    ["an answer", {}],
    ["an answer whose headers a transport added to", { headers: { ...answered, date: "now", connection: "close" } }],
    ["an answer without a body", { status: 304, headers: { ...cached, ...limits, etag: 'W/"x"' }, body: null }],
    ["an answer to HEAD", { method: "HEAD", body: null }],
    ["an error", { status: 404, headers: json, body: error }],
    ["an error with the limits of its key", { status: 406, headers: { ...json, ...limits }, body: error }],
    ["an answer of v1", { path: "/api/external/v1/setting", headers: { ...answered, link } }],
    [
      "an answer of a path with an id",
      { path: "/api/external/v2/articles/x?y", status: 404, headers: json, body: error },
    ],
    ["OPTIONS", { method: "OPTIONS", status: 204, headers: { ...always, allow: "GET, HEAD, OPTIONS" }, body: null }],
    ["405", { method: "PUT", status: 405, headers: { ...json, allow: "GET, HEAD, OPTIONS" }, body: error }],
    [
      "405 of a path with a write",
      {
        method: "PUT",
        path: "/api/external/v2/team-members/1",
        status: 405,
        headers: { ...json, allow: "GET, PATCH, HEAD, OPTIONS" },
        body: error,
      },
    ],
    ["404 of a path there is not", { path: "/api/external/v1/nothing", status: 404, headers: json, body: error }],
    ["404 of a version there is not", { path: "/api/external/v3/me", status: 404, headers: json, body: error }],
    [
      "what the parser refuses",
      {
        status: 431,
        headers: {
          "x-content-type-options": "nosniff",
          "cache-control": "no-store",
          "content-type": "application/json",
          connection: "close",
        },
        body: { error: "No." },
      },
    ],
    [
      "the document itself",
      {
        path: "/api/external/v2/openapi.json",
        body: { openapi: "3.1.1", paths: {}, info: {} },
        headers: { ...json, etag: 'W/"x"' },
      },
    ],
  ])("%s", (_, change) => {
    expect(problemWith(change)).toBeNull();
  });
});

describe("what is not documented fails:", () => {
  test.each<[string, Parameters<typeof problemWith>[0], string]>([
    [
      "a status",
      { status: 418, body: error },
      "the status is none of 200, 304, 400, 401, 403, 404, 406, 414, 429, 500, 503",
    ],
    [
      "a status of another method",
      { status: 413, body: error },
      "the status is none of 200, 304, 400, 401, 403, 404, 406, 414, 429, 500, 503",
    ],
    ["a header", { headers: { ...answered, "x-powered-by": "us" } }, "the header x-powered-by is not documented"],
    ["a header that is missing", { headers: { ...json, ...limits } }, "the header etag is missing"],
    [
      "an answer to a good key that says nothing of its limits",
      { headers: { ...json, etag: 'W/"x"' } },
      "the header ratelimit-policy is missing\nthe header ratelimit is missing",
    ],
    [
      "a header of no use",
      { status: 503, headers: { ...json, "retry-after": "soon" }, body: error },
      "the header retry-after is soon",
    ],
    [
      "a field",
      { body: { ...setting, secret: 1 } },
      'the body must NOT have additional properties {"additionalProperty":"secret"}',
    ],
    [
      "a field in an error",
      { status: 404, headers: json, body: { ...error, details: [] } },
      'the body must NOT have additional properties {"additionalProperty":"details"}',
    ],
    [
      "a code in an error of v1",
      { path: "/api/external/v1/setting", status: 404, headers: { ...json, link }, body: error },
      'the body must NOT have additional properties {"additionalProperty":"code"}',
    ],
    [
      "a field that is missing",
      { body: { url: setting.url } },
      'the body must have required property \'knowledge_base_name\' {"missingProperty":"knowledge_base_name"}',
    ],
    [
      "a value of another form",
      { body: { ...setting, url: "docs" } },
      'the body/url must match format "uri" {"format":"uri"}',
    ],
    [
      "another content type",
      { headers: { ...answered, "content-type": "text/html" } },
      "the content type is text/html",
    ],
    [
      "a body of an answer that has none",
      { status: 304, headers: { ...cached, ...limits, etag: 'W/"x"' } },
      "there is a body",
    ],
    ["no body", { body: null }, 'the body must be object {"type":"object"}'],
    ["an answer of v1 without its successor", { path: "/api/external/v1/setting" }, "the header link is missing"],
    ["an answer of v2 with one", { headers: { ...answered, link } }, "the header link is not documented"],
    [
      "success at a path there is not",
      { path: "/api/external/v2/settings" },
      "the status is none of 400, 404, 414, 500, 503",
    ],
    [
      "OPTIONS that leaves out a method",
      { method: "OPTIONS", status: 204, headers: { ...always, allow: "GET" }, body: null },
      "the header allow is GET",
    ],
    [
      "405 without its methods",
      { method: "PUT", status: 405, headers: json, body: error },
      "the header allow is missing",
    ],
    [
      "limits where no key was asked for",
      { path: "/api/external/v2/openapi.json", status: 404, headers: { ...json, ratelimit: "x" }, body: error },
      "the header ratelimit is not documented",
    ],
  ])("%s", (_, change, problem) => {
    expect(problemWith(change)).toBe(problem);
  });

  test("a field deep inside, which is named with its place", () => {
    const category = { id: "5f2c7d1e-8a4b-4c6d-9e0f-1a2b3c4d5e6f", name: "C", more: 1 };
    const [created_at, full_url] = ["2026-01-12T09:30:00.000Z", "https://docs.example.com/articles/s"];
    const dates = { created_at, updated_at: created_at, full_url };
    const article = {
      id: category.id,
      slug: "s",
      title: "t",
      state: "draft",
      visibility: "public",
      unique_views_count: 0,
      category,
      ...dates,
    };
    const pagination = { total_records: 1, total_pages: 1, current_page_number: 1, page_size: 30 };
    expect(problemWith({ path: "/api/external/v2/articles", body: { articles: [article], pagination } })).toBe(
      'the body/articles/0/category must NOT have additional properties {"additionalProperty":"more"}',
    );
  });
});
