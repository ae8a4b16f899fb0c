import fc from "fast-check";
import type { Root } from "hast";
import DOMPurify from "isomorphic-dompurify";
import rehypeSanitize from "rehype-sanitize";
import { unified } from "unified";
import { expect, test } from "vitest";
import { canonicalBlocks } from "@/lib/content/canonical";
import { cleanTree, contentFromHtml } from "@/lib/content/content";
import { htmlForReader } from "@/lib/content/for-reader";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import { attribute, isElement, parseHtml, type SourceNode, textOf } from "@/lib/content/parse";
import { renderedHtml } from "@/lib/content/render";
import { schema } from "@/lib/content/schema";
import { markdownFromHtml } from "@/lib/content/to-markdown";
import { wordsFor } from "@/lib/reader/words";
import { wildHtml, words } from "@/testing/html";

// The same documents in every run, so that a failure is one of the change; FUZZ_SEED and FUZZ_TIMES draw others and more.
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) });
const times = Number(process.env.FUZZ_TIMES ?? 1);

const garbage = fc.string({ unit: "binary", maxLength: 200 });

const wildMarkdown = fc
  .array(
    fc.oneof(
      words,
      fc.constantFrom(
        "\n\n",
        "\n",
        "> ",
        "- ",
        "1. ",
        "## ",
        "```\n",
        "**",
        "*",
        "| a | b |\n|---|:-:|\n| c | d |\n",
        "- [ ] ",
      ),
      fc.constantFrom(
        "[^1]: n\n",
        "[x]: /y\n",
        "<b>",
        "</b>",
        "<details>\n\n",
        "<kbd>k</kbd>",
        "~~",
        "  ",
        "\\",
        "<your name>",
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

test("cleaning what was cleaned changes nothing, whatever the HTML", () => {
  fc.assert(
    fc.property(fc.oneof(wildHtml, garbage), (source) => {
      const once = contentFromHtml(source);
      const twice = contentFromHtml(once.html);
      // Only the lines of links differ, because the clean source has other lines.
      expect({ ...twice, links: [] }).toEqual({ ...once, links: [] });
    }),
    { numRuns: 1500 * times },
  );
});

test("clean HTML written as Markdown and read again is the same clean HTML", () => {
  const htmlOf = fc.oneof(
    wildHtml.map((source) => contentFromHtml(source).html),
    wildMarkdown.map((source) => contentFromMarkdown(source).html),
  );
  fc.assert(
    fc.property(htmlOf, (html) => {
      const markdown = markdownFromHtml(html);
      expect({ markdown, html: contentFromMarkdown(markdown).html }).toEqual({ markdown, html });
    }),
    { numRuns: 1000 * times },
  );
});

test("DOMPurify finds nothing to remove from what was cleaned", () => {
  DOMPurify.sanitize("<p onclick=x>");
  expect(DOMPurify.removed).toHaveLength(1);
  fc.assert(
    fc.property(fc.oneof(wildHtml, garbage), (source) => {
      // Its rule for ids that are names of document's properties does not apply to headings (schema.ts).
      DOMPurify.sanitize(contentFromHtml(source).html, { SANITIZE_DOM: false });
      expect(DOMPurify.removed).toEqual([]);
    }),
    { numRuns: 500 * times },
  );
});

test("the writer alone is as strict as the guard behind it", () => {
  const guard = unified().use(rehypeSanitize, schema);
  const withoutH1AndIds = wildHtml.filter((source) => !/<h|id=/.test(source));
  fc.assert(
    fc.property(withoutH1AndIds, (source) => {
      const root: Root = { type: "root", children: canonicalBlocks(parseHtml(source, false), {}) };
      expect(guard.runSync(root)).toEqual(root);
    }),
    { numRuns: 500 * times },
  );
});

test("for the reader page, elements get frames and names, and nothing else is different", async () => {
  await fc.assert(
    fc.asyncProperty(wildHtml, async (source) => {
      const rendered = await renderedHtml(cleanTree(source).root);
      const printed = parseHtml(htmlForReader(rendered, wordsFor("en")), false);
      expect(essence(printed)).toEqual(essence(parseHtml(rendered, false)));
      expect(frames(printed)).toEqual([]);
    }),
    { numRuns: 500 * times },
  );
});

/** Elements with their attributes and texts, without what htmlForReader adds. */
function essence(nodes: readonly SourceNode[]): unknown[] {
  return nodes.flatMap((node) => {
    if (!isElement(node)) return [textOf([node])];
    const name = attribute(node, "class") ?? "";
    if (["heading-link", "code-head", "callout-name"].includes(name)) return [];
    if (/^(?:code|heading heading-h\d)$/.test(name)) return essence(node.childNodes);
    const attributes = node.attrs.filter(({ name }) => !["role", "aria-label", "data-player"].includes(name));
    // A video's link is given other words.
    const inside: any[] = essence(node.childNodes);
    return [
      [node.tagName, attributes, name === "video" ? inside.map(([tag, attributes]) => [tag, attributes]) : inside],
    ];
  });
}

/** Headings, code and callouts that lack what surrounds them. */
function frames(nodes: readonly SourceNode[], parent = ""): string[] {
  return nodes.filter(isElement).flatMap((node) => {
    const [name = "", first] = [attribute(node, "class"), node.childNodes.find(isElement)];
    const lacks =
      (/^h[2-6]$/.test(node.tagName) && parent !== `heading heading-${node.tagName}`) ||
      (node.tagName === "pre" && parent !== "code") ||
      (name.startsWith("callout ") && (!first || attribute(first, "class") !== "callout-name"));
    return [...(lacks ? [node.tagName] : []), ...frames(node.childNodes, name)];
  });
}
