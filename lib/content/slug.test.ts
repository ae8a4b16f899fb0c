import fc from "fast-check";
import { expect, test } from "vitest";
import { slugify } from "@/lib/content/slug";

test.each([
  ["Getting started", "getting-started"],
  ["  Größe & Maß: 5 €  ", "grosse-mass-5-eur"],
  ["Don’t panic", "dont-panic"],
  ["日本語の記事", "ribenyunojishi"],
  ["Привет, мир", "privet-mir"],
  ["…", "untitled"],
  ["A-DEADBEEF", "article-a-deadbeef"],
  ["3f2504e0-4f89-11d3-9a0c-0305e82c3301", "article-3f2504e0-4f89-11d3-9a0c-0305e82c3301"],
  ["word ".repeat(40), `${"word-".repeat(19)}word`],
])("the slug of %j is %j", (title, slug) => {
  expect(slugify(title)).toBe(slug);
});

test("every title has a slug that is one, and whose own slug is itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 150 }), (title) => {
      const slug = slugify(title);
      expect(slug).toMatch(/^(?!a-[0-9a-f]{8}$)[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/);
      expect(slugify(slug)).toBe(slug);
    }),
  );
});
