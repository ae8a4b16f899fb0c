import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, test } from "vitest";
import { breakingChanges } from "@/lib/api/compatibility";
import { errorCodes } from "@/lib/api/errors";
import { type DocumentedVersion, openApiDocument } from "@/lib/api/openapi";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { inWorkspace } from "@/lib/db";
import { createMember } from "@/lib/members/members";
import { aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { refusal } from "./testing.operations";
import { version as v1 } from "./v1/_document/document";
import { former } from "./v1/_shapes/former";
import { routes as v1Routes } from "./v1/routes";
import { version as v2 } from "./v2/_document/document";
import { routes as v2Routes } from "./v2/routes";

const versions: [string, DocumentedVersion, typeof v1Routes | typeof v2Routes][] = [
  ["v1", v1, v1Routes],
  ["v2", v2, v2Routes],
];

const folder = join(import.meta.dirname, "../../../docs/openapi");
const snapshotOf = (name: string): any => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));

let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await aWorkspace();
});

/** The second path wins (lib/api/http.ts), and an article can be named by its id. */
const ambiguous = [
  "no-ambiguous-paths",
  "Paths should resolve unambiguously. Found two ambiguous paths: `/articles/{article_id}/publish` and `/articles/by-external-id/{external_id}`.",
  "#/paths/~1articles~1by-external-id~1{external_id}",
];

describe.each(versions)("the document of %s", (name, version, routes) => {
  const document: any = openApiDocument(version);
  const operations = Object.entries<Record<string, any>>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );

  test("takes nothing from clients of the committed one", () => {
    const broken = breakingChanges(snapshotOf(name), document);
    expect(broken, "Clients would break: make the change an addition, or see npm run openapi").toEqual([]);
  });

  test("is the committed one", () => {
    expect(document, `docs/openapi/${name}.json is out of date. Run npm run openapi`).toEqual(snapshotOf(name));
  });

  test("has no keywords that only Lectern knows", () => {
    expect(JSON.stringify(document)).not.toMatch(/"mistakenFor"/);
  });

  test("passes the strict rules of a linter, none of them switched off", async () => {
    const config = await createConfig({ extends: ["recommended-strict"] });
    const problemsOf = async (value: object) => {
      const source = JSON.stringify(value);
      const problems = await lintFromString({ source, absoluteRef: join(folder, `${name}.json`), config });
      return problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]);
    };
    const known = name === "v2" ? [ambiguous] : [];
    expect(await problemsOf(document)).toEqual(known);
    const { license: _, ...info } = document.info;
    expect((await problemsOf({ ...document, info })).map(([rule]) => rule)).toEqual([
      "info-license",
      ...known.map(([rule]) => rule),
    ]);
  });

  test("describes every operation, parameter, body, answer, header and field", () => {
    const undescribed: string[] = [];
    const walk = (node: any, place: string, wants: boolean) => {
      if (node === null || typeof node !== "object") return;
      if (wants && !node.description && !node.$ref) undescribed.push(place);
      for (const [key, value] of Object.entries<any>(node)) {
        if (["example", "examples", "security"].includes(key)) continue;
        const each = ["properties", "parameters", "responses", "headers", "schemas", "variables", "tags"].includes(key);
        if (each) for (const [inner, part] of Object.entries(value)) walk(part, `${place} ${inner}`, true);
        else
          walk(
            value,
            `${place} ${key}`,
            ["get", "post", "put", "patch", "delete", "requestBody", "info", "ApiKey"].includes(key),
          );
      }
    };
    walk(document, name, false);
    expect(undescribed).toEqual([]);
    expect(operations.map(({ operation }) => operation.tags[0])).toEqual(
      operations.map(({ operation }) => document.tags.find((tag: any) => tag.name === operation.tags[0])?.name),
    );
    expect(document.tags.every((tag: any) => operations.some(({ operation }) => operation.tags[0] === tag.name))).toBe(
      true,
    );
  });

  test("has an example of every body and of every parameter, each of which fits, with nothing undocumented", () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
    const closed = JSON.parse(JSON.stringify(document), (_, value) =>
      value?.type === "object" && value.properties && !value.additionalProperties
        ? { ...value, additionalProperties: false }
        : value,
    );
    ajv.addSchema({ components: closed.components }, "document");
    const problems: unknown[] = [];
    let examples = 0;
    const hold = (place: string, schema: any, example: unknown) => {
      examples++;
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
      const validate = ajv.compile(absolute);
      if (example === undefined || !validate(example)) problems.push([place, example, validate.errors]);
    };
    const resolved = (node: any) =>
      node.$ref
        ? node.$ref
            .slice(2)
            .split("/")
            .reduce((inner: any, part: string) => inner[part], document)
        : node;
    for (const { name: operationName, operation } of operations) {
      for (const reference of operation.parameters) {
        const { name: parameter, schema } = resolved(reference);
        hold(`${operationName} ${parameter}`, schema, schema.examples?.[0]);
      }
      const fields = resolved(operation.requestBody?.content["application/json"]?.schema ?? {}).properties ?? {};
      for (const [field, schema] of Object.entries<any>(fields))
        hold(`${operationName} ${field}`, schema, schema.examples?.[0]);
      for (const [status, reference] of Object.entries(operation.responses)) {
        const { headers, content } = resolved(reference);
        for (const [header, node] of Object.entries(headers)) {
          const { schema } = resolved(node);
          hold(`${operationName} ${status} ${header}`, schema, schema.examples[0]);
        }
        const body = content?.["application/json"];
        if (body) hold(`${operationName} ${status}`, body.schema, body.example);
      }
    }
    expect(problems).toEqual([]);
    expect(examples).toBeGreaterThan(500);
  });

  test("gives as examples of errors what really is answered", async () => {
    const handler = (path: string) => (routes as Record<string, (typeof v2Routes)["/me"]>)[path]!;
    const members = name === "v1" ? "/team_members" : "/team-members";
    const reader = await inWorkspace(workspace.id, (db) =>
      createApiKey(db, { name: "reader", scopes: ["content.read", "members.read"] }, workspace.actor),
    );
    const other = await inWorkspace(workspace.id, (db) =>
      createMember(
        db,
        { email: `${name}@example.com`, firstName: "E", lastName: "E", role: "Editor" },
        workspace.actor,
      ),
    );
    type Options = Parameters<typeof call>[3] & { host?: string };
    const bodyOf = async (path: string, { host, ...options }: Options = {}, query = "", id = workspace.admin.id) => {
      const address = version.basePath + path.replace(/\{\w+\}/, id) + query;
      return call(handler(path), { ...workspace, subdomain: host ?? workspace.subdomain }, address, options);
    };
    const exampleOf = (path: string, method: string, status: number) => {
      const declared = document.paths[path][method.toLowerCase()].responses[status];
      const answer = declared.$ref ? document.components.responses[declared.$ref.split("/").at(-1)] : declared;
      return answer.content["application/json"].example;
    };
    const patch = (options: Options): Options => ({ method: "PATCH", body: {}, ...options });
    const one = `${members}/{team_member_id}`;
    type Row = [path: string, status: number, Options, query?: string, id?: string];
    // Next itself decides which paths are valid (docs/contract.md, rows 29 and 30).
    const isFrontDoor = process.env.CONTRACT_TARGET !== "next";
    const atTheFrontDoor: Row[] = [
      ["/me", 414, {}, `?q=${"x".repeat(9000)}`],
      ["/me", 400, {}, "?q=%"],
    ];
    const options: Row[] = [
      ["/me", 401, { key: null }],
      ["/me", 404, { host: "nobody-here" }],
      ["/me", 406, { headers: { accept: "text/html" } }],
      ...(isFrontDoor ? atTheFrontDoor : []),
      ["/categories", 422, {}, "?page_number=0"],
      ["/articles", 422, {}, "?page_number=0"],
      ["/articles/{article_id}", 404, {}, "", "nothing"],
      ["/articles/{article_id}", 422, {}, "?category=some", "nothing"],
      ["/search", 422, {}],
      [members, 422, {}, "?page_number=0"],
      [one, 404, {}, "", "nobody"],
      [one, 400, patch({ body: "{" })],
      [one, 403, patch({ key: reader.text })],
      [one, 412, patch({ headers: { "if-match": '"old"' } })],
      [one, 413, patch({ body: { first_name: "x".repeat(70_000) } })],
      [one, 415, patch({ headers: { "content-type": "text/plain" } })],
      [one, 422, patch({ body: { email: other.email } })],
    ];
    for (const [path, status, request, query, id] of options) {
      const answer = await bodyOf(path, request, query, id);
      expect([path, answer.status, answer.body]).toEqual([
        path,
        status,
        exampleOf(path, request.method ?? "GET", status),
      ]);
    }
  });

  test("is served at the workspace's own address without a key, and names no other", async () => {
    const path = `${version.basePath}/openapi.json`;
    const answer = await call(routes["/openapi.json"], workspace, path, { key: null });
    const { servers, ...rest } = answer.body;
    expect(answer.status).toBe(200);
    expect(servers).toEqual([
      { url: `http://${workspace.subdomain}.localhost:3000${version.basePath}`, description: "This workspace." },
    ]);
    expect({ ...rest, servers: document.servers }).toEqual(document);
    const again = await call(routes["/openapi.json"], workspace, path, {
      key: null,
      headers: { "if-none-match": answer.headers.get("etag") ?? "" },
    });
    expect([again.status, again.body]).toEqual([304, null]);
    expect((await call(routes["/openapi.json"], workspace, path, { method: "HEAD", key: null })).status).toBe(200);
    expect((await call(routes["/openapi.json"], workspace, path, { headers: { accept: "text/yaml" } })).status).toBe(
      406,
    );
    const nobody = await call(routes["/openapi.json"], { ...workspace, subdomain: "nobody-here" }, path);
    expect([nobody.status, nobody.body]).toEqual([
      404,
      refusal(path, "unknown_workspace", "Workspace not found. Check the subdomain in the URL."),
    ]);
  });
});

test("every code of an error is in the document and the manual, and none is gone", () => {
  const codes = Object.entries(errorCodes).map(([code, [status, meaning]]) => ({ code, status, meaning }));
  const { description, enum: known }: any = openApiDocument(v2).components?.schemas?.ErrorCode;
  const page = readFileSync(join(folder, "../../prisma/manual/integrate/basics/errors.md"), "utf8");
  expect(known).toEqual(codes.map(({ code }) => code));
  for (const { code, status, meaning } of codes) {
    expect(description).toContain(`\`${code}\` (${status}): ${meaning}`);
    expect(page).toContain(`| \`${code}\` | ${status} | ${meaning.replace(/\.$/, "")} |`);
  }
  expect(known).toEqual(expect.arrayContaining(snapshotOf("v2").components.schemas.ErrorCode.enum));
  expect(openApiDocument(v1).components?.schemas).not.toHaveProperty("ErrorCode");
});

test("every error that the manual shows has a code", () => {
  const manual = join(folder, "../../prisma/manual");
  const pages = readdirSync(manual, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
  const shown = pages.flatMap((path) => readFileSync(join(manual, path), "utf8").match(/^\{ ?"error":.*\}$/gm) ?? []);
  expect(shown).not.toEqual([]);
  for (const error of shown) {
    const { code } = JSON.parse(error) as { code?: string };
    expect([error, Object.keys(errorCodes)]).toEqual([error, expect.arrayContaining([code])]);
  }
});

test("v1 has the operations of v2 that existed with it, with the same answers", () => {
  const shapes = (version: DocumentedVersion) =>
    Object.entries<any>(withoutCodes(openApiDocument(version).paths ?? {})).flatMap(([path, methods]) =>
      Object.entries<any>(methods).map(([method, { operationId, parameters, requestBody, responses }]) => ({
        operation: `${method} ${path.replace("team_members", "team-members")}`,
        operationId,
        parameters: parameters.filter(({ name }: { name: string }) => !former.ignores.includes(name)),
        requestBody,
        answers: Object.entries<any>(responses).map(([status, { $ref, content }]) => [status, $ref, content]),
      })),
    );
  // Errors of v1 have no code, and its answers lack some fields.
  const withoutCodes = (node: object): object =>
    JSON.parse(JSON.stringify(node), (name, value) => {
      if (value?.error && value.code) delete value.code;
      return former.omits.includes(name) ? undefined : value;
    });
  const existed = shapes(v1).map(({ operationId }) => operationId);
  expect(shapes(v1)).toEqual(shapes(v2).filter(({ operationId }) => existed.includes(operationId)));
  expect(existed).toHaveLength(9);
});
