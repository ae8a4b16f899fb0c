import { slugify } from "@/lib/content/slug";
import { InvalidError, type InvalidField } from "@/lib/errors";

/** "inherit" takes the visibility of the category above, and at the top the workspace's. */
export const categoryVisibilities = ["inherit", "everyone", "members"] as const;

export type CategoryVisibility = (typeof categoryVisibilities)[number];

export interface CategoryFields {
  name: string;
  /** As typed. An empty slug is derived from the name. */
  slug: string;
  description: string;
  visibility: CategoryVisibility;
}

const MOST = { name: 200, description: 5_000 };

/** Checks and normalizes. "Getting started" and "/categories/getting-started" become `getting-started`. */
export function checkedCategory<Input extends Partial<CategoryFields>>(input: Input): Input {
  const invalid: InvalidField[] = [];
  const add = (field: keyof CategoryFields, code: InvalidField["code"], message: string) =>
    invalid.push({ field, code, message });
  const checked: Partial<CategoryFields> = {};
  if (input.name !== undefined) {
    const name = input.name.normalize("NFC").trim();
    if (name === "") add("name", "required", "A category needs a name.");
    else if (/[\p{Cc}\p{Cs}]/u.test(name))
      add("name", "invalid", "A name can't contain line breaks or control characters.");
    else if (name.length > MOST.name) add("name", "too_long", `A name can have up to ${MOST.name} characters.`);
    checked.name = name;
  }
  if (input.slug !== undefined) {
    const text = input.slug.trim().replace(/^.*\/categories\//, "");
    checked.slug = text === "" ? "" : slugify(text);
    if (checked.slug === "untitled" && !/untitled/i.test(text)) {
      add("slug", "invalid", "Enter a slug with at least one letter or digit, such as getting-started.");
    }
  }
  if (input.description !== undefined) {
    const description = input.description.normalize("NFC").replace(/\r\n?/g, "\n").trim();
    if (/[\p{Cs}\0]/u.test(description))
      add("description", "invalid", "The description contains invalid characters. Remove them.");
    else if (description.length > MOST.description) {
      add(
        "description",
        "too_long",
        `A description can have up to ${MOST.description.toLocaleString("en")} characters.`,
      );
    }
    checked.description = description;
  }
  if (input.visibility !== undefined) {
    if (!categoryVisibilities.includes(input.visibility)) {
      add("visibility", "invalid", "Choose one of the visibility options.");
    }
    checked.visibility = input.visibility;
  }
  if (invalid.length > 0) throw new InvalidError(invalid);
  return { ...input, ...checked };
}

export function refusal(field: string, code: InvalidField["code"], message: string): InvalidError {
  return new InvalidError([{ field, code, message }]);
}
