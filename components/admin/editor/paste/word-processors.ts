/** Stands for style while the HTML is read: the page's policy allows no style attribute, and browsers report each. */
const MARK = "data-lectern-";
const STYLE = `${MARK}style`;

/** A tag with its attributes, whose values may hold what looks like one. */
const TAG = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi;

/**
 * Turns the clipboard of Word and Google Docs into plain HTML with lists, tasks and links. Their styles and conditional
 * comments say what cleaning (lib/content) cannot know; the rest is left to it.
 */
export function plainerHtml(html: string): string {
  const readable = html
    // Word tells browsers what to leave out by comments that only look like tags.
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
    // The box is a picture.
    for (const picture of item.querySelectorAll(":scope > img, :scope > :not(ul, ol) > img:first-child"))
      picture.remove();
  }
  for (const code of body.querySelectorAll("p, span")) {
    if (code.localName === "span" && /vertical-align:\s*(super|sub)\b/.test(code.getAttribute(STYLE) ?? "")) {
      wrap(code, /vertical-align:\s*super/.test(code.getAttribute(STYLE) ?? "") ? "sup" : "sub");
    }
  }
  listWordItems(body);
  // A heading's id is made of its text when it is saved; theirs are noise.
  for (const heading of body.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    heading.removeAttribute("id");
    for (const anchor of heading.querySelectorAll("a[name]:not([href])")) anchor.replaceWith(...anchor.childNodes);
  }
  return body.innerHTML.replace(TAG, (tag) => tag.replaceAll(MARK, ""));
}

/**
 * How many images of this HTML cannot be had: from where they lie, on a disk or in a mail, and those that are written out in
 * their address in a form that is not taken.
 */
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

/** Word's lists are paragraphs that name their list and its level in their style. */
function listWordItems(body: HTMLElement): void {
  /** The lists that are open, by level, while one paragraph follows another; `of` is what Word calls each by. */
  let open: { list: Element; level: number; kind: string }[] = [];
  let last: Element | null = null;
  for (const line of body.querySelectorAll<HTMLElement>(`[${STYLE}*='mso-list']`)) {
    const [, name = "", depth, run = ""] =
      /mso-list:\s*(l\d+)\s+level(\d+)(?:\s+(lfo\d+))?/i.exec(line.getAttribute(STYLE) ?? "") ?? [];
    const level = Number(depth);
    if (!level || !/^(?:p|h\d|div)$/.test(line.localName)) continue;
    const label = line.querySelector(`[${STYLE}*='mso-list:Ignore' i]`);
    const marker = label?.textContent.replace(/\s/g, "") ?? "";
    // A heading with a number is still a heading.
    if (/^h\d$/.test(line.localName)) {
      label?.remove();
      continue;
    }
    if (!last || last !== line.previousElementSibling) open = [];
    label?.remove();
    while (open.length > 0 && (open.at(-1)?.level ?? 0) > level) open.pop();
    const number = /^\(?(?:\d{1,4}\.)*(\w{1,4})[.)]$|^(?:\d{1,4}\.)+(\d{1,4})$/.exec(marker)?.slice(1).join("");
    const kind = `${name} ${run}`;
    // Another list, though no other paragraph is between the two.
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

/** Whether pasted text is Markdown, by marks at the start of lines, or links and fences in it. */
export function looksLikeMarkdown(text: string): boolean {
  const blocks = /^(?:#{1,6} \S|[-*+] \S|\d{1,9}[.)] \S|> ?\S|```|~~~|\|.+\|[ \t]*$)/gm;
  const inline = /\[[^\]\n]+\]\([^)\s]+\)|\*\*\S[^*\n]*\*\*|(?<!`)`[^`\n]+`(?!`)/g;
  const marks = (text.match(blocks)?.length ?? 0) + (text.match(inline)?.length ?? 0);
  const lines = text.split("\n").filter((line) => line.trim() !== "").length;
  return marks > 0 && (/^(?:#{1,6} \S|```|~~~)/m.test(text) || marks >= 2 || lines <= 2);
}
