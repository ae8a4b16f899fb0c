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

/** The contact as a link, if there is one. */
export function contactLink(contact: string | null): { href: string; text: string } | null {
  if (contact === null) return null;
  return isUrl(contact)
    ? { href: contact, text: contact.replace(/^https?:\/\/|\/$/g, "") }
    : { href: `mailto:${contact}`, text: contact };
}
