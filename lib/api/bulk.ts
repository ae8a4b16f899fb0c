import { z } from "zod";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { currentRequest, duringRequest, noWait } from "@/lib/http/request";
import { log } from "@/lib/log";
import { type ApiAnswer, type ApiRequest, answerError, answerJson } from "./answer";
import { HttpError, httpErrorOf } from "./errors";
import { firstAnswer, itemKey, keepAnswers, type Repeatable, reserve, stillRunning } from "./idempotency";
import { checkedBody, unprocessable } from "./input";
import { jsonOf } from "./json";
import type { ApiKey } from "./keys";
import { details, ErrorCode } from "./openapi.answers";
import { type Call, guarded, type Operation, type Spec } from "./operation";
import { countWrite } from "./rate-limit";

/** A change of a bulk request, as if it were sent alone. */
export interface ItemRequest {
  operation: Operation;
  method: string;
  /** Below the version, such as "/articles/{article_id}". */
  path: string;
  params: Record<string, string>;
  body: object;
}

/** No bulk request takes more items. */
export const MOST_ITEMS = 100;
const MOST_REF = 200;
/** No item starts later than this many seconds after the request. */
export const BULK_SECONDS = 20;
/** After this many characters of results, no more items are tried. */
const MOST_CHARACTERS = 10_000_000;

interface BulkSpec<Item, Answer extends z.ZodType> extends Spec<z.ZodObject, z.ZodObject, Answer> {
  body: z.ZodObject<{ items: z.ZodArray<z.ZodType<Item>> }>;
  /** No item starts later than this many seconds after the request. */
  seconds: number;
  /** @throws HttpError or InvalidError for an item that no operation takes */
  requestOf(item: Item): ItemRequest;
}

/** The fields of every item. Its other fields are those of the request that the action stands for. */
export function itemFields<Name extends string>(names: readonly [Name, ...Name[]], meaning: string) {
  return {
    action: z.enum(names, { error: `action must be one of ${names.join(", ")}.` }).describe(meaning),
    ref: z
      .string({ error: "ref must be text." })
      .max(MOST_REF, { error: `ref can have up to ${MOST_REF} characters.` })
      .optional()
      .describe("A name that you choose for the item. Its result repeats it."),
  };
}

export function itemsOf<Item extends z.ZodType>(item: Item, example: z.input<Item>[]) {
  return z
    .array(item, { error: "items must be a list." })
    .min(1, { error: "items must have at least one item." })
    .max(MOST_ITEMS, { error: tooMany.message })
    .meta({ description: `The changes, 1 to ${MOST_ITEMS}.`, examples: [example] });
}

export const tooMany = {
  field: "items",
  code: "too_long" as const,
  message: `items can have up to ${MOST_ITEMS} items.`,
};

/** The fields of every result, around those that a separate request would have returned. */
export const resultFields = {
  ref: z.string().nullable().describe("The `ref` of the item, or null."),
  status: z.int().describe("The status that a separate request would have returned."),
};
export const refusalFields = {
  error: z.string().optional().describe("If the item was refused: what happened and what to do."),
  code: ErrorCode.optional(),
  details: details.optional(),
};

/**
 * Makes several changes one after the other, each in its own transaction and with the answer it would have had alone. If
 * the request is repeated, changes that were made are answered from their own keys, and the others are made.
 */
export function bulkOperation<Item, Answer extends z.ZodType>(spec: BulkSpec<Item, Answer>): Operation {
  return guarded(spec, true, async (call, { key, workspace, repeatable }, json = {}) => {
    const start = performance.now();
    if (repeatable) await readWorkspace(workspace.id, (read) => firstAnswer(read, repeatable));
    // An invalid item is refused alone.
    const invalid = checkedBody(spec.body, json).invalid.filter(({ field }) => !field.startsWith("items."));
    if (invalid.length > 0) throw unprocessable(invalid);
    const { items } = json as { items: unknown[] };
    const wasSent = repeatable !== null && (await noteSent(workspace.id, repeatable));
    const results: { status: number; body: object }[] = [];
    let characters = 0;
    let isReplayed = wasSent;
    for (const [index, item] of items.entries()) {
      const answer = await answered(async () => {
        if (performance.now() - start > spec.seconds * 1000) throw notTried(`took more than ${spec.seconds} seconds`);
        if (characters > MOST_CHARACTERS) throw notTried("has a response of more than 10 MB");
        // The door has counted the first one.
        if (index > 0) await countWrite(key.id, call.answerHeaders, call.entered.uses);
        const request = spec.requestOf(checkedItem(spec.body.shape.items.element, item));
        return request.operation(callOf(call, key, request, repeatable && itemKey(repeatable, index)));
      });
      const result = { status: answer.status, body: JSON.parse(String(answer.body)) as { code?: string } };
      if (result.body.code === "request_in_progress") throw stillRunning();
      characters += String(answer.body).length;
      if (result.status < 400) isReplayed &&= answer.headers.has("Idempotency-Replayed");
      results.push(result);
    }
    const answer = results.map(({ status, body }, index) => ({ ref: refOf(items[index]), status, ...body }));
    const whole = answerJson(jsonOf(spec.response, { results: answer }, call.omits), spec.noStore);
    if (isReplayed && results.some(({ status }) => status < 400)) whole.headers.set("Idempotency-Replayed", "true");
    return whole;
  });
}

function checkedItem<Item>(schema: z.ZodType<Item>, item: unknown): Item {
  const { data, invalid } = checkedBody(z.object({ item: schema }), { item });
  const bare = (text: string) => text.replace(/^item\./, "");
  const fields = invalid.map((one) => ({ ...one, field: bare(one.field), message: bare(one.message) }));
  if (invalid.length > 0) throw unprocessable(fields);
  return data.item as Item;
}

function refOf(item: unknown): string | null {
  const { data } = z.object({ ref: z.string().max(MOST_REF) }).safeParse(item);
  return data?.ref ?? null;
}

/** Keeps the request, so that another one with its key is refused. Returns whether it was kept before. */
async function noteSent(workspaceId: string, repeatable: Repeatable): Promise<boolean> {
  return inWorkspace(workspaceId, async (db) => {
    if (await reserve(db, repeatable)) return true;
    await keepAnswers(db, [{ repeatable, answer: { status: 200, location: null, body: "" } }]);
    return false;
  });
}

/** Each item may wait for the database as long as a request of its own. */
async function answered(work: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  const request = currentRequest();
  const item = () =>
    work().catch((error: unknown) => {
      const report = (cause: unknown) => log().error({ err: cause }, "An item of a bulk request failed.");
      const refusal = httpErrorOf(error, report);
      return answerError(refusal.code === "not_found" ? itemNotFound() : refusal, true);
    });
  return request ? duringRequest({ ...request, waiting: noWait() }, item) : item();
}

function callOf(call: Call, key: ApiKey, item: ItemRequest, idempotencyKey: string | null): Call {
  const { request, entered } = call;
  const headers: Record<string, string | null> = {
    "content-type": "application/json",
    "idempotency-key": idempotencyKey,
    "x-forwarded-for": request.headers.get("x-forwarded-for"),
  };
  const bytes = Buffer.from(JSON.stringify(item.body));
  const path = item.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(item.params[name] ?? ""));
  const { pathname } = new URL(request.url);
  return {
    ...call,
    request: {
      method: item.method,
      url: `http://api${/^\/api\/external\/v\d+/.exec(pathname)?.[0] ?? ""}${path}`,
      headers: { get: (name) => headers[name.toLowerCase()] ?? null },
      body: [bytes] as unknown as ApiRequest["body"],
    },
    entered: { ...entered, key: { ...key, isNoteDue: false }, uses: [] },
    params: item.params,
    answerHeaders: new Map(),
  };
}

/** An item has no URL. */
export const itemNotFound = () => new HttpError("not_found", "Not found. Check the ID in this item.");

const notTried = (why: string) =>
  new HttpError("not_tried", `This item was not tried because the bulk request ${why}. Send the item again.`, {
    headers: { "Retry-After": "1" },
  });
