import { expect, test } from "vitest";
import { isFormOf, SlugBook, wantedSlug } from "@/lib/import/slugs";

test("a slug that is taken gets the first free number", () => {
  const book = new SlugBook(["intro", "intro-3"], []);
  expect(["intro", "intro", "intro", "other"].map((slug) => book.take(slug, "x"))).toEqual([
    ...["intro-2", "intro-4", "intro-5", "other"],
  ]);
});

test("a former slug belongs to its article", () => {
  const former = [{ slug: "old", id: "a" }];
  expect(new SlugBook([], former).take("old", "b")).toBe("old-2");
  expect(new SlugBook([], former).take("old", "a")).toBe("old");
});

test("a numbered slug stays within a hundred characters and is known for what it is", () => {
  const long = "x".repeat(100);
  const second = new SlugBook([long], []).take(long, "x");
  expect(second).toBe(`${"x".repeat(98)}-2`);
  expect(isFormOf(second, long)).toBe(true);
  expect(isFormOf("intro-12", "intro")).toBe(true);
  expect(isFormOf("intro-1", "intro")).toBe(false);
  expect(isFormOf("introduction", "intro")).toBe(false);
});

test("what a file asks for becomes a slug, whatever it wrote", () => {
  expect(wantedSlug("Über uns/2", "Title")).toBe("uber-uns-2");
  expect(wantedSlug(undefined, "A title")).toBe("a-title");
});
