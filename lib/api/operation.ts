import type { z } from "zod";
import { type Db, inWorkspace, type Read, readWorkspace } from "@/lib/db";
import type { InvalidField } from "@/lib/errors";
import { log } from "@/lib/log";
import { noteOfRequest } from "@/lib/request";
import { acceptsJson, answerConditional, answerJson, assertMatch } from "./answer";
import type { Documented } from "./documented";
import { HttpError, notFound } from "./errors";
import { bodyOf, checkedBody, queryOf, unprocessable } from "./input";
import { type ApiKey, type ApiWorkspace, authenticate } from "./keys";
import { countRequest } from "./limits";

/** The most a write may take: an answer comes within three seconds, whatever it waits for (contract 61). */
const WRITE_SECONDS = 2;

/** What an operation is given, all of it proven or checked. */
interface Asked<Query extends z.ZodObject, Params extends z.ZodObject> {
  workspace: ApiWorkspace;
  key: ApiKey;
  query: z.output<Query>;
  params: z.output<Params>;
  /** Who acts, as an audit entry remembers it. */
  actor: { kind: "api_key"; id: string; name: string; ip?: string; requestId: string };
}

interface Described<Query extends z.ZodObject, Params extends z.ZodObject, Answer extends z.ZodType>
  extends Documented<Answer> {
  /** The path's parameters; a value that does not fit is an unknown id (contract 13). */
  params: Params;
  query: Query;
  response: Answer;
  /** Team members and the key itself are kept by no cache (contract 57). */
  noStore?: boolean;
  /** Counts against the limit of searches too (contract 55). */
  search?: boolean;
}

interface ReadSpec<Query extends z.ZodObject, Params extends z.ZodObject, Answer extends z.ZodType>
  extends Described<Query, Params, Answer> {
  permission: "read";
  /** `isHead`: the client wants to know what would be answered, and reads no answer (contract 59). */
  handle(asked: Asked<Query, Params> & { read: Read; isHead: boolean }): Promise<z.input<Answer>>;
}

interface WriteSpec<
  Query extends z.ZodObject,
  Params extends z.ZodObject,
  Answer extends z.ZodType,
  Body extends z.ZodObject,
> extends Described<Query, Params, Answer> {
  permission: "read_write";
  body: Body;
  /**
   * What the database finds wrong with the fields that have the right form. Asked when others have not, or the address
   * names nothing, so that an answer names every failing field (contract 20); otherwise `handle` finds out itself. The
   * parameters are then what the address holds, whatever that is: to be compared, never handed to the database.
   */
  conflicts?(asked: Asked<Query, Params> & { read: Read; body: Partial<z.output<Body>> }): Promise<InvalidField[]>;
  /**
   * Asked before anything is changed, outside of the change's transaction; may refuse. What it gives is called when the
   * change is made, such as to count it; when that fails, the change stays and the log says so.
   */
  before?(asked: Asked<Query, Params> & { body: z.output<Body> }): Promise<(() => Promise<unknown>) | undefined>;
  /** `ifMatch` is called with what a GET answers now, before anything is changed. */
  handle(
    asked: Asked<Query, Params> & { db: Db; body: z.output<Body>; ifMatch: (current: z.input<Answer>) => void },
  ): Promise<z.input<Answer>>;
}

/** One request that has come to its operation. */
export interface Call {
  request: Request;
  requestId: string;
  workspace: ApiWorkspace;
  /** The path's parameters as they are in the address. */
  params: Record<string, string>;
  /** Headers of the answer, whatever it will be. */
  told: Headers;
}

/** One external API call: the literal that authenticates, validates, serializes and documents it. */
export interface Operation {
  (call: Call): Promise<Response>;
  spec: Described<z.ZodObject, z.ZodObject, z.ZodType> & { permission: "read" | "read_write"; body?: z.ZodObject };
}

/** The declaration of a GET, as an operation. See `guarded` for the order of its checks. */
export function readOperation<Query extends z.ZodObject, Params extends z.ZodObject, Answer extends z.ZodType>(
  spec: ReadSpec<Query, Params, Answer>,
): Operation {
  return guarded(spec, async ({ request }, asked) => {
    const isHead = request.method === "HEAD";
    const answer = await readWorkspace(asked.workspace.id, (read) => spec.handle({ ...asked, read, isHead }));
    return answerConditional(request, jsonOf(spec.response, answer), spec.noStore);
  });
}

/** The declaration of a PATCH, as an operation. See `guarded` for the order of its checks. */
export function writeOperation<
  Query extends z.ZodObject,
  Params extends z.ZodObject,
  Answer extends z.ZodType,
  Body extends z.ZodObject,
>(spec: WriteSpec<Query, Params, Answer, Body>): Operation {
  return guarded(spec, async ({ request }, { isName, ...asked }, sent) => {
    const { data, invalid } = checkedBody(spec.body, sent as object);
    if (invalid.length > 0 || !isName) {
      const fitting = data as Partial<z.output<Body>>;
      const others = await readWorkspace(
        asked.workspace.id,
        async (read) => spec.conflicts?.({ ...asked, read, body: fitting }) ?? [],
      );
      const all = [...invalid, ...others];
      throw all.length > 0 ? unprocessable(all) : notFound();
    }
    const body = data as z.output<Body>;
    const made = await spec.before?.({ ...asked, body });
    const ifMatch = (current: z.input<Answer>) => assertMatch(request, jsonOf(spec.response, current));
    const answer = await inWorkspace(
      asked.workspace.id,
      (db) => spec.handle({ ...asked, db, body, ifMatch }),
      WRITE_SECONDS,
    );
    // The change is made and cannot be taken back: what fails now is for whoever reads the log.
    await made?.().catch((error: unknown) => log().error({ err: error }, "What follows a change was not done."));
    return answerJson(jsonOf(spec.response, answer), spec.noStore);
  });
}

/**
 * The checks of every operation in the contract's order: key, its limits, permission, Accept, body, validation,
 * existence, If-Match. Host, route and method come before (lib/api/route.ts).
 */
function guarded<Query extends z.ZodObject, Params extends z.ZodObject, Answer extends z.ZodType>(
  spec: Described<Query, Params, Answer> & { permission: "read" | "read_write"; body?: z.ZodObject },
  run: (call: Call, asked: Asked<Query, Params> & { isName: boolean }, sent?: object) => Promise<Response>,
): Operation {
  const operation = async (call: Call) => {
    const { request, requestId, workspace, told } = call;
    // One truthful address: the front door settled it (lib/front-door.ts).
    const ip = request.headers.get("x-forwarded-for");
    const use = { ip, route: routeOf(request, call.params) };
    const key = await authenticate(workspace, request.headers.get("x-api-key"), use);
    noteOfRequest({ keyId: key.id });
    await countRequest(key.id, spec.search ?? false, told);
    if (spec.permission === "read_write" && key.permission !== "read_write") {
      throw new HttpError(403, "This API key may only read: use a key with the permission read_write.");
    }
    if (!acceptsJson(request.headers.get("accept"))) {
      throw new HttpError(406, "This API answers JSON only: send Accept: application/json, or no Accept header.");
    }
    const sent = spec.body && (await bodyOf(request));
    const query = queryOf(spec.query, new URL(request.url).searchParams);
    // What cannot be an id is an unknown one (contract 13): a write says first what is wrong with its body.
    const { data, success: isName } = spec.params.safeParse(call.params);
    if (!isName && !spec.body) throw notFound();
    const params = data ?? (call.params as z.output<Params>);
    const actor = { kind: "api_key" as const, id: key.id, name: key.name, ip: ip ?? undefined, requestId };
    return run(call, { workspace, key, query, params, actor, isName }, sent);
  };
  return Object.assign(operation, { spec });
}

/** Always through the response schema: a column that the declaration does not name cannot leave the house. */
function jsonOf(schema: z.ZodType, answer: unknown): string {
  return JSON.stringify(schema.parse(answer));
}

/** The operation that a request is for, such as "GET /v2/articles/{article_id}"; the ids themselves stay out of it. */
function routeOf(request: Request, given: Record<string, string>): string {
  const segments = new URL(request.url).pathname.replace(/^\/api\/external/, "").split("/");
  for (const [name, value] of Object.entries(given).reverse()) {
    const place = segments.findLastIndex((segment) => {
      const plain = decodeURIComponent(segment);
      // Whoever routes a request may give its parameters decoded or not.
      return [segment, plain, encodeURIComponent(plain)].includes(value);
    });
    if (place >= 0) segments[place] = `{${name}}`;
  }
  return `${request.method === "HEAD" ? "GET" : request.method} ${segments.join("/")}`;
}
