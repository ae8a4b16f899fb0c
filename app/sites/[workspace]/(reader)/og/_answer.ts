import { takeLimit } from "@/lib/counters";
import { env } from "@/lib/env";
import { fileAnswer, plainRefusal } from "@/lib/http/file-answer";
import { workspaceUrl } from "@/lib/http/host";
import { tooManyRequests } from "@/lib/limits";
import { drawnSocialImage, drawSocialImage } from "@/lib/reader/draw-social-image";
import { type SocialImage, socialImage, socialImageVersion } from "@/lib/reader/social-image";
import type { PublicWorkspace } from "@/lib/site";

/** Seconds. Only the reader's browser may cache the image, because the article may become hidden. */
const MAX_AGE = 24 * 60 * 60;

export async function imageAnswer(
  request: Request,
  workspace: PublicWorkspace,
  page: { category: string; title: string } | null,
): Promise<Response> {
  const image = socialImage(workspace, workspaceUrl(workspace.subdomain, env().baseUrl), page);
  const png = (await drawnSocialImage(image)) ?? (await drawn(request, workspace, image));
  if (png instanceof Response) return png;
  if (!png) {
    return plainRefusal(503, "Too many requests. Try again in a few seconds.", { "Retry-After": "5" });
  }
  const isVersion = new URL(request.url).searchParams.get("v") === socialImageVersion(image);
  return fileAnswer(request, png, {
    contentType: "image/png",
    ...(isVersion && { kept: "private", maxAge: MAX_AGE }),
  });
}

async function drawn(request: Request, { id }: PublicWorkspace, image: SocialImage) {
  const wait = await takeLimit("socialImage", { workspace: id, network: request.headers.get("x-forwarded-for") });
  if (wait === null) return drawSocialImage(image);
  const { status, headers } = tooManyRequests(wait);
  return plainRefusal(status, `Too many requests. Try again in ${wait} seconds.`, headers);
}
