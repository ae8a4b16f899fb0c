export interface HeaderLink {
  label: string;
  /** A path of the site, or a URL of another one. */
  url: string;
}

/** What the owner adds to the reader's pages. */
export interface SiteSettings {
  /** Null for the name of the workspace. */
  homeHeadline: string | null;
  homeText: string | null;
  /** An email or a URL, for readers who find no answer. */
  contact: string | null;
  headerLinks: HeaderLink[];
}

export const MOST_HEADER_LINKS = 3;

/** Whether a text is a URL of a web page. */
export function isUrl(text: string): boolean {
  return URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol);
}

/** The contact as the target of a link. */
export function contactHref(contact: string): string {
  return isUrl(contact) ? contact : `mailto:${contact}`;
}
