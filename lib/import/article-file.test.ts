import { expect, test } from "vitest";
import { readArticleFile } from "@/lib/import/article-file";

const read = (text: string, path = "folder/set-up_a-printer.md") => readArticleFile(path, Buffer.from(text));

test("the title is the front matter's, else a heading's, else the file's name", () => {
  expect(read("---\ntitle: Given\n---\n# Heading\n").title).toBe("Given");
  expect(read("Some words.\n\n# The *real* `title`\n").title).toBe("The real title");
  expect(read("Underlined\n==========\n\nText").title).toBe("Underlined");
  expect(read("<!-- a comment -->\n\n### Opening ###\n\nText").title).toBe("Opening");
  expect(read("Text first.\n\n## Not the title\n").title).toBe("Set up a printer");
  expect(read("```\n# a comment in code\n```\n").title).toBe("Set up a printer");
  expect(read("", "API v2 reference.md").title).toBe("API v2 reference");
});

test("a heading that repeats the title goes, and the lines below keep their numbers", () => {
  expect(read("# Same\n\nText").body).toBe("\n\nText");
  expect(read("---\ntitle: same\n---\nSame\n====\nText").body).toBe("\n\nText");
  expect(read("---\ntitle: Other\n---\n# Same\n\nText").body).toBe("# Same\n\nText");
});

test("HTML has its title in h1 or title", () => {
  const page = (body: string) => read(`<html><head><title>From &amp; head</title></head><body>${body}`, "a.html");
  expect(page("<h1 class=x>Big\n<em>one</em></h1><p>Text").title).toBe("Big one");
  expect(page("<h1 class=x>Big\none</h1><p>Text").body).toContain("<body>\n<p>Text");
  expect(page("<p>Text").title).toBe("From & head");
  expect(page("<h1>never closed").title).toBe("From & head");
});

test("what is no UTF-8 text is refused with its line", () => {
  const refused = (bytes: Buffer) => {
    try {
      readArticleFile("a.md", bytes);
    } catch (error) {
      const { line, message } = error as { line?: number; message: string };
      return { line, message };
    }
    return undefined;
  };
  expect(refused(Buffer.from("Gr\u00fc\u00dfe"))).toBeUndefined();
  expect(refused(Buffer.from("one\nGr\u00fc\u00dfe", "latin1"))).toEqual({
    line: 2,
    message: "The file is not UTF-8 text. Save it as UTF-8.",
  });
  expect(refused(Buffer.from("one\n\0"))?.line).toBe(2);
  expect(read("\ufeff---\ntitle: With a mark\n---\n").title).toBe("With a mark");
});
