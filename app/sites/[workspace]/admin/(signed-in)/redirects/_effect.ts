import { addressOf, type Redirect } from "@/lib/redirects/redirects";

/** The effect of a redirect, as a sentence. */
export function effectOf({ fromPath, target, byHand }: Redirect): string {
  switch (target.kind) {
    case "article":
      return target.published
        ? `${fromPath} leads to the article “${target.title}”.`
        : `${fromPath} leads to the article “${target.title}”, which is not published: readers find nothing.`;
    case "category":
      return `${fromPath} leads to the category “${target.name}”.`;
    case "url":
      return isAnotherSite(target.url)
        ? `${fromPath} leads to another site: ${target.url}`
        : `${fromPath} leads to ${addressOf(target)}.`;
    case "gone":
      return byHand
        ? `Who comes to ${fromPath} reads that the page was removed.`
        : `What was at ${fromPath} was removed. Readers are told so if nothing there was hidden from them.`;
  }
}

export function isAnotherSite(url: string): boolean {
  return !url.startsWith("/");
}
