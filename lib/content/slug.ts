import anyAscii from "any-ascii";

const MAX_LENGTH = 100;

/** Ids and permalinks, which no slug may look like (contract 45). */
const RESERVED = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|a-[0-9a-f]{8})$/;

/** A slug for a title (contract 45): 1 to 100 lowercase ASCII letters, digits and hyphens. It may be taken already. */
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
