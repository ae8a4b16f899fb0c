import { z } from "zod";
import { allows, type Scope } from "@/lib/api-keys/scopes";
import { connectionCounts, type Db, inWorkspace, type Read, readTogether, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { type InvalidField, UnavailableError } from "@/lib/errors";
import { workspaceUrl } from "@/lib/http/host";
import { noteOfRequest } from "@/lib/http/request";
import { log } from "@/lib/log";
import { isTaken } from "@/lib/taken";
import { readAs, type Seen } from "@/lib/visibility";
import {
  type ApiAnswer,
  type ApiRequest,
  acceptsJson,
  answerConditional,
  answerJson,
  assertMatch,
  contentOf,
  namesTag,
} from "./answer";
import { busy, type Current, type ErrorCode, forbidden, HttpError, notFound } from "./errors";
import {
  type Answered,
  aloneWithKey,
  firstAnswer,
  keepAnswers,
  type Repeatable,
  repeatableOf,
  reserve,
  reserveNew,
} from "./idempotency";
import { bodyOf, checkedBody, queryOf, unprocessable } from "./input";
import { jsonOf } from "./json";
import { type KeptContent, keepContent, keptContent } from "./kept";
import { type ApiKey, type ApiWorkspace, authenticate, type Entered } from "./keys";
import { respectLimits } from "./rate-limit";
import { together } from "./together";

/** Leaves room to answer within three seconds (contract 61). */
const WRITE_SECONDS = 2;

/** The body of a request that is a file. */
export interface ApiFile {
  name: string;
  bytes: Buffer;
}

interface FileBody {
  /** Takes room in memory. Null if there is none now. */
  enter(about: { workspaceId: string; ip: string | null }): (() => void) | null;
  /** @throws HttpError 413 or 400 */
  read(request: ApiRequest): Promise<ApiFile>;
  /** Says in the document how large a file can be. */
  tooLarge: HttpError;
}

interface Input<Query extends z.ZodObject, Params extends z.ZodObject> {
  workspace: ApiWorkspace;
  key: ApiKey;
  query: z.output<Query>;
  params: z.output<Params>;
  actor: { kind: "api_key"; id: string; name: string; ip?: string; requestId: string };
  /** Null unless the operation takes one. */
  file: ApiFile | null;
}

export interface Spec<Query extends z.ZodObject, Params extends z.ZodObject, Answer extends z.ZodType> {
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  /** The scope that the key needs. Null if any key will do. */
  scope: Scope | null;
  /** Describes the 200 or 201 answer in one sentence. */
  returns: string;
  example: z.input<Answer>;
  /** An example of an error in a 422 answer. Defaults to a page number's. */
  invalid?: InvalidField;
  /** Errors that only this operation returns. */
  refusals?: { code: ErrorCode; description: string; message: string; current?: Current }[];
  /** The path's parameters. An invalid value is an unknown id (contract 13). */
  params: Params;
  query: Query;
  response: Answer;
  noStore?: boolean;
  /** Whether the answer contains a secret, so that answers to repeated requests are kept encrypted. */
  isSecret?: boolean;
  /** Whether `handle` returns `created`: always, or only if there was nothing before, with the 201 answer. Never if absent. */
  creates?: "always" | { returns: string; example: z.input<Answer> };
  body?: z.ZodObject;
  /**
   * The resource as responses have it: a body can have its fields too, which are ignored, so that it can be sent back. If true,
   * every other field is ignored. By default, other fields are refused (contract 31).
   */
  ignored?: true | z.ZodObject;
  /** The body is a file instead of JSON. */
  file?: FileBody;
  /** In bytes. Defaults to 64 KiB (contract 29). */
  bodyLimit?: number;
  /** Whether no GET returns the resource before the change, so that `If-Match` has no meaning. */
  isGone?: boolean;
  /** Whether a request without a body counts as one with `{}`. */
  isBodyOptional?: boolean;
  /** Counts against the search limit too (contract 55). */
  search?: boolean;
}

interface ReadSpec<Query extends z.ZodObject, Params extends z.ZodObject, Answer extends z.ZodType, Prepared>
  extends Spec<Query, Params, Answer> {
  /**
   * Whether the answer depends only on the content, the URL and the key's scopes, so that it can be kept until the content
   * changes, and read from a replica. View counts may lag (contract 75).
   */
  keeps?(): boolean;
  /**
   * The part of the answer that changes of the resource can overwrite. `If-Match` compares nothing else, so that it is not
   * refused after changes to other resources in the answer. Defaults to `response`.
   */
  own?: z.ZodType;
  /** Whether the answer is only about the key, which the door has read. No transaction is opened, and `read` throws. */
  isAboutKey?: boolean;
  /** Whether the database may take more than a few milliseconds, so that other requests don't wait for it. Always for searches. */
  isSlow?(query: z.output<Query>): boolean;
  /** @returns a function to run each time this answer is sent, kept or not. It must not hold the answer itself */
  after?(answer: z.input<Answer>, query: z.output<Query>): (about: { workspaceId: string; isHead: boolean }) => void;
  /** Runs before the wall opens, for waits that must not hold a connection. `handle` gets what it returns. */
  prepare?(input: Input<Query, Params>): Promise<Prepared>;
  /** Must answer only what `seen` allows: a key without content.read sees what visitors see. */
  handle(
    input: Input<Query, Params> & { read: Read; seen: Seen; prepared: Prepared | undefined },
  ): Promise<z.input<Answer>>;
}

interface WriteSpec<
  Query extends z.ZodObject,
  Params extends z.ZodObject,
  Answer extends z.ZodType,
  Body extends z.ZodObject,
  Prepared,
> extends Spec<Query, Params, Answer> {
  /** If absent, no body is read, and `handle` gets `{}`. */
  body?: Body;
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
  /** Runs before the transaction, for slow work such as cleaning HTML. `handle` gets what it returns. May refuse the change. */
  prepare?(input: Input<Query, Params> & { body: z.output<Body> }): Promise<Prepared>;
  /** Undoes what `prepare` did outside the database, if the change was not made. */
  undo?(prepared: Prepared): Promise<unknown>;
  /** Must call `ifMatch` with the current GET answer before changing anything. */
  handle(input: Change<Query, Params, Body, Prepared>): Promise<z.input<Answer> | Created<z.input<Answer>>>;
  /**
   * For changes that lock the same row. The requests of a group that wait for it share a transaction.
   * `handle` is for requests alone, and for each of them if the shared transaction was refused.
   */
  shared?: {
    /** The group within the workspace, or null if the request needs a transaction of its own. `characters` are of text. */
    group(
      input: Omit<Change<Query, Params, Body, Prepared>, "db" | "ifMatch">,
    ): { name: string; characters: number } | null;
    /** Answers in order, or throws if one of the requests cannot be done. */
    handle(
      inputs: readonly Change<Query, Params, Body, Prepared>[],
      db: Db,
    ): Promise<readonly (z.input<Answer> | Created<z.input<Answer>>)[]>;
  };
}

type Change<Query extends z.ZodObject, Params extends z.ZodObject, Body extends z.ZodObject, Prepared> = Input<
  Query,
  Params
> & {
  db: Db;
  body: z.output<Body>;
  prepared: Prepared;
  /** Whether `If-Match` names an ETag. */
  hasSeen: boolean;
  /** Whether there is an `If-Match`, even `*`. */
  mustExist: boolean;
  /** `schema` is what the GET answer compares: its `own` or `response`. Defaults to `response`. */
  ifMatch: (current: unknown, schema?: z.ZodType) => void;
};

/** The answer of a change that created something: a 201 with `Location`. */
class Created<Answer> {
  constructor(
    readonly answer: Answer,
    /** A URL, or a path below the version, such as "/articles/5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d". */
    readonly path: string,
  ) {}
}

/** @param path of the new resource: a URL, or a path below the version */
export const created = <Answer>(answer: Answer, path: string): Created<Answer> => new Created(answer, path);

export interface Call {
  request: ApiRequest;
  requestId: string;
  entered: Entered;
  workspace: ApiWorkspace;
  /** The path's parameters, unvalidated. */
  params: Record<string, string>;
  /** Headers for the answer, errors included. */
  answerHeaders: Map<string, string>;
  /** Fields of answers that the version of the call does not have. */
  omits: readonly string[];
  /** Query parameters that the version of the call does not have. */
  ignores: readonly string[];
}

/** One external API call: the literal that authenticates, validates, serializes and documents it. */
export interface Operation {
  (call: Call): Promise<ApiAnswer>;
  spec: Spec<z.ZodObject, z.ZodObject, z.ZodType>;
}

export function readOperation<
  Query extends z.ZodObject,
  Params extends z.ZodObject,
  Answer extends z.ZodType,
  Prepared = undefined,
>(spec: ReadSpec<Query, Params, Answer, Prepared>): Operation {
  const give = ({ request, workspace }: Call, content: KeptContent) => {
    content.after?.({ workspaceId: workspace.id, isHead: request.method === "HEAD" });
    return answerConditional(request, content, spec.noStore);
  };
  const isSlow = (query: z.output<Query>) => spec.search || spec.isSlow?.(query);
  const recall = (call: Call, key: ApiKey) => {
    const content = spec.keeps?.() && keptContent(call, key);
    return content ? give(call, content) : null;
  };
  return guarded(
    spec,
    false,
    async (call, input) => {
      const since = spec.keeps?.() ? call.entered.versions : undefined;
      const open = <T>(workspaceId: string, work: (read: Read) => Promise<T>) =>
        isSlow(input.query)
          ? readWorkspace(workspaceId, work, undefined, since)
          : readTogether(workspaceId, work, since);
      const make = async (): Promise<KeptContent> => {
        const prepared = await spec.prepare?.(input);
        const viewer = allows(input.key.scopes, "content.read") ? "member" : "anyone";
        const handle = (seen: Seen & { read: Read }) => spec.handle({ ...input, read: seen.read, seen, prepared });
        const answer = spec.isAboutKey
          ? await handle({ viewer, hidden: [], read: readNothing })
          : await readAs(input.workspace, viewer, handle, open);
        const own = spec.own && jsonOf(spec.own, answer, call.omits);
        const content = contentOf(jsonOf(spec.response, answer, call.omits), own);
        return { ...content, after: spec.after?.(answer, input.query) };
      };
      return give(call, spec.keeps?.() ? await keepContent(call, input.key, make) : await make());
    },
    recall,
  );
}

export function writeOperation<
  Query extends z.ZodObject,
  Params extends z.ZodObject,
  Answer extends z.ZodType,
  Body extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Prepared = undefined,
>(spec: WriteSpec<Query, Params, Answer, Body, Prepared>): Operation {
  const schema = spec.body ?? (z.object({}) as unknown as Body);
  type Changing = {
    call: Call;
    repeatable: Repeatable | null;
    input: Omit<Change<Query, Params, Body, Prepared>, "db">;
  };

  const answered = ({ call, input }: Changing, changed: z.input<Answer> | Created<z.input<Answer>>): Answered => {
    const made = changed instanceof Created ? changed : null;
    return {
      status: made ? 201 : 200,
      location: made && (made.path.startsWith("/") ? homeOf(call.request, input.workspace) : "") + made.path,
      body: jsonOf(spec.response, made ? made.answer : changed, call.omits),
    };
  };
  const changeOnce = (changing: Changing) =>
    inWorkspace(
      changing.input.workspace.id,
      async (db): Promise<{ answer: Answered; isReplayed: boolean }> => {
        const { repeatable, input } = changing;
        const earlier = repeatable && (await reserve(db, repeatable));
        if (earlier) return { answer: earlier, isReplayed: true };
        const answer = answered(changing, await spec.handle({ ...input, db }));
        if (repeatable) await keepAnswers(db, [{ repeatable, answer }]);
        return { answer, isReplayed: false };
      },
      WRITE_SECONDS,
    );
  // If someone takes the same slug or external id at the same time, a second attempt sees that. It chooses another slug or refuses the
  // field.
  const changeAlone = (changing: Changing) =>
    changeOnce(changing).catch((error: unknown) => {
      if (isTaken(error)) return changeOnce(changing);
      throw error;
    });
  const changeTogether = together(async (all: readonly Changing[], seconds: number, next: () => void) => {
    const workspaceId = (all[0] as Changing).input.workspace.id;
    const change = async (db: Db) => {
      await reserveNew(
        db,
        all.flatMap(({ repeatable }) => repeatable ?? []),
      );
      const inputs = all.map(({ input }) => ({ ...input, db }));
      const changed = (await spec.shared?.handle(inputs, db)) ?? [];
      // The next transaction begins while this one ends, and waits for its locks. It doesn't take a connection that others wait for.
      if (connectionCounts().waiting === 0) next();
      const answers = all.map((changing, index) => answered(changing, changed[index] as z.input<Answer>));
      const kept = all.flatMap(({ repeatable }, index) =>
        repeatable ? { repeatable, answer: answers[index] as Answered } : [],
      );
      await keepAnswers(db, kept);
      return answers.map((answer) => ({ answer, isReplayed: false }));
    };
    return inWorkspace(workspaceId, change, seconds);
  });

  return guarded(spec, true, (call, input, json) => aloneWithKey(input.repeatable, () => changed(call, input, json)));

  async function changed(
    call: Call,
    { isIdValid, repeatable, ...given }: GuardedInput<Query, Params>,
    json: object = {},
  ): Promise<ApiAnswer> {
    const { request } = call;
    const workspaceId = given.workspace.id;
    const first = repeatable && (await readWorkspace(workspaceId, (read) => firstAnswer(read, repeatable)));
    if (first) return answerChange(first, true, spec.noStore);
    const { data, invalid } = checkedBody(schema, json, ignoredBy(spec));
    if (invalid.length > 0 || !isIdValid) {
      const conflicts = await readWorkspace(
        workspaceId,
        async (read) => spec.conflicts?.({ ...given, read, body: data }) ?? [],
      );
      const all = [...invalid, ...conflicts];
      throw all.length > 0 ? unprocessable(all) : notFound();
    }
    const body = data as z.output<Body>;
    const prepared = (await spec.prepare?.({ ...given, body })) as Prepared;
    const afterChange = await spec.before?.({ ...given, body });
    const ifMatch = (current: unknown, shape: z.ZodType = spec.response) =>
      assertMatch(request, jsonOf(shape, current, call.omits));
    const input = {
      ...given,
      body,
      prepared,
      ifMatch,
      hasSeen: namesTag(request),
      mustExist: request.headers.get("if-match") !== null,
    };
    const changing = { call, repeatable, input };
    const group = spec.shared?.group(input) ?? null;
    const alone = () => changeAlone(changing);
    const change = group ? changeTogether(`${workspaceId} ${group.name}`, changing, group.characters, alone) : alone();
    const { answer, isReplayed } = await change.catch(async (error: unknown) => {
      // If the database did not answer, the change may have been made.
      if (!(error instanceof UnavailableError)) await spec.undo?.(prepared);
      throw error;
    });
    if (isReplayed) await spec.undo?.(prepared);
    else {
      await afterChange?.().catch((error: unknown) => log().error({ err: error }, "The steps after a change failed."));
    }
    return answerChange(answer, isReplayed, spec.noStore);
  }
}

const ignoredBy = ({ ignored = z.object({}) }: Pick<Spec<z.ZodObject, z.ZodObject, z.ZodType>, "ignored">) =>
  ignored === true || Object.keys(ignored.shape);

function answerChange({ status, location, body }: Answered, isReplayed: boolean, noStore?: boolean): ApiAnswer {
  const answer = answerJson(body, noStore, status);
  if (location) answer.headers.set("Location", location);
  if (isReplayed) answer.headers.set("Idempotency-Replayed", "true");
  return answer;
}

type GuardedInput<Query extends z.ZodObject, Params extends z.ZodObject> = Input<Query, Params> & {
  isIdValid: boolean;
  repeatable: Repeatable | null;
};

/**
 * Runs the contract's checks in order: key, limits, scope, Accept, body, Idempotency-Key, validation, existence, If-Match.
 * Host, route and method are checked before (lib/api/route.ts).
 */
export function guarded<Query extends z.ZodObject, Params extends z.ZodObject, Answer extends z.ZodType>(
  spec: Spec<Query, Params, Answer>,
  isWrite: boolean,
  run: (call: Call, input: GuardedInput<Query, Params>, json?: object) => Promise<ApiAnswer>,
  recall?: (call: Call, key: ApiKey) => Promise<ApiAnswer> | null,
): Operation {
  const operation = async (call: Call) => {
    const { request, entered, workspace, answerHeaders } = call;
    // The front door has replaced this header by the verified address.
    const ip = request.headers.get("x-forwarded-for");
    const key = await authenticate(entered, { ip, route: () => routeOf(request, call.params) });
    noteOfRequest({ keyId: key.id });
    respectLimits(entered.uses, answerHeaders);
    if (spec.scope && !allows(key.scopes, spec.scope)) throw forbidden(spec.scope);
    if (!acceptsJson(request.headers.get("accept"))) {
      throw new HttpError(
        "not_acceptable",
        "This API only returns JSON. Send Accept: application/json, or no Accept header.",
      );
    }
    const recalled = recall?.(call, key);
    if (recalled) return recalled;
    const leave = spec.file ? spec.file.enter({ workspaceId: workspace.id, ip }) : undefined;
    if (leave === null) throw busy();
    try {
      return await work(call, key, ip);
    } finally {
      leave?.();
    }
  };
  const work = async (call: Call, key: ApiKey, ip: string | null) => {
    const { request, requestId, workspace } = call;
    const file = spec.file ? await spec.file.read(request) : null;
    const body = spec.body && (await bodyOf(request, spec.bodyLimit, spec.isBodyOptional));
    // The boundaries of a form differ in each attempt.
    const sent = file ? [Buffer.from(`${file.name}\n`), file.bytes] : body && [body.bytes];
    const repeatable = isWrite ? repeatableOf(request, key.id, { body: sent, isSecret: spec.isSecret }) : null;
    const { searchParams } = new URL(request.url);
    for (const name of call.ignores) searchParams.delete(name);
    const query = queryOf(spec.query, searchParams);
    // An invalid id is an unknown one (contract 13). A write first reports what is wrong with its body.
    const { data, success: isIdValid } = spec.params.safeParse(call.params);
    if (!isIdValid && !spec.body) throw notFound();
    const params = data ?? (call.params as z.output<Params>);
    const actor = { kind: "api_key" as const, id: key.id, name: key.name, ip: ip ?? undefined, requestId };
    return run(call, { workspace, key, query, params, actor, file, isIdValid, repeatable }, body?.json);
  };
  return Object.assign(operation, { spec });
}

const readNothing: Read = () => Promise.reject(new Error("An operation about the key reads nothing else."));

/** The URL of the version that was called, such as "https://docs.example.com/api/external/v2". */
function homeOf(request: ApiRequest, { subdomain }: ApiWorkspace): string {
  const [base = ""] = /^\/api\/external\/v\d+/.exec(new URL(request.url).pathname) ?? [];
  return workspaceUrl(subdomain, env().baseUrl) + base;
}

/** Such as "GET /v2/articles/{article_id}", without the ids. */
function routeOf(request: ApiRequest, params: Record<string, string>): string {
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
