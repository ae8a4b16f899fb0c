import { z } from "zod";
import { DraftInput, type DraftText } from "@/lib/articles/article-text";
import { authorCalled, changeArticle, refusePublished } from "@/lib/articles/changes";
import { MOST, MOST_BYTES, preparedDraft } from "@/lib/articles/prepare-draft";
import { lookBeforeSave, saveDraft } from "@/lib/articles/save-draft";
import { takeSave } from "@/lib/articles/save-limits";
import { contentHashOf, storedDraft } from "@/lib/articles/shared-draft";
import { keepText } from "@/lib/articles/versions";
import { existingParts } from "@/lib/articles/write-parts";
import { takeLimit } from "@/lib/counters";
import { inWorkspace, readingOf, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError, UnavailableError } from "@/lib/errors";
import { bounded } from "@/lib/http/form-file";
import { tooManyRequests } from "@/lib/limits";
import { actorOf, type CurrentMember, currentMember } from "@/lib/session";
import { findPublicWorkspace, requestedSite } from "@/lib/site";
import { startedDocument } from "@/lib/threads/pool";

// The editor saves drafts here every few seconds. It tells answers apart by their status, and a lost answer leaves the page as
// it is. Not below /admin, where the middleware would cut long articles. The front door checks that a page of this host sent
// the request (server/front-door/incoming.ts).

/** The member whose page this is. Another member may have signed in with the same browser since. */
const writer = z.guid();
const Save = z.object({
  writer,
  revision: z.int().min(1),
  text: DraftInput,
  /** The stored draft is kept as a version, because this text did not start from it. */
  over: z.boolean().default(false),
});
const Keep = z.object({ writer, text: DraftInput });
/** Every field alone, so that a refused one does not hold up the others. */
const Place = z.object({
  writer,
  slug: z.string().max(1_000).optional(),
  categoryId: z.string().max(100).optional(),
  authorId: z.string().max(100).optional(),
  /** For members missing from the choices, people type the name. */
  authorName: z.string().max(254).optional(),
});

interface Context {
  params: Promise<{ id: string }>;
}

/** Saves the draft. Answers 200 with what the next save needs, or 409 with what someone else has saved meanwhile. */
export function PUT(request: Request, context: Context): Promise<Response> {
  return answered(request, context, Save, async ({ workspaceId, id, memberId }, { revision, text, over }) => {
    const found = await readWorkspace(workspaceId, (read) => lookBeforeSave(read, id, revision, memberId));
    if (found.conflict) return respond(409, { now: storedDraft(found.conflict) });
    const draft = await preparedDraft(workspaceId, text);
    const by = { kind: "member" as const, id: memberId };
    const started = found.state === "draft" ? await startedDocument(workspaceId, draft) : undefined;
    return inWorkspace(workspaceId, async (db) => {
      const saved = await saveDraft(db, id, revision, draft, by, over, started);
      if (saved.conflict) return respond(409, { now: storedDraft(saved.conflict) });
      // The hash of the stored text, so that the next conflict is recognized by it.
      return respond(200, {
        ...saved,
        contentHash: contentHashOf({ ...draft, ...(await existingParts(db, id, draft)) }),
      });
    });
  });
}

/** Keeps a text as a version, because another one replaces it. */
export function POST(request: Request, context: Context): Promise<Response> {
  return answered(request, context, Keep, async ({ workspaceId, id, memberId }, { text }) => {
    await readWorkspace(workspaceId, (read) => lookBeforeSave(read, id, null, memberId));
    const draft = await preparedDraft(workspaceId, text);
    const by = { kind: "member" as const, id: memberId };
    await inWorkspace(workspaceId, (db) => keepText(db, id, draft, by));
    return respond(200, { kept: true });
  });
}

/** Changes slug, category or author, immediately. */
export function PATCH(request: Request, context: Context): Promise<Response> {
  return answered(request, context, Place, async ({ workspaceId, id, member }, { authorName, ...input }) => {
    const actor = await actorOf(member);
    const changed = await inWorkspace(workspaceId, async (db) => {
      await refusePublished(db, [id], member.permissions);
      const authorId = authorName ? await authorCalled(readingOf(db), authorName) : input.authorId;
      return changeArticle(db, id, { slug: input.slug, categoryId: input.categoryId, authorId }, actor);
    });
    return respond(200, { slug: changed.slug });
  });
}

async function answered<Shape extends z.ZodType<{ writer: string; text?: DraftText }>>(
  request: Request,
  context: Context,
  shape: Shape,
  work: (
    target: { workspaceId: string; id: string; memberId: string; member: CurrentMember },
    input: z.output<Shape>,
  ) => Promise<Response>,
): Promise<Response> {
  const { id } = await context.params;
  const site = await requestedSite();
  const workspace = site.kind === "subdomain" ? await findPublicWorkspace(site.subdomain) : null;
  if (!workspace)
    return respond(404, {
      error: "This knowledge base no longer exists at this URL. Copy your text and ask an administrator.",
    });
  const member = await currentMember(workspace.subdomain);
  if (!member) return respond(401, { error: "You've been signed out." });
  if (!member.permissions.includes("articles.write")) {
    return respond(403, { error: "Your role can no longer edit articles. Ask an administrator." });
  }
  let free: (() => void) | null = null;
  try {
    const wait = await takeLimit("save", { workspace: workspace.id, member: member.id });
    if (wait !== null) return later(wait, `Too many saves. Try again in ${wait} seconds.`);
    const body = await bodyOf(request);
    if (body === "too long") {
      const most = MOST.html.toLocaleString("en");
      return respond(413, {
        error: `The text can have up to ${most} characters of HTML.`,
      });
    }
    const input = shape.safeParse(body);
    if (!input.success || !z.guid().safeParse(id).success) {
      return respond(422, { error: "Copy your text, then reload the page." });
    }
    if (input.data.writer !== member.id) {
      return respond(401, {
        error: "Someone else is signed in now.",
      });
    }
    free = takeSave(workspace.id, member.id, input.data.text?.html ?? "");
    if (!free) return later(2, "Another long article of yours is being saved. This one is next.");
    return await work({ workspaceId: workspace.id, id, memberId: member.id, member }, input.data);
  } catch (error) {
    if (error instanceof NotFoundError) return respond(404, { error: error.message });
    if (error instanceof InvalidError) return respond(422, { error: error.message });
    if (error instanceof UnavailableError)
      return respond(503, {
        error: "The database isn't responding. Saving will be retried.",
      });
    throw error;
  } finally {
    free?.();
  }
}

/** The body's JSON, or null if it cannot be read. */
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

function respond(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store", ...headers } });
}

function later(seconds: number, error: string): Response {
  const { status, headers } = tooManyRequests(seconds);
  return respond(status, { error }, headers);
}
