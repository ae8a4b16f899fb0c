import { z } from "zod";
import { DraftInput, type DraftText } from "@/lib/articles/article-text";
import { MOST, MOST_BYTES, preparedDraft } from "@/lib/articles/prepare-draft";
import { lookBeforeSave, saveDraft } from "@/lib/articles/save-draft";
import { takeSave } from "@/lib/articles/save-limits";
import { printOf, storedDraft } from "@/lib/articles/shared-draft";
import { keepText } from "@/lib/articles/versions";
import { existingParts } from "@/lib/articles/write-parts";
import { takeLimit } from "@/lib/counters";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError, UnavailableError } from "@/lib/errors";
import { bounded } from "@/lib/http/form-file";
import { tooManyRequests } from "@/lib/limits";
import { startDocument } from "@/lib/search/documents";
import { currentMember } from "@/lib/session";
import { findPublicWorkspace, requestedSite } from "@/lib/site";

// Where the page of an article saves what is written, every few seconds: an answer is told apart by its status, and one that
// does not come leaves the page as it is. Not below /admin: the middleware would cut a long article off. The front door has
// seen to it that a page of this host asks (server/front-door/incoming.ts).

/** Whoever has the page: a tab of before goes on saving where somebody else has signed in at the same browser. */
const writer = z.guid();
const Save = z.object({
  writer,
  revision: z.int().min(1),
  text: DraftInput,
  /** What is there now was not what this was written on: it is kept as a version. */
  over: z.boolean().default(false),
});
const Keep = z.object({ writer, text: DraftInput });

interface Context {
  params: Promise<{ id: string }>;
}

/** Saves the draft: 200 with what the next save needs, 409 with what somebody else has saved meanwhile. */
export function PUT(request: Request, context: Context): Promise<Response> {
  return answered(request, context, Save, async ({ workspaceId, id, memberId }, { revision, text, over }) => {
    const found = await readWorkspace(workspaceId, (read) => lookBeforeSave(read, id, revision, memberId));
    if (found.conflict) return told(409, { now: storedDraft(found.conflict) });
    const draft = preparedDraft(text);
    const begun = found.state === "draft" ? startDocument(workspaceId, draft) : undefined;
    return inWorkspace(workspaceId, async (db) => {
      const saved = await saveDraft(db, id, revision, draft, memberId, over, begun);
      if (saved.conflict) return told(409, { now: storedDraft(saved.conflict) });
      // Of what is stored, which the next conflict is told by.
      return told(200, { ...saved, print: printOf({ ...draft, ...(await existingParts(db, id, draft)) }) });
    });
  });
}

/** Keeps a text as a version, because another one takes its place. */
export function POST(request: Request, context: Context): Promise<Response> {
  return answered(request, context, Keep, async ({ workspaceId, id, memberId }, { text }) => {
    await readWorkspace(workspaceId, (read) => lookBeforeSave(read, id, null, memberId));
    const draft = preparedDraft(text);
    await inWorkspace(workspaceId, (db) => keepText(db, id, draft, memberId));
    return told(200, { kept: true });
  });
}

async function answered<Shape extends z.ZodType<{ writer: string; text: DraftText }>>(
  request: Request,
  context: Context,
  shape: Shape,
  work: (of: { workspaceId: string; id: string; memberId: string }, given: z.output<Shape>) => Promise<Response>,
): Promise<Response> {
  const { id } = await context.params;
  const site = await requestedSite();
  const workspace = site.kind === "subdomain" ? await findPublicWorkspace(site.subdomain) : null;
  if (!workspace)
    return told(404, {
      error: "There is no workspace at this address now: copy your text, and ask an administrator.",
    });
  const member = await currentMember(workspace.subdomain);
  if (!member) return told(401, { error: "You are signed out: sign in again in another tab, then go on here." });
  if (!member.permissions.includes("articles.write")) {
    return told(403, { error: "Your role may not write articles any more: ask an administrator." });
  }
  let free: (() => void) | null = null;
  try {
    const wait = await takeLimit("save", { workspace: workspace.id, member: member.id });
    if (wait !== null) return later(wait, `You have saved very often: go on in ${wait} seconds.`);
    const body = await bodyOf(request);
    if (body === "too long") {
      const most = MOST.html.toLocaleString("en");
      return told(413, {
        error: `The text can have at most ${most} characters of HTML: shorten it, or make it two articles.`,
      });
    }
    const given = shape.safeParse(body);
    if (!given.success || !z.guid().safeParse(id).success) {
      return told(422, { error: "This cannot be saved as it is: copy your text, then reload the page." });
    }
    if (given.data.writer !== member.id) {
      return told(401, {
        error: "Somebody else is signed in here by now: sign in as yourself again in another tab, then go on here.",
      });
    }
    free = takeSave(workspace.id, member.id, given.data.text.html);
    if (!free) return later(2, "Another long text of yours is being saved: go on in a moment.");
    return await work({ workspaceId: workspace.id, id, memberId: member.id }, given.data);
  } catch (error) {
    if (error instanceof NotFoundError) return told(404, { error: error.message });
    if (error instanceof InvalidError) return told(422, { error: error.message });
    if (error instanceof UnavailableError)
      return told(503, {
        error: "The database does not answer: your text stays here, and is saved as soon as it does.",
      });
    throw error;
  } finally {
    free?.();
  }
}

/** The JSON of a body; null for what is none. */
async function bodyOf(request: Request): Promise<unknown> {
  let isTooLong = Number(request.headers.get("content-length") ?? 0) > MOST_BYTES;
  const refuse = () => {
    isTooLong = true;
    return new Error("The body is too long.");
  };
  try {
    if (isTooLong) return "too long";
    const parts: Uint8Array[] = [];
    for await (const part of bounded(request.body, MOST_BYTES, refuse)) parts.push(part);
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    return isTooLong ? "too long" : null;
  }
}

function told(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store", ...headers } });
}

function later(seconds: number, error: string): Response {
  const { status, headers } = tooManyRequests(seconds);
  return told(status, { error }, headers);
}
