import { addressOf, type Redirect } from "@/lib/redirects/redirects";

/** The effect of a redirect, as a sentence. */
export function effectOf({ target, byHand }: Redirect): string {
  switch (target.kind) {
    case "article":
      return target.published
        ? `Redirects to the article “${target.title}.”`
        : `Redirects to “${target.title},” which isn't published. Readers see “page not found.”`;
    case "category":
      return `Redirects to the category “${target.name}.”`;
    case "url":
      return isAnotherSite(target.url)
        ? `Redirects to another site: ${target.url}`
        : `Redirects to ${addressOf(target)}.`;
    case "gone":
      return byHand ? "Shows “page removed.”" : "Shows “page removed” to readers who could see that page.";
  }
}

export function isAnotherSite(url: string): boolean {
  return !url.startsWith("/");
}
