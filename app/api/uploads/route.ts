import { z } from "zod";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { log } from "@/lib/log";
import { networkOf } from "@/lib/network";
import { changePicture, refusePicture } from "@/lib/pictures";
import type { Permission } from "@/lib/roles";
import { currentMember, requireActor } from "@/lib/session";
import { findPublicWorkspace, requestedSite } from "@/lib/site";
import { setLogo, storeUpload, type Upload } from "@/lib/uploads";
import { arrivingFile } from "@/lib/uploads/arriving";
import type { UploadKind } from "@/lib/uploads/kinds";
import { countUpload } from "@/lib/uploads/limits";
import { UploadError, type UploadReason, uploadRefusal } from "@/lib/uploads/refusals";
import { takeSlot } from "@/lib/uploads/slots";

// Not below /admin: the middleware would read every body whole, and cut those over 1 MB. The front door has seen to it
// that a page of this host sent the request (lib/front-door.ts).

/** What an upload's address says of it. */
const Asked = z.object({
  as: z.enum(["picture", "logo", "image", "attachment"]),
  /** Whose picture it becomes: one's own when left out. */
  of: z.guid().optional(),
  /** What a file is called that is sent alone, and not in a form. */
  name: z.string().max(1_000).default("file"),
});
/** Who may upload what; a picture, whoever may change it (lib/pictures.ts). */
const needed: Record<UploadKind, Permission | null> = {
  picture: null,
  logo: "settings.manage",
  image: "articles.write",
  attachment: "articles.write",
};

const statuses: Partial<Record<UploadReason, number>> = {
  ...{ large: 413, large_image: 413, no_image: 415, svg: 415, cut_off: 400 },
  ...{ too_often: 429, busy: 503, unavailable: 503 },
};

/**
 * Takes a file: alone as the body, or as the field `file` of a form. A picture and a logo are one from then on; `was` in
 * the address that is led to is what they were before, for whoever takes it back. Scripts ask for JSON; who sends a form
 * without them is led back to its page.
 */
export async function POST(request: Request): Promise<Response> {
  const asJson = request.headers.get("accept")?.includes("application/json") ?? false;
  const site = await requestedSite();
  const workspace = site.kind === "subdomain" ? await findPublicWorkspace(site.subdomain) : null;
  const asked = Asked.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!workspace) return told(404, { error: "There is no workspace at this address." });
  const member = await currentMember(workspace.subdomain);
  if (!member && !asJson) return led("/admin/sign-in");
  if (!member) return told(401, { error: "You are signed out: sign in again, then upload the file once more." });
  if (!asked.success) {
    return told(422, { error: 'Say what the file is: "as" is one of picture, logo, image and attachment.' });
  }
  const { as: kind, of = member.id } = asked.data;
  const page = kind === "logo" ? "/admin/appearance" : of === member.id ? "/admin/profile" : `/admin/members/${of}`;
  const hasPage = kind === "picture" || kind === "logo";
  const refusal = (reason: UploadReason, message?: string, headers = {}) => {
    if (hasPage && !asJson) return led(`${page}?refused=${reason}`);
    const error = message ?? uploadRefusal(reason, kind, env().uploads);
    return told(statuses[reason] ?? 422, { error, reason }, headers);
  };
  let free: (() => void) | null = null;
  try {
    const lacks = needed[kind] && !member.permissions.includes(needed[kind]);
    if (lacks) return told(403, { error: "Your role may not upload this: ask somebody whose role may." });
    if (kind === "picture") await readWorkspace(workspace.id, (read) => refusePicture(read, member, of));
    const wait = await countUpload(workspace.id, member.id);
    if (wait !== null) return refusal("too_often", undefined, { "Retry-After": String(wait) });
    free = takeSlot(workspace.id, networkOf(request.headers.get("x-forwarded-for")));
    if (!free) return refusal("busy", undefined, { "Retry-After": "5" });
    const { actor } = await requireActor();
    const file = await arrivingFile(request, { kind, name: asked.data.name });
    const upload = await storeUpload(workspace.id, { ...file, by: member.id, kind });
    if (!hasPage) return told(201, { ...upload });
    const was = await inWorkspace(workspace.id, (db) =>
      kind === "logo" ? setLogo(db, upload.id, actor) : changePicture(db, member, of, upload.id, actor),
    );
    const next = `${page}?done=${kind}&was=${was ?? "none"}`;
    return asJson ? told(201, { ...upload, next }) : led(next);
  } catch (error) {
    if (error instanceof UploadError) return refusal(error.reason, error.message);
    if (error instanceof NotFoundError) return told(404, { error: error.message });
    if (error instanceof InvalidError) return told(403, { error: error.message });
    log().error({ err: error }, "An upload could not be stored.");
    return refusal("unavailable", undefined, { "Retry-After": "5" });
  } finally {
    free?.();
  }
}

function told(
  status: number,
  body: { error?: string | null; reason?: UploadReason } | (Upload & { next?: string }),
  headers: Record<string, string> = {},
): Response {
  const own = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
  return Response.json(body, { status, headers: { ...own, ...headers } });
}

function led(path: string): Response {
  return new Response(null, { status: 303, headers: { Location: path, "Cache-Control": "no-store" } });
}
