import { slugify } from "@/lib/content/slug";
import { InvalidError, type InvalidField } from "@/lib/errors";

/** Whom a category is for: "inherit" says what the one above it says, and at the top what the workspace says. */
const visibilities = ["inherit", "everyone", "members"] as const;

export type CategoryVisibility = (typeof visibilities)[number];

/** What of a category can be written; its place is another matter (lib/categories/places.ts). */
export interface CategoryFields {
  name: string;
  /** As it was typed; empty: made of the name. */
  slug: string;
  /** Empty for none. */
  description: string;
  visibility: CategoryVisibility;
}

const MOST = { name: 200, description: 5_000 };

/**
 * Fields as they are stored.
 * @returns a slug that was given as one: "Getting started" and "/categories/getting-started" are `getting-started`; an
 *   empty one stays empty
 * @throws InvalidError naming every field that cannot be
 */
export function checkedCategory<Given extends Partial<CategoryFields>>(given: Given): Given {
  const invalid: InvalidField[] = [];
  const add = (field: keyof CategoryFields, code: InvalidField["code"], message: string) =>
    invalid.push({ field, code, message });
  const checked: Partial<CategoryFields> = {};
  if (given.name !== undefined) {
    const name = given.name.normalize("NFC").trim();
    if (name === "") add("name", "required", "A category needs a name.");
    else if (/[\p{Cc}\p{Cs}]/u.test(name)) add("name", "invalid", "A name has no line breaks or control characters.");
    else if (name.length > MOST.name) add("name", "too_long", `A name has at most ${MOST.name} characters.`);
    checked.name = name;
  }
  if (given.slug !== undefined) {
    const text = given.slug.trim().replace(/^.*\/categories\//, "");
    checked.slug = text === "" ? "" : slugify(text);
    if (checked.slug === "untitled" && !/untitled/i.test(text)) {
      add("slug", "invalid", "An address needs a letter or a digit, such as getting-started.");
    }
  }
  if (given.description !== undefined) {
    const description = given.description.normalize("NFC").replace(/\r\n?/g, "\n").trim();
    if (/[\p{Cs}\0]/u.test(description)) add("description", "invalid", "A description has no broken characters.");
    else if (description.length > MOST.description) {
      add("description", "too_long", `A description has at most ${MOST.description.toLocaleString("en")} characters.`);
    }
    checked.description = description;
  }
  if (given.visibility !== undefined) {
    if (!visibilities.includes(given.visibility)) {
      add("visibility", "invalid", "Choose one of the offered answers to who may read it.");
    }
    checked.visibility = given.visibility;
  }
  if (invalid.length > 0) throw new InvalidError(invalid);
  return { ...given, ...checked };
}

/** A refusal that is about one field. */
export function refusal(field: string, code: InvalidField["code"], message: string): InvalidError {
  return new InvalidError([{ field, code, message }]);
}
