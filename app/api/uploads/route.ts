import { cookies } from "next/headers";
import { z } from "zod";
import { takeLimit } from "@/lib/counters";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { networkOf } from "@/lib/http/network";
import { tooManyRequests } from "@/lib/limits";
import { log } from "@/lib/log";
import { changePicture, refusePicture } from "@/lib/members/pictures";
import type { Permission } from "@/lib/members/roles";
import { currentMember, requireMember } from "@/lib/session";
import { flashCookie } from "@/lib/session/flash";
import { setLogo } from "@/lib/settings/appearance";
import { findPublicWorkspace, requestedSite } from "@/lib/site";
import { arrivingFile } from "@/lib/uploads/arriving";
import type { UploadKind } from "@/lib/uploads/kinds";
import { UploadError, type UploadReason, uploadRefusal } from "@/lib/uploads/refusals";
import { takeUploadSlot } from "@/lib/uploads/upload-slots";
import { storeUpload, type Upload } from "@/lib/uploads/uploads";

// Not below /admin, where the middleware would buffer bodies and cut them at 1 MB. The front door checks that a page of this
// host sent the request (server/front-door.ts).

const Query = z.object({
  as: z.enum(["picture", "logo", "image", "attachment"]),
  /** The member who gets the picture. Defaults to the signed-in member. */
  member: z.guid().optional(),
  /** The filename for a body that is the file itself. */
  name: z.string().max(1_000).default("file"),
});
/** Pictures have their own rule (lib/members/pictures.ts). */
const needed: Record<UploadKind, Permission | null> = {
  picture: null,
  logo: "settings.manage",
  image: "articles.write",
  attachment: "articles.write",
};

const statuses: Partial<Record<UploadReason, number>> = {
  large: 413,
  large_image: 413,
  no_image: 415,
  svg: 415,
  cut_off: 400,
  too_often: 429,
  busy: 503,
  unavailable: 503,
};

/**
 * Takes a file, as the body or as the field `file` of a form, and sets a picture or logo. Scripts get JSON, and forms a
 * redirect to their page, which offers Undo.
 */
export async function POST(request: Request): Promise<Response> {
  const asJson = request.headers.get("accept")?.includes("application/json") ?? false;
  const site = await requestedSite();
  const workspace = site.kind === "subdomain" ? await findPublicWorkspace(site.subdomain) : null;
  const query = Query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!workspace) return answer(404, { error: "No workspace has this URL." });
  const member = await currentMember(workspace.subdomain);
  if (!member && !asJson) return redirectTo("/admin/sign-in");
  if (!member) return answer(401, { error: "You've been signed out. Sign in again, then upload the file again." });
  if (!query.success) {
    return answer(422, { error: '"as" must be picture, logo, image, or attachment.' });
  }
  const { as: kind, member: owner = member.id } = query.data;
  const page =
    kind === "logo" ? "/admin/appearance" : owner === member.id ? "/admin/profile" : `/admin/members/${owner}`;
  const hasPage = kind === "picture" || kind === "logo";
  const refusal = (reason: UploadReason, message?: string, headers = {}) => {
    if (hasPage && !asJson) return redirectTo(`${page}?refused=${reason}`);
    const error = message ?? uploadRefusal(reason, kind, env().uploads);
    return answer(statuses[reason] ?? 422, { error, reason }, headers);
  };
  let free: (() => void) | null = null;
  try {
    const lacks = needed[kind] && !member.permissions.includes(needed[kind]);
    if (lacks) return answer(403, { error: "You can't upload this. Ask a member who can." });
    if (kind === "picture") await readWorkspace(workspace.id, (read) => refusePicture(read, member, owner));
    const wait = await takeLimit("upload", { workspace: workspace.id, member: member.id });
    if (wait !== null) return refusal("too_often", undefined, tooManyRequests(wait).headers);
    free = takeUploadSlot(workspace.id, networkOf(request.headers.get("x-forwarded-for")));
    if (!free) return refusal("busy", undefined, { "Retry-After": "5" });
    const { actor } = await requireMember();
    const file = await arrivingFile(request, { kind, name: query.data.name });
    const upload = await storeUpload(workspace.id, { ...file, by: member.id, kind });
    if (!hasPage) return answer(201, { ...upload });
    const previous = await inWorkspace(workspace.id, (db) =>
      kind === "logo" ? setLogo(db, upload.id, actor) : changePicture(db, member, owner, upload.id, actor),
    );
    const message = `The ${kind} was uploaded.`;
    const fields = { member: query.data.member ?? "", upload: previous ?? "" };
    const host = request.headers.get("host") ?? "";
    (await cookies()).set(flashCookie(host, message, { name: kind === "logo" ? "logo" : "picture", fields }));
    return asJson ? answer(201, { ...upload, next: page }) : redirectTo(page);
  } catch (error) {
    if (error instanceof UploadError) return refusal(error.reason, error.message);
    if (error instanceof NotFoundError) return answer(404, { error: error.message });
    if (error instanceof InvalidError) return answer(403, { error: error.message });
    log().error({ err: error }, "An upload could not be stored.");
    return refusal("unavailable", undefined, { "Retry-After": "5" });
  } finally {
    free?.();
  }
}

function answer(
  status: number,
  body: { error?: string | null; reason?: UploadReason } | (Upload & { next?: string }),
  headers: Record<string, string> = {},
): Response {
  const own = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
  return Response.json(body, { status, headers: { ...own, ...headers } });
}

function redirectTo(path: string): Response {
  return new Response(null, { status: 303, headers: { Location: path, "Cache-Control": "no-store" } });
}
