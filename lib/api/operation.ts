import type { z } from "zod";
import { type Db, inWorkspace, type Read, readWorkspace } from "@/lib/db";
import { acceptsJson, answerConditional, answerJson, assertMatch } from "./answer";
import { HttpError, notFound } from "./errors";
import { bodyOf, queryOf, validBody } from "./input";
import { type ApiKey, type ApiWorkspace, authenticate } from "./keys";

/** The most a write may take: an answer comes within three seconds, whatever it waits for (contract 61). */
const WRITE_SECONDS = 2;

/** What an operation is given, all of it proven or checked. */
interface Asked<Query extends z.ZodObject, Params extends z.ZodObject> {
  workspace: ApiWorkspace;
  key: ApiKey;
  query: z.output<Query>;
  params: z.output<Params>;
}

interface Described<Query extends z.ZodObject, Params extends z.ZodObject, Answer extends z.ZodType> {
  /** One line, as the reference shows it. */
  summary: string;
  /** The path's parameters; a value that does not fit is an unknown id (contract 13). */
  params: Params;
  query: Query;
  response: Answer;
  /** Team members and the key itself are kept by no cache (contract 57). */
  noStore?: boolean;
}

interface ReadSpec<Query extends z.ZodObject, Params extends z.ZodObject, Answer extends z.ZodType>
  extends Described<Query, Params, Answer> {
  permission: "read";
  handle(asked: Asked<Query, Params> & { read: Read }): Promise<z.input<Answer>>;
}

interface WriteSpec<
  Query extends z.ZodObject,
  Params extends z.ZodObject,
  Answer extends z.ZodType,
  Body extends z.ZodObject,
> extends Described<Query, Params, Answer> {
  permission: "read_write";
  body: Body;
  /** `ifMatch` is called with what a GET answers now, before anything is changed. */
  handle(
    asked: Asked<Query, Params> & { db: Db; body: z.output<Body>; ifMatch: (current: z.input<Answer>) => void },
  ): Promise<z.input<Answer>>;
}

/** One external API call: the literal that authenticates, validates, serializes and documents it. */
export interface Operation {
  (request: Request, workspace: ApiWorkspace, params: Record<string, string>): Promise<Response>;
  spec: Described<z.ZodObject, z.ZodObject, z.ZodType> & { permission: "read" | "read_write"; body?: z.ZodObject };
}

/** The declaration of a GET, as an operation. See `guarded` for the order of its checks. */
export function readOperation<Query extends z.ZodObject, Params extends z.ZodObject, Answer extends z.ZodType>(
  spec: ReadSpec<Query, Params, Answer>,
): Operation {
  return guarded(spec, async (request, asked) => {
    const answer = await readWorkspace(asked.workspace.id, (read) => spec.handle({ ...asked, read }));
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
  return guarded(spec, async (request, asked, body) => {
    const ifMatch = (current: z.input<Answer>) => assertMatch(request, jsonOf(spec.response, current));
    const answer = await inWorkspace(
      asked.workspace.id,
      (db) => spec.handle({ ...asked, db, body: body as z.output<Body>, ifMatch }),
      WRITE_SECONDS,
    );
    return answerJson(jsonOf(spec.response, answer), spec.noStore);
  });
}

/**
 * The checks of every operation in the contract's order: key, permission, Accept, body, validation, existence,
 * If-Match. Host, route and method come before (lib/api/route.ts).
 */
function guarded<Query extends z.ZodObject, Params extends z.ZodObject, Answer extends z.ZodType>(
  spec: Described<Query, Params, Answer> & { permission: "read" | "read_write"; body?: z.ZodObject },
  run: (request: Request, asked: Asked<Query, Params>, validBody: unknown) => Promise<Response>,
): Operation {
  const call = async (request: Request, workspace: ApiWorkspace, given: Record<string, string>) => {
    const key = await authenticate(workspace, request.headers.get("x-api-key"));
    if (spec.permission === "read_write" && key.permission !== "read_write") {
      throw new HttpError(403, "This API key may only read: use a key with the permission read_write.");
    }
    if (!acceptsJson(request.headers.get("accept"))) {
      throw new HttpError(406, "This API answers JSON only: send Accept: application/json, or no Accept header.");
    }
    const sent = spec.body && (await bodyOf(request));
    const query = queryOf(spec.query, new URL(request.url).searchParams);
    const body = spec.body && validBody(spec.body, sent);
    const params = spec.params.safeParse(given);
    if (!params.success) throw notFound();
    return run(request, { workspace, key, query, params: params.data }, body);
  };
  return Object.assign(call, { spec });
}

/** Always through the response schema: a column that the declaration does not name cannot leave the house. */
function jsonOf(schema: z.ZodType, answer: unknown): string {
  return JSON.stringify(schema.parse(answer));
}
