import { describe, expect, test } from "vitest";
import { passagesOf } from "./passages";
import { parseQuery } from "./query";

const filler = "Nothing here says anything about it, as you will see when you read on. ".repeat(6);
const named = (...texts: string[]) => texts.map((text, index) => ({ id: `h${index}`, text }));
const sought = (query: string) =>
  parseQuery(query).groups.flatMap((ways, group) => ways.flat().map((word) => ({ ...word, group })));
const plain = (html: string | undefined) => html?.replace(/<[^>]+>/g, "");

function passage(query: string, headings: string[], text: string, inTitle = 0) {
  const { fragment, heading } = passagesOf(named(...headings), inTitle, sought(query))(text);
  return [heading?.id ?? null, plain(fragment?.html) ?? null];
}

describe("the heading of a passage", () => {
  const headings = ["Sewing", "Knitting", "Mending"];
  const text = `A word before.\nSewing\nTake a needle. ${filler}\nKnitting\nTake wool and two needles. ${filler}\nMending\nCut the thread.`;

  test("is the one above the passage", () => {
    expect(passage("thread", headings, text)[0]).toBe("h2");
    expect(passage("needle wool", headings, text)[0]).toBe("h1");
  });

  test("is null above the first heading, without a passage, and where the title has as many of the words", () => {
    expect(passage("word", headings, text)[0]).toBeNull();
    expect(passage("absent", headings, text)).toEqual([null, null]);
    expect(passage("needle", headings, text, 1)[0]).toBeNull();
    expect(passage("needle wool", headings, text, 1)[0]).toBe("h1");
    expect(passage("needle", [], text)[0]).toBeNull();
  });

  test("is one that has the words itself, with a passage from below it", () => {
    const [heading, shown] = passage(
      "knitting needles",
      ["Sewing", "Knitting needles"],
      `Sewing\nKnitting, with needles. ${filler}\nKnitting needles\nThey are long. Needles of wood are light.`,
    );
    expect([heading, shown]).toEqual(["h1", "They are long. Needles of wood are light."]);
    expect(passage("mending", headings, text)).toEqual(["h2", "Mending Cut the thread."]);
  });

  test("is right behind a list of contents, and where several have the same text", () => {
    const same = ["Sewing", "Steps", "Knitting", "Steps"];
    const contents = `${same.join("\n")}\n`;
    const body = `Sewing\n${filler}\nSteps\nTake a needle.\nKnitting\n${filler}\nSteps\nTake wool.`;
    expect(passage("needle", same, contents + body)[0]).toBe("h1");
    expect(passage("wool", same, contents + body)[0]).toBe("h3");
    expect(passage("wool", same, body)[0]).toBe("h3");
  });

  test("is known in a text that comes in two pieces", () => {
    const passageIn = passagesOf(named("Steps", "Steps"), 0, sought("wool"));
    expect(passageIn(`Steps\n${filler}`).fragment).toBeNull();
    expect(passageIn(`still the first: wool\nSteps\n${filler}`).heading?.id).toBe("h0");
    const other = passagesOf(named("Steps", "Steps"), 0, sought("wool"));
    other(`Steps\n${filler}`);
    expect(other(`still the first\nSteps\nTake wool.`).heading?.id).toBe("h1");
  });
});
