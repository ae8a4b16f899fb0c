import { env } from "@/lib/env";
import { fileAnswer, plainRefusal } from "@/lib/file-answer";
import { workspaceUrl } from "@/lib/host";
import { countOfReader } from "@/lib/reader-limits";
import type { PublicWorkspace } from "@/lib/site";
import { type SocialImage, socialImage, socialImageVersion } from "@/lib/social-image";
import { drawnSocialImage, drawSocialImage } from "@/lib/social-image/draw";

/**
 * How long the picture of an address that says what is on it may be used without asking again, in seconds: a day. By the
 * reader's browser alone: nobody else is to show the title of an article that was closed meanwhile.
 */
const DAY = 24 * 60 * 60;

/** Answers the picture of a page. */
export async function imageAnswer(
  request: Request,
  workspace: PublicWorkspace,
  page: { category: string; title: string } | null,
): Promise<Response> {
  const image = socialImage(workspace, workspaceUrl(workspace.subdomain, env().baseUrl), page);
  const png = (await drawnSocialImage(image)) ?? (await drawn(request, workspace, image));
  if (png instanceof Response) return png;
  if (!png) {
    return plainRefusal(503, "Too many pictures are being drawn: ask again in a moment.", { "Retry-After": "5" });
  }
  const isVersion = new URL(request.url).searchParams.get("v") === socialImageVersion(image);
  return fileAnswer(request, png, {
    contentType: "image/png",
    ...(isVersion && { kept: "private", maxAge: DAY }),
  });
}

/** A picture that has to be drawn, or what is answered to whoever has asked for too many of them. */
async function drawn(request: Request, { id }: PublicWorkspace, image: SocialImage) {
  const wait = await countOfReader("picture", id, request.headers.get("x-forwarded-for"));
  if (wait === null) return drawSocialImage(image);
  return plainRefusal(429, `Too many pictures were drawn for this address: go on in ${wait} seconds.`, {
    "Retry-After": String(wait),
  });
}
