const spelled: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", þ: "th", ı: "i" };

/** A subdomain for a name, empty for a name without Latin letters. */
export function suggestedSubdomain(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[ßæœøđłþı]/g, (letter) => spelled[letter] ?? "")
    .replace(/[\p{M}'’`]/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 41)
    .replace(/^-+|-+$/g, "");
}
