const spelled: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", þ: "th", ı: "i" };

/** The subdomain that a name suggests; nothing where none of its letters is a Latin one. */
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
