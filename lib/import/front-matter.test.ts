import { expect, test } from "vitest";
import { readCategorySettings, readFrontMatter } from "@/lib/import/front-matter";

const of = (yaml: string) => readFrontMatter(`---\n${yaml}\n---\nBody`).fields;

test("every field is read, in the forms people write it in", () => {
  const yaml = [
    "title: 404",
    "slug: not-found",
    "description: What it means",
    "page_title: Not found",
    "keywords: one,  two ,two",
    "tags: [Alpha, Beta]",
    "state: draft",
    "date: 2026-01-31",
    "updated_at: 2026-02-01 10:30",
    "sequence: 7",
    "related:\n  - a.md\n  - b",
    "author: ada@example.com",
    "show_table_of_contents: false",
    "layout: ignored",
  ].join("\n");
  expect(of(yaml)).toEqual({
    title: "404",
    slug: "not-found",
    metaDescription: "What it means",
    pageTitle: "Not found",
    keywords: ["one", "two"],
    tags: ["Alpha", "Beta"],
    state: "draft",
    createdAt: new Date("2026-01-31T00:00:00Z"),
    updatedAt: new Date("2026-02-01T10:30:00Z"),
    sequence: 7,
    related: ["a.md", "b"],
    author: "ada@example.com",
    showTableOfContents: false,
  });
});

test("a draft is one in the words of other systems too, and no other field publishes it", () => {
  const drafts = ["draft: true", "published: false", "status: draft"];
  const mixed = ["draft: true\nstate: published", "state: draft\npublished: true", "status: draft\nstate: published"];
  expect([...drafts, ...mixed].filter((yaml) => of(yaml).state !== "draft")).toEqual([]);
  const published = ["draft: false", "published: true", "status: published"];
  expect(published.filter((yaml) => of(yaml).state !== "published")).toEqual([]);
  expect(() => of("draft: soon")).toThrow("The “draft” field must be true or false.");
});

test("a time keeps its zone, and has none of the machine's when it names none", () => {
  expect(of("created_at: 2026-01-31T09:30:00+0200").createdAt?.toISOString()).toBe("2026-01-31T07:30:00.000Z");
  expect(of("created_at: 2026-01-31T09:30:00").createdAt?.toISOString()).toBe("2026-01-31T09:30:00.000Z");
});

test("the body is what stands below, and keeps its place in the file", () => {
  expect(readFrontMatter("---\r\ntitle: A\r\n---\r\nBody\r\n")).toEqual({
    fields: { title: "A" },
    body: "Body\r\n",
    linesBefore: 3,
  });
  expect(readFrontMatter("Text\n\n---\ntitle: A\n---\n").linesBefore).toBe(0);
  expect(readFrontMatter("---\nno end").body).toBe("---\nno end");
  expect(readFrontMatter("---\n---\nBody").body).toBe("Body");
});

test("what is wrong is said with the line of the file", () => {
  const refused = (yaml: string) => {
    try {
      of(yaml);
    } catch (error) {
      const { line, message } = error as { line?: number; message: string };
      return `${line}: ${message}`;
    }
    return "taken";
  };
  expect(refused("title: Fine")).toBe("taken");
  expect(refused("title: A\nstate: publised")).toBe("3: The “state” field must be draft or published.");
  expect(refused("title: A\nstatus: review")).toBe("3: The “status” field must be draft or published.");
  expect(refused("title: A\ntags: [a\nslug: b")).toMatch(/^[34]: This is not valid YAML: /);
  expect(refused("title: [A]")).toBe("2: The “title” field must be text of up to 300 characters.");
  expect(refused(`description: ${"a".repeat(5_001)}`)).toBe(
    "2: The “description” field must be text of up to 5,000 characters.",
  );
  const badTags = "2: The “tags” field must be a list of items of up to 100 characters each.";
  expect([refused("tags: [[a]]"), refused(`tags: ${"a".repeat(101)}`)]).toEqual([badTags, badTags]);
  expect(refused("created_at: soon")).toMatch(/^2: The “created_at” field must be a date such as 2026-01-31/);
  expect(refused("sequence: 1.5")).toBe("2: The “sequence” field must be a whole number.");
  expect(refused("show_table_of_contents: sometimes")).toMatch(/must be true or false/);
  expect(refused("- title")).toBe("2: This is not a list of fields, such as title: My article.");
  expect(refused(`a: &a [1]\nb: &b [${"*a,".repeat(200)}]\ntags: [${"*b,".repeat(200)}]`)).toMatch(/not valid YAML/);
});

test.each(["[", "{", "? ", "- ", "- ? ", "?\t", "[\n"])(
  "fields inside one another, as %j over and over, are refused",
  (unit) => {
    // The parser runs out of stack on these, and some end the process.
    expect(() => of(unit.repeat(10_000))).toThrow("The fields are nested too deeply.");
  },
);

test("a folder's file says what its category is", () => {
  expect(readCategorySettings("name: Guides\nsequence: 2\nvisibility: members\n")).toEqual({
    name: "Guides",
    sequence: 2,
    visibility: "members",
  });
  expect(() => readCategorySettings("visibility: nobody")).toThrow("must be inherit, everyone, or members");
  expect(readCategorySettings("")).toEqual({});
});
