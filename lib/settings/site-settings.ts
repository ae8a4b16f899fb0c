import { z } from "zod";
import type { Actor } from "@/lib/audit/audit";
import type { Db } from "@/lib/db";
import { InvalidError, type InvalidField } from "@/lib/errors";
import { changeWorkspace } from "@/lib/settings/change-workspace";
import { type HeaderLink, isUrl, MOST_HEADER_LINKS } from "@/lib/settings/site-fields";

/**
 * Changes the settings. Empty texts become null, and empty links are left out.
 * @throws InvalidError for `headline`, `text`, `contact`, and `label1`, `url1` and so on for links
 */
export async function changeSite(
  db: Db,
  input: { headline: string; text: string; contact: string; links: HeaderLink[] },
  actor: Actor,
): Promise<void> {
  const invalid: InvalidField[] = [];
  const refuse = (field: string, message: string) => invalid.push({ field, code: "invalid", message });
  const cleaned = (field: string, typed: string, most: number): string => {
    const text = typed.normalize("NFC").trim();
    if (text.length > most) refuse(field, `Use up to ${most} characters.`);
    if (/[\p{Cc}\p{Cs}]/u.test(text)) refuse(field, "Use one line without control characters.");
    return text;
  };
  const homeHeadline = cleaned("headline", input.headline, 100) || null;
  const homeText = cleaned("text", input.text, 300) || null;
  const contact = cleaned("contact", input.contact, 500) || null;
  if (contact && !isUrl(contact) && !z.email().safeParse(contact).success) {
    refuse("contact", "Enter an email, or a URL that begins with https://.");
  }
  const links = input.links.slice(0, MOST_HEADER_LINKS).map(({ label, url }, index) => {
    const link = { label: cleaned(`label${index + 1}`, label, 30), url: cleaned(`url${index + 1}`, url, 500) };
    if (link.label && !link.url) refuse(`url${index + 1}`, "Enter a URL.");
    if (link.url && !link.label) refuse(`label${index + 1}`, "Enter a label.");
    if (link.url && !isUrl(link.url) && !/^\/(?![/\\])/.test(link.url)) {
      refuse(`url${index + 1}`, "Enter a path such as /search, or a URL that begins with https://.");
    }
    return link;
  });
  if (invalid.length > 0) throw new InvalidError(invalid);
  const headerLinks = links.filter(({ url }) => url !== "");
  await changeWorkspace(db, { homeHeadline, homeText, contact, headerLinks }, actor);
}
