import type { Node } from "@tiptap/pm/model";
import { tokenOf } from "@/lib/content/snippet-names";
import { anchorsIn, headingsIn } from "../parts/anchors";
import { hostElsewhere } from "../parts/elsewhere";
import { snippetsIn } from "../parts/snippets";

export interface Lookup {
  title: string;
  /** Paths on this site, each with the anchors that links point to. */
  links: { path: string; places: string[] }[];
  /** Names. */
  snippets: string[];
}

export interface LookedUp {
  /** Whether another article has this title. */
  isTitleTaken: boolean;
  links: {
    path: string;
    /** "own" means the article itself. */
    leads: "there" | "own" | "unpublished" | "nowhere";
    /** Anchors that the page does not have. */
    missing: string[];
  }[];
  /** Where readers see their content. Empty while the workspace has no snippets. */
  snippets: { name: string; works: "anywhere" | "alone" | "nowhere" }[];
}

export interface Finding {
  says: string;
  /** Its position. The title is outside the text. */
  at: { from: number; to: number; isNode: boolean } | "title";
}

/** Limits on links and snippets to look up, on anchors per link and on lengths. */
const MOST = { links: 200, snippets: 200, places: 20, path: 500, place: 200 };

/** @param origin this site's origin, such as "https://docs.example.com" */
export function lookupOf(document: Node, title: string, origin: string): Lookup {
  const links = new Map<string, Set<string>>();
  for (const { href } of linksIn(document)) {
    const target = targetOf(href, origin);
    if (!target || target.path.length > MOST.path || (links.size >= MOST.links && !links.has(target.path))) continue;
    const places = links.get(target.path) ?? new Set();
    if (target.place && target.place.length <= MOST.place && places.size < MOST.places) places.add(target.place);
    links.set(target.path, places);
  }
  return {
    title: title.trim(),
    links: [...links].map(([path, places]) => ({ path, places: [...places] })),
    snippets: [...new Set(snippetsIn(document).map(({ name }) => name))].slice(0, MOST.snippets),
  };
}

/** The issues, in text order. @param known null until the server answers */
export function findingsIn(document: Node, title: string, origin: string, known: LookedUp | null): Finding[] {
  const findings = [
    ...images(document, origin),
    ...levels(document),
    ...links(document, origin, known),
    ...snippets(document, known),
  ];
  findings.sort((one, other) => one.at.from - other.at.from);
  const isTaken = known?.isTitleTaken && title.trim() !== "";
  return isTaken ? [{ says: `Duplicate title: “${title.trim()}”`, at: "title" }, ...findings] : findings;
}

type InText = Finding & { at: { from: number } };

function images(document: Node, origin: string): InText[] {
  const found: InText[] = [];
  document.descendants((node, from) => {
    if (!/^(?:image|captionedImage)$/.test(node.type.name)) return;
    const { alt, src } = node.attrs as { alt: string; src: string };
    const at = { from, to: from + node.nodeSize, isNode: true };
    if (alt.trim() === "") found.push({ says: "Image is missing alt text", at });
    const host = hostElsewhere(src, origin);
    if (host) found.push({ says: `Image is hosted on ${host}. Upload a copy.`, at });
  });
  return found;
}

/** Headings more than one level below the previous one. The title counts as the first. */
function levels(document: Node): InText[] {
  const found: InText[] = [];
  let above = 1;
  for (const { node, from } of headingsIn(document)) {
    const level = node.attrs.level as number;
    if (level > above + 1) {
      found.push({
        says: `Heading level skipped: H${level} “${shortened(node.textContent)}” after H${above}`,
        at: { from: from + 1, to: from + node.nodeSize - 1, isNode: false },
      });
    }
    above = level;
  }
  return found;
}

function links(document: Node, origin: string, known: LookedUp | null): InText[] {
  const own = new Set(anchorsIn(document).map(({ id }) => id));
  return linksIn(document).flatMap(({ href, text, at }) => {
    const target = targetOf(href, origin);
    const within = target ? null : placeOf(href);
    const answer = known?.links.find(({ path }) => path === target?.path);
    const place = target?.place ?? within;
    const leads = target ? answer?.leads : "own";
    const name = text === "" ? "image" : `“${shortened(text)}”`;
    const says =
      leads === "nowhere"
        ? `Broken link: ${name} to ${target?.path}`
        : leads === "unpublished"
          ? `Link to a draft: ${name} to ${target?.path}`
          : leads === "own" && place && !own.has(place)
            ? `Broken anchor: ${name} to #${place}`
            : place && answer?.missing.includes(place)
              ? `Broken anchor: ${name} to ${target?.path}#${place}`
              : null;
    return says === null ? [] : [{ says, at }];
  });
}

function snippets(document: Node, known: LookedUp | null): InText[] {
  const works = new Map(known?.snippets.map((one) => [one.name, one.works]));
  return snippetsIn(document).flatMap(({ name, from, to, isAlone }) => {
    const at = { from, to, isNode: false };
    if (works.get(name) === "nowhere") return [{ says: `Unknown snippet: ${tokenOf(name)}`, at }];
    if (works.get(name) !== "alone" || isAlone) return [];
    return [{ says: `Snippet needs its own paragraph: ${tokenOf(name)}`, at }];
  });
}

interface LinkInText {
  href: string;
  text: string;
  at: { from: number; to: number; isNode: boolean };
}

/** Every link as one entry, even if marks split its text. */
export function linksIn(document: Node): LinkInText[] {
  const found: LinkInText[] = [];
  document.descendants((node, from) => {
    const mark = node.marks.find(({ type }) => type.name === "link");
    const href = (node.type.name === "captionedImage" ? node.attrs.href : mark?.attrs.href) as
      | string
      | null
      | undefined;
    if (!href) return;
    const last = found.at(-1);
    const to = from + node.nodeSize;
    if (last && last.href === href && last.at.to === from) {
      last.text += node.text ?? "";
      last.at = { from: last.at.from, to, isNode: false };
    } else found.push({ href, text: node.text ?? "", at: { from, to, isNode: !node.isText } });
  });
  return found;
}

/** The page of this site that a URL points to. Null for other sites, the article's own anchors and the home page. */
function targetOf(href: string, origin: string): { path: string; place: string | null } | null {
  if (href.startsWith("#") || !URL.canParse(href, `${origin}/articles/-`)) return null;
  const url = new URL(href, `${origin}/articles/-`);
  const path = url.pathname.replace(/\/+$/, "");
  return url.origin === origin && path !== "" ? { path, place: placeOf(url.hash) } : null;
}

/** The anchor that a fragment names, or null. */
function placeOf(href: string): string | null {
  if (!href.startsWith("#") || href === "#") return null;
  try {
    return decodeURIComponent(href.slice(1));
  } catch {
    return href.slice(1);
  }
}

function shortened(text: string): string {
  const letters = [...text.trim()];
  return letters.length > 60 ? `${letters.slice(0, 59).join("")}…` : letters.join("") || "Untitled";
}
