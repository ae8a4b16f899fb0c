import { Node, nodeInputRule } from "@tiptap/core";
import CodeBlock from "@tiptap/extension-code-block";
import { DOMSerializer } from "@tiptap/pm/model";
import { Plugin, Selection, TextSelection } from "@tiptap/pm/state";
import { videoAt } from "@/lib/content/embeds";
import { IMAGE_ALIGNMENTS, safeAddress } from "@/lib/content/schema";
import { withoutCaption } from "../parts/captions";
import { linkAttributes } from "./marks";

const side = (name: "width" | "height") => ({
  default: null,
  parseHTML: (element: HTMLElement) => Number(imageIn(element)?.getAttribute(name)) || null,
});

/** The element itself if it is an image, or the only image in it. */
function imageIn(element: HTMLElement): Element | null {
  return element.localName === "img" ? element : element.querySelector(":scope > img");
}

const read = (name: string) => (element: HTMLElement) => imageIn(element)?.getAttribute(name) ?? null;

const imageAttributes = () => ({
  src: { default: "", parseHTML: (element: HTMLElement) => safeAddress(read("src")(element) ?? "", "image") ?? "" },
  alt: { default: "", parseHTML: (element: HTMLElement) => read("alt")(element) ?? "" },
  title: { default: null, parseHTML: read("title") },
  width: side("width"),
  height: side("height"),
  alignment: {
    default: null,
    parseHTML: (element: HTMLElement) =>
      IMAGE_ALIGNMENTS.find((name) => imageIn(element)?.classList.contains(`align-${name}`)) ?? null,
    renderHTML: ({ alignment }: { alignment?: string | null }) => (alignment ? { class: `align-${alignment}` } : {}),
  },
});

const isAllowed = (element: HTMLElement) =>
  safeAddress(imageIn(element)?.getAttribute("src") ?? "", "image") ? {} : (false as const);

/** An image in a line of text, or alone in a paragraph. */
const image = Node.create({
  name: "image",
  group: "inline words",
  inline: true,
  draggable: true,
  addAttributes: imageAttributes,
  parseHTML: () => [{ tag: "img[src]", getAttrs: isAllowed }],
  renderHTML: ({ HTMLAttributes }) => ["img", HTMLAttributes],
});

/** An image with a caption. It stores its own link, because marks apply to text. */
const captionedImage = Node.create({
  name: "captionedImage",
  addAttributes: () => ({
    ...imageAttributes(),
    href: {
      default: null,
      rendered: false,
      parseHTML: (element: HTMLElement) =>
        (element.localName === "a" ? linkAttributes(element) || null : null)?.href ?? null,
    },
    linkTitle: {
      default: null,
      rendered: false,
      parseHTML: (element: HTMLElement) => (element.localName === "a" ? element.getAttribute("title") : null),
    },
  }),
  parseHTML: () =>
    ["img[src]", "a[href]"].map((tag) => ({ tag, context: "figure/", priority: 70, getAttrs: isAllowed })),
  renderHTML: ({ node, HTMLAttributes }) => {
    const { href, linkTitle } = node.attrs as { href: string | null; linkTitle: string | null };
    return href ? ["a", { href, title: linkTitle }, ["img", HTMLAttributes]] : ["img", HTMLAttributes];
  },
});

const figure = Node.create({
  name: "figure",
  group: "block",
  content: "(captionedImage | table | codeBlock | video) caption",
  defining: true,
  isolating: true,
  parseHTML: () => [{ tag: "figure" }],
  renderHTML: () => ["figure", 0],
  addProseMirrorPlugins: () => [
    new Plugin({
      /**
       * Deleting a figure's content (by key, cutting or dragging) leaves an empty image, because a figure requires
       * content. Replaces such a figure with its caption as a paragraph.
       */
      appendTransaction: (transactions, _, { doc, schema, tr, selection }) => {
        if (!transactions.some(({ docChanged }) => docChanged)) return null;
        doc.descendants((node, at) => {
          if (node.type.name !== "figure") return !node.isTextblock;
          const [held, label] = [node.firstChild, node.lastChild];
          if (held?.type.name !== "captionedImage" || held.attrs.src !== "" || !label) return false;
          const start = tr.mapping.map(at);
          const isWithin = selection.from >= at && selection.to <= at + node.nodeSize;
          tr.replaceWith(start, start + node.nodeSize, schema.nodes.paragraph!.create(null, label.content));
          if (isWithin) tr.setSelection(Selection.near(tr.doc.resolve(start + 1)));
          return false;
        });
        return tr.docChanged ? tr : null;
      },
    }),
  ],
});

const caption = Node.create({
  name: "caption",
  content: "words*",
  defining: true,
  parseHTML: () => [{ tag: "figcaption" }],
  renderHTML: () => ["figcaption", 0],
  addKeyboardShortcuts() {
    return {
      /** Starts a paragraph below the figure. */
      Enter: () =>
        this.editor.commands.command(({ tr, state, dispatch }) => {
          const { $from } = state.selection;
          if ($from.parent.type !== this.type) return false;
          const after = $from.after(-1);
          const line = state.schema.nodes.paragraph!.create();
          dispatch?.(
            tr
              .insert(after, line)
              .setSelection(TextSelection.create(tr.doc, after + 1))
              .scrollIntoView(),
          );
          return true;
        }),
      /** In an empty caption, removes the caption and keeps the content. */
      Backspace: () => {
        const { $from, empty } = this.editor.state.selection;
        if ($from.parent.type !== this.type || !empty || $from.parent.content.size > 0) return false;
        return this.editor.commands.command(withoutCaption({ node: $from.node(-1), pos: $from.before(-1) }));
      },
    };
  },
});

/** A video, as a link to its page. Loads nothing from the provider. */
const video = Node.create({
  name: "video",
  group: "block",
  atom: true,
  draggable: true,
  addAttributes: () => ({ href: { default: "", rendered: false } }),
  parseHTML: () => [
    {
      tag: "div.video",
      priority: 60,
      getAttrs: (element) => {
        const page = videoAt(element.querySelector("a")?.getAttribute("href") ?? "")?.page;
        return page ? { href: page } : false;
      },
    },
  ],
  renderHTML: ({ node }) => {
    const href = node.attrs.href as string;
    return ["div", { class: "video" }, ["a", { href }, href]];
  },
  // Tab skips this link, because Enter on it would leave the open draft.
  addNodeView:
    () =>
    ({ node }) => {
      const { dom } = DOMSerializer.renderSpec(document, node.type.spec.toDOM!(node));
      for (const link of dom.querySelectorAll("a")) link.tabIndex = -1;
      return { dom };
    },
});

const divider = Node.create({
  name: "divider",
  group: "block",
  parseHTML: () => [{ tag: "hr" }],
  renderHTML: () => ["hr"],
  addInputRules() {
    return [nodeInputRule({ find: /^(?:---|\*\*\*\s|___\s)$/, type: this.type })];
  },
});

const code = CodeBlock.extend({
  addKeyboardShortcuts() {
    return {
      ...this.parent?.(),
      /** Removes the caption first, because a figure cannot hold the block that Backspace would create. */
      Backspace: (props) => {
        const { $from, empty } = this.editor.state.selection;
        const isFigure = $from.depth > 1 && $from.node(-1).type.name === "figure";
        if (empty && $from.parent.type === this.type && $from.parentOffset === 0 && isFigure)
          return this.editor.commands.command(withoutCaption({ node: $from.node(-1), pos: $from.before(-1) }));
        return this.parent?.().Backspace?.(props) ?? false;
      },
    };
  },
  renderHTML: ({ node }) => {
    const language = node.attrs.language as string | null;
    return ["pre", ["code", language ? { class: `language-${language}` } : {}, 0]];
  },
});

export const mediaExtensions = [image, captionedImage, figure, caption, video, divider, code];
