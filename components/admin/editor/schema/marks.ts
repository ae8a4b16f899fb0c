import { InputRule, Mark, markInputRule } from "@tiptap/core";
import { MARKS, type MarkName, safeAddress } from "@/lib/content/schema";
import { addressOf } from "../parts/addresses";

/** Keys, Markdown syntax, and the elements that browsers produce while typing. */
const marks: Record<Exclude<MarkName, "a">, { key?: string; typed?: RegExp[]; aliases?: string[] }> = {
  strong: {
    key: "Mod-b",
    typed: [/(?:^|\s)(\*\*(?!\s)([^*]+)(?<!\s)\*\*)$/, /(?:^|\s)(__(?!\s)([^_]+)(?<!\s)__)$/],
    aliases: ["b"],
  },
  em: {
    key: "Mod-i",
    typed: [/(?:^|\s)(\*(?![\s*])([^*]+)(?<!\s)\*)$/, /(?:^|\s)(_(?![\s_])([^_]+)(?<!\s)_)$/],
    aliases: ["i"],
  },
  u: { key: "Mod-u" },
  s: { key: "Mod-Shift-x", typed: [/(?:^|\s)(~~(?!\s)([^~]+)(?<!\s)~~)$/], aliases: ["del", "strike"] },
  mark: { key: "Mod-Shift-h", typed: [/(?:^|\s)(==(?!\s)([^=]+)(?<!\s)==)$/] },
  sub: { key: "Mod-," },
  sup: { key: "Mod-." },
  kbd: {},
  code: { key: "Mod-e", typed: [/(?:^|[^`])(`(?!\s)([^`]+)(?<!\s)`)$/] },
};

/** A link. Limited to URLs that clean HTML allows. Text typed after the link is not part of it. */
const link = Mark.create({
  name: "link",
  inclusive: false,
  addAttributes: () => ({ href: { default: null }, title: { default: null } }),
  parseHTML: () => [{ tag: "a[href]", getAttrs: linkAttributes }],
  renderHTML: ({ HTMLAttributes }) => ["a", HTMLAttributes, 0],
  addInputRules() {
    // Markdown's [text](url), but no image.
    const find = /(?<!!)\[([^[\]\n]+)\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)?)\)$/;
    return [
      new InputRule({
        find,
        handler: ({ state, range, match: [, text = "", typed = ""] }) => {
          const href = addressOf(typed)?.href;
          if (!href) return null;
          const { from, to } = range;
          state.tr
            .replaceWith(from, to, state.schema.text(text, [this.type.create({ href })]))
            .removeStoredMark(this.type);
        },
      }),
    ];
  },
});

/** An `a` element's link attributes, or false if clean HTML would drop the link. */
export function linkAttributes(element: HTMLElement): { href: string; title: string | null } | false {
  const href = safeAddress(element.getAttribute("href") ?? "", "link");
  return href ? { href, title: element.getAttribute("title") } : false;
}

/** All marks, in nesting order. */
export const markExtensions = MARKS.map((name) => {
  if (name === "a") return link;
  const { key, typed = [], aliases = [] } = marks[name];
  return Mark.create({
    name,
    ...(name === "code" && { code: true, exitable: true }),
    parseHTML: () => [name, ...aliases].map((tag) => ({ tag })),
    renderHTML: () => [name, 0],
    addKeyboardShortcuts() {
      return key ? { [key]: () => this.editor.commands.toggleMark(name) } : {};
    },
    addInputRules() {
      return typed.map((find) => markInputRule({ find, type: this.type }));
    },
  });
});
