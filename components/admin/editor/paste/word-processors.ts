/**
 * Replaces the style attribute while the HTML is read. The page's policy forbids style attributes, and browsers report
 * each.
 */
const MARK = "data-lectern-";
const STYLE = `${MARK}style`;

/** A tag with its attributes. Attribute values may contain text that looks like a tag. */
const TAG = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi;

/**
 * Turns Word and Google Docs clipboards into plain HTML with lists, tasks and links. Reads the styles and conditional
 * comments that cleaning (lib/content) would drop, and leaves the rest to cleaning.
 */
export function plainerHtml(html: string): string {
  const readable = html
    // Word hides content from browsers with markup that only looks like comments.
    .replace(/<!\[(?:if|endif)[^>]*(?<!--)>/gi, "")
    .replace(/<style\b[\s\S]*?<\/style>/gi, "")
    .replace(TAG, (tag) => tag.replace(/(?<=[\s"'])(?=style\s*=)/gi, MARK));
  const { body } = new DOMParser().parseFromString(readable, "text/html");
  for (const element of body.querySelectorAll(`o\\:p, [${STYLE}*='mso-element:comment'], [${STYLE}*='mso-hide:all']`)) {
    if (element.localName === "o:p" && element.textContent.trim() !== "") element.replaceWith(...element.childNodes);
    else element.remove();
  }
  for (const link of body.querySelectorAll("a[href]")) settleLink(link);
  for (const style of ["Title", "Heading1", "Heading2", "Heading3"]) {
    for (const line of body.querySelectorAll(`p.Mso${style}`)) {
      rename(line, style === "Title" ? "h1" : `h${style.slice(-1)}`);
    }
  }
  for (const item of body.querySelectorAll("li[role=checkbox]")) {
    item.setAttribute("data-checked", String(item.getAttribute("aria-checked") === "true"));
    // Google Docs draws the checkbox as a picture.
    for (const picture of item.querySelectorAll(":scope > img, :scope > :not(ul, ol) > img:first-child"))
      picture.remove();
  }
  for (const code of body.querySelectorAll("p, span")) {
    if (code.localName === "span" && /vertical-align:\s*(super|sub)\b/.test(code.getAttribute(STYLE) ?? "")) {
      wrap(code, /vertical-align:\s*super/.test(code.getAttribute(STYLE) ?? "") ? "sup" : "sub");
    }
  }
  listWordItems(body);
  // Saving creates heading ids from the text, so pasted ids are useless.
  for (const heading of body.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    heading.removeAttribute("id");
    for (const anchor of heading.querySelectorAll("a[name]:not([href])")) anchor.replaceWith(...anchor.childNodes);
  }
  return body.innerHTML.replace(TAG, (tag) => tag.replaceAll(MARK, ""));
}

/** Counts the images that cannot be imported: files on a disk or in an email, and data URLs in an unsupported format. */
export function imagesLeftOut(html: string): { away: number; unfit: number } {
  const schemes = [...html.matchAll(/<img\b(?:[^>"']|"[^"]*"|'[^']*')*?\ssrc=["']?(?!https?:|\/|\.)([a-z-]+):/gi)].map(
    ([, scheme]) => scheme,
  );
  const unfit = schemes.filter((scheme) => scheme?.toLowerCase() === "data").length;
  return { away: schemes.length - unfit, unfit };
}

/** Removes Google's redirect from a link, and links to positions in the other document. */
function settleLink(link: Element): void {
  const href = link.getAttribute("href") ?? "";
  if (/^(?:file:\/\/[^#]*|about:blank)?#|^file:/i.test(href)) return link.replaceWith(...link.childNodes);
  const wrapped = /^https:\/\/www\.google\.com\/url\?(.*)$/.exec(href)?.[1];
  const target = wrapped && new URLSearchParams(wrapped).get("q");
  if (target) link.setAttribute("href", target);
}

/** Word writes lists as paragraphs whose style names the list and the level. */
function listWordItems(body: HTMLElement): void {
  /** The open lists, by level, within a run of list paragraphs. `kind` is Word's name for the list. */
  let open: { list: Element; level: number; kind: string }[] = [];
  let last: Element | null = null;
  for (const line of body.querySelectorAll<HTMLElement>(`[${STYLE}*='mso-list']`)) {
    const [, name = "", depth, run = ""] =
      /mso-list:\s*(l\d+)\s+level(\d+)(?:\s+(lfo\d+))?/i.exec(line.getAttribute(STYLE) ?? "") ?? [];
    const level = Number(depth);
    if (!level || !/^(?:p|h\d|div)$/.test(line.localName)) continue;
    const label = line.querySelector(`[${STYLE}*='mso-list:Ignore' i]`);
    const marker = label?.textContent.replace(/\s/g, "") ?? "";
    // A numbered heading is still a heading.
    if (/^h\d$/.test(line.localName)) {
      label?.remove();
      continue;
    }
    if (!last || last !== line.previousElementSibling) open = [];
    label?.remove();
    while (open.length > 0 && (open.at(-1)?.level ?? 0) > level) open.pop();
    const number = /^\(?(?:\d{1,4}\.)*(\w{1,4})[.)]$|^(?:\d{1,4}\.)+(\d{1,4})$/.exec(marker)?.slice(1).join("");
    const kind = `${name} ${run}`;
    // Another list starts, even without a paragraph between the two.
    if (open.at(-1)?.level === level && open.at(-1)?.kind !== kind) open.pop();
    let current = open.at(-1);
    if (!current || current.level < level) {
      const list = body.ownerDocument.createElement(number ? "ol" : "ul");
      if (number && /^\d+$/.test(number) && number !== "1") list.setAttribute("start", number);
      const host = current?.list.lastElementChild;
      if (host) host.append(list);
      else line.before(list);
      current = { list, level, kind };
      open.push(current);
    }
    const item = body.ownerDocument.createElement("li");
    item.append(...line.childNodes);
    current.list.append(item);
    const outermost = open[0]?.list ?? null;
    line.remove();
    last = outermost;
  }
}

function rename(element: Element, name: string): void {
  const renamed = element.ownerDocument.createElement(name);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
}

function wrap(element: Element, name: string): void {
  const outer = element.ownerDocument.createElement(name);
  outer.append(...element.childNodes);
  element.replaceChildren(outer);
}

/** Whether text is Markdown, judged by marks at line starts, links and code fences. */
export function looksLikeMarkdown(text: string): boolean {
  const blocks = /^(?:#{1,6} \S|[-*+] \S|\d{1,9}[.)] \S|> ?\S|```|~~~|\|.+\|[ \t]*$)/gm;
  const inline = /\[[^\]\n]+\]\([^)\s]+\)|\*\*\S[^*\n]*\*\*|(?<!`)`[^`\n]+`(?!`)/g;
  const marks = (text.match(blocks)?.length ?? 0) + (text.match(inline)?.length ?? 0);
  const lines = text.split("\n").filter((line) => line.trim() !== "").length;
  return marks > 0 && (/^(?:#{1,6} \S|```|~~~)/m.test(text) || marks >= 2 || lines <= 2);
}
