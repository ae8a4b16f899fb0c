import type { z } from "zod";
import { allows, type Scope } from "@/lib/api-keys/scopes";
import { type Db, inWorkspace, type Read, readWorkspace } from "@/lib/db";
import type { InvalidField } from "@/lib/errors";
import { noteOfRequest } from "@/lib/http/request";
import { log } from "@/lib/log";
import { readAs, type Seen } from "@/lib/visibility";
import { acceptsJson, answerConditional, answerJson, assertMatch } from "./answer";
import { forbidden, HttpError, notFound } from "./errors";
import { bodyOf, checkedBody, queryOf, unprocessable } from "./input";
import { type ApiKey, type ApiWorkspace, authenticate } from "./keys";
import { countRequest } from "./rate-limit";

/** Leaves room to answer within three seconds (contract 61). */
const WRITE_SECONDS = 2;

interface Input<Query extends z.ZodObject, Params extends z.ZodObject> {
  workspace: ApiWorkspace;
  key: ApiKey;
  query: z.output<Query>;
  params: z.output<Params>;
  actor: { kind: "api_key"; id: string; name: string; ip?: string; requestId: string };
}

interface Spec<Query extends z.ZodObject, Params extends z.ZodObject, Answer extends z.ZodType> {
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  /** The scope that the key needs. Null if any key will do. */
  scope: Scope | null;
  /** Describes the 200 answer in one sentence. */
  returns: string;
  example: z.input<Answer>;
  /** An example of an error in a 422 answer. Defaults to a page number's. */
  invalid?: InvalidField;
  /** When the operation answers 410, and with which message. */
  gone?: { description: string; message: string };
  /** The path's parameters. An invalid value is an unknown id (contract 13). */
  params: Params;
  query: Query;
  response: Answer;
  noStore?: boolean;
  /** Counts against the search limit too (contract 55). */
  search?: boolean;
}

interface ReadSpec<Query extends z.ZodObject, Params extends z.ZodObject, Answer extends z.ZodType, Prepared>
  extends Spec<Query, Params, Answer> {
  /** Runs before the wall opens, for waits that must not hold a connection. `handle` gets what it returns. */
  prepare?(input: Input<Query, Params>): Promise<Prepared>;
  /** Must answer only what `seen` allows: a key without content.read sees what visitors see. */
  handle(
    input: Input<Query, Params> & { read: Read; seen: Seen; isHead: boolean; prepared: Prepared | undefined },
  ): Promise<z.input<Answer>>;
}

interface WriteSpec<
  Query extends z.ZodObject,
  Params extends z.ZodObject,
  Answer extends z.ZodType,
  Body extends z.ZodObject,
> extends Spec<Query, Params, Answer> {
  body: Body;
  /**
   * Checks the valid fields against the database when other fields or the path are invalid, so that the answer names
   * every failing field (contract 20). `params` is unvalidated then: compare it, but never pass it to the database.
   */
  conflicts?(input: Input<Query, Params> & { read: Read; body: Partial<z.output<Body>> }): Promise<InvalidField[]>;
  /**
   * Runs before the change and outside its transaction, and may refuse it. The function it returns runs after the change;
   * if that fails, the change stays and the error is logged.
   */
  before?(input: Input<Query, Params> & { body: z.output<Body> }): Promise<(() => Promise<unknown>) | undefined>;
  /** Must call `ifMatch` with the current GET answer before changing anything. */
  handle(
    input: Input<Query, Params> & { db: Db; body: z.output<Body>; ifMatch: (current: z.input<Answer>) => void },
  ): Promise<z.input<Answer>>;
}

export interface Call {
  request: Request;
  requestId: string;
  workspace: ApiWorkspace;
  /** The path's parameters, unvalidated. */
  params: Record<string, string>;
  /** Headers for the answer, errors included. */
  answerHeaders: Headers;
}

/** One external API call: the literal that authenticates, validates, serializes and documents it. */
export interface Operation {
  (call: Call): Promise<Response>;
  spec: Spec<z.ZodObject, z.ZodObject, z.ZodType> & { body?: z.ZodObject };
}

export function readOperation<
  Query extends z.ZodObject,
  Params extends z.ZodObject,
  Answer extends z.ZodType,
  Prepared = undefined,
>(spec: ReadSpec<Query, Params, Answer, Prepared>): Operation {
  return guarded(spec, async ({ request }, input) => {
    const isHead = request.method === "HEAD";
    const prepared = await spec.prepare?.(input);
    const viewer = allows(input.key.scopes, "content.read") ? "member" : "anyone";
    const answer = await readAs(input.workspace, viewer, (seen) =>
      spec.handle({ ...input, read: seen.read, seen, isHead, prepared }),
    );
    return answerConditional(request, jsonOf(spec.response, answer), spec.noStore);
  });
}

export function writeOperation<
  Query extends z.ZodObject,
  Params extends z.ZodObject,
  Answer extends z.ZodType,
  Body extends z.ZodObject,
>(spec: WriteSpec<Query, Params, Answer, Body>): Operation {
  return guarded(spec, async ({ request }, { isIdValid, ...input }, json) => {
    const { data, invalid } = checkedBody(spec.body, json as object);
    if (invalid.length > 0 || !isIdValid) {
      const conflicts = await readWorkspace(
        input.workspace.id,
        async (read) => spec.conflicts?.({ ...input, read, body: data }) ?? [],
      );
      const all = [...invalid, ...conflicts];
      throw all.length > 0 ? unprocessable(all) : notFound();
    }
    const body = data as z.output<Body>;
    const afterChange = await spec.before?.({ ...input, body });
    const ifMatch = (current: z.input<Answer>) => assertMatch(request, jsonOf(spec.response, current));
    const answer = await inWorkspace(
      input.workspace.id,
      (db) => spec.handle({ ...input, db, body, ifMatch }),
      WRITE_SECONDS,
    );
    await afterChange?.().catch((error: unknown) => log().error({ err: error }, "The steps after a change failed."));
    return answerJson(jsonOf(spec.response, answer), spec.noStore);
  });
}

/**
 * Runs the contract's checks in order: key, limits, scope, Accept, body, validation, existence, If-Match. Host, route
 * and method are checked before (lib/api/route.ts).
 */
function guarded<Query extends z.ZodObject, Params extends z.ZodObject, Answer extends z.ZodType>(
  spec: Spec<Query, Params, Answer> & { body?: z.ZodObject },
  run: (call: Call, input: Input<Query, Params> & { isIdValid: boolean }, json?: object) => Promise<Response>,
): Operation {
  const operation = async (call: Call) => {
    const { request, requestId, workspace, answerHeaders } = call;
    // The front door has replaced this header by the verified address.
    const ip = request.headers.get("x-forwarded-for");
    const use = { ip, route: routeOf(request, call.params) };
    const key = await authenticate(workspace, request.headers.get("x-api-key"), use);
    noteOfRequest({ keyId: key.id });
    await countRequest(key.id, spec.search ?? false, answerHeaders);
    if (spec.scope && !allows(key.scopes, spec.scope)) throw forbidden(spec.scope);
    if (!acceptsJson(request.headers.get("accept"))) {
      throw new HttpError(406, "This API only returns JSON. Send Accept: application/json, or no Accept header.");
    }
    const json = spec.body && (await bodyOf(request));
    const query = queryOf(spec.query, new URL(request.url).searchParams);
    // An invalid id is an unknown one (contract 13). A write first reports what is wrong with its body.
    const { data, success: isIdValid } = spec.params.safeParse(call.params);
    if (!isIdValid && !spec.body) throw notFound();
    const params = data ?? (call.params as z.output<Params>);
    const actor = { kind: "api_key" as const, id: key.id, name: key.name, ip: ip ?? undefined, requestId };
    return run(call, { workspace, key, query, params, actor, isIdValid }, json);
  };
  return Object.assign(operation, { spec });
}

/** Drops every field that the response schema does not declare, so that no new column can leak. */
function jsonOf(schema: z.ZodType, answer: unknown): string {
  return JSON.stringify(schema.parse(answer));
}

/** Such as "GET /v2/articles/{article_id}", without the ids. */
function routeOf(request: Request, params: Record<string, string>): string {
  const segments = new URL(request.url).pathname.replace(/^\/api\/external/, "").split("/");
  for (const [name, value] of Object.entries(params).reverse()) {
    const place = segments.findLastIndex((segment) => {
      const plain = decodeURIComponent(segment);
      // Next and the front door differ in whether they decode parameters.
      return [segment, plain, encodeURIComponent(plain)].includes(value);
    });
    if (place >= 0) segments[place] = `{${name}}`;
  }
  return `${request.method === "HEAD" ? "GET" : request.method} ${segments.join("/")}`;
}
