import type { Heading } from "@/lib/content/headings";
import { type Fragment, foundIn, fragment, type Sought } from "./highlights";

type Named = Pick<Heading, "id" | "text">;

export interface Passage {
  fragment: Fragment | null;
  heading: Named | null;
}

interface Section {
  heading: Named;
  /** In UTF-16 units of the text. The body begins below the heading. */
  start: number;
  body: number;
  end: number;
}

/**
 * Finds the best passage of an article in one piece of its text after another.
 * @param headings in the order of the article
 * @param inTitle how many different words of the search the title has: a heading must lead to more of them
 */
export function passagesOf(headings: readonly Named[], inTitle: number, words: readonly Sought[]) {
  const sectionsOf = sectionFinder(headings);
  const inHeadings = headings.length > 0 ? foundIn(headings.map(({ text }) => text), words) : []; // biome-ignore format: one line
  const most = Math.max(0, ...inHeadings);
  const titled = most > inTitle ? headings[inHeadings.indexOf(most)] : undefined;
  let before: Named | null = null;
  return (text: string): Passage => {
    const sections = sectionsOf(text);
    const above = before;
    before = sections.at(-1)?.heading ?? before;
    const section = titled && sections.findLast(({ heading }) => heading === titled);
    const densest = fragment(text, words);
    if (section && most >= (densest?.found ?? 0)) {
      const { heading, start, body, end } = section;
      const inside = fragment(text.slice(body, end), words) ?? fragment(text.slice(start, end), words);
      if (inside) return { fragment: { ...inside, found: most, isComplete: densest?.isComplete ?? false }, heading };
    }
    if (!densest || densest.found <= inTitle) return { fragment: densest, heading: null };
    return { fragment: densest, heading: sections.findLast(({ start }) => start <= densest.at)?.heading ?? above };
  };
}

/**
 * Finds the headings among the lines of a plain text. Headings with the same text take turns, so that a list of contents before
 * the sections does no harm.
 */
function sectionFinder(headings: readonly Named[]): (text: string) => Section[] {
  const turns = new Map<string, { headings: Named[]; next: number }>();
  for (const heading of headings) {
    const turn = turns.get(heading.text.trim());
    if (turn) turn.headings.push(heading);
    else turns.set(heading.text.trim(), { headings: [heading], next: 0 });
  }
  return (text) => {
    const sections: Section[] = [];
    if (turns.size === 0) return sections;
    for (const { 0: line, index: start } of text.matchAll(/[^\n]+/g)) {
      const turn = turns.get(line.trim());
      if (!turn) continue;
      const last = sections.at(-1);
      if (last) last.end = start;
      const heading = turn.headings[turn.next++ % turn.headings.length] as Named;
      sections.push({ heading, start, body: start + line.length, end: text.length });
    }
    return sections;
  };
}
