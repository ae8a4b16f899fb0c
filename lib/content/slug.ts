import anyAscii from "any-ascii";

const MAX_LENGTH = 100;

/** Shapes that address an article by its id or its permalink, so no slug may have them (contract 45). */
const RESERVED = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|a-[0-9a-f]{8})$/;

/**
 * The slug of a title (contract 45): transliterated, 1 to 100 lowercase ASCII letters, digits and hyphens, never the
 * shape of a uuid or a permalink. Whether it is free in its workspace is the caller's to find out.
 */
export function slugify(title: string): string {
  const words = anyAscii(title.normalize("NFC"))
    .toLowerCase()
    .replace(/['’`]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const whole = words.slice(0, MAX_LENGTH + 1);
  const cut = whole.length > MAX_LENGTH ? whole.replace(/-[^-]*$/, "").slice(0, MAX_LENGTH) : whole;
  if (cut === "") return "untitled";
  return RESERVED.test(cut) ? `article-${cut}` : cut;
}
