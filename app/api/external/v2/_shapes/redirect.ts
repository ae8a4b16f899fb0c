import { z } from "zod";
import { encodedPath } from "@/lib/redirects/addresses";
import { addressOf, type Redirect } from "@/lib/redirects/redirects";
import { RedirectTarget } from "./redirect-target";
import type { Urls } from "./urls";

export const RedirectDetails = z
  .object({
    id: z.guid().describe("The redirect's ID, which never changes."),
    from: z.string().describe("The old path, such as `/help/billing`, percent-encoded."),
    to: RedirectTarget.nullable().describe("The destination. Null if the old URL returns 410."),
    to_url: z.url().nullable().describe("The absolute URL of the destination, or null."),
    automatic: z
      .boolean()
      .describe("Whether Lectern added the redirect automatically after a rename, move, or deletion."),
    created_at: z.iso.datetime().describe("When it was created."),
  })
  .meta({ id: "Redirect", description: "A redirect from an old URL of the knowledge base." });

export const RedirectAnswer = z
  .object({ redirect: RedirectDetails.describe("The redirect.") })
  .meta({ id: "RedirectAnswer", description: "One redirect." });

export function redirectShape({ id, fromPath, target, byHand, createdAt }: Redirect, urls: Urls) {
  const address = addressOf(target);
  return {
    id,
    from: encodedPath(fromPath),
    to: targetShape(target),
    to_url: address?.startsWith("/") ? urls.home + address : address,
    automatic: !byHand,
    created_at: createdAt.toISOString(),
  } satisfies z.input<typeof RedirectDetails>;
}

function targetShape(target: Redirect["target"]): z.input<typeof RedirectTarget> | null {
  switch (target.kind) {
    case "article":
      return { article_id: target.id };
    case "category":
      return { category_id: target.id };
    case "url":
      return { path: target.url };
    case "gone":
      return null;
  }
}
