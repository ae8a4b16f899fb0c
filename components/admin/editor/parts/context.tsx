"use client";

import type { Editor } from "@tiptap/core";
import { NodeSelection } from "@tiptap/pm/state";
import { useRef } from "react";
import type { MenuEntry } from "@/components/ui/actions-menu";
import { Bar, BarButton, type OpenMenu } from "./bar";
import { CALLOUTS } from "./blocks";
import { captionable, nodeAt, toggleCaption } from "./captions";
import { removeLink } from "./links";
import { useChanges } from "./use-changes";

const look = "h-11 min-w-0 rounded-sm border border-border-field bg-surface-raised px-2 text-base md:h-8 md:text-sm";

/** The offered languages. Imported code keeps any other language. */
const LANGUAGES: [id: string, name: string][] = [
  ["bash", "Bash"],
  ["c", "C"],
  ["cpp", "C++"],
  ["csharp", "C#"],
  ["css", "CSS"],
  ["diff", "Diff"],
  ["go", "Go"],
  ["graphql", "GraphQL"],
  ["html", "HTML"],
  ["http", "HTTP"],
  ["java", "Java"],
  ["javascript", "JavaScript"],
  ["json", "JSON"],
  ["kotlin", "Kotlin"],
  ["markdown", "Markdown"],
  ["php", "PHP"],
  ["powershell", "PowerShell"],
  ["python", "Python"],
  ["ruby", "Ruby"],
  ["rust", "Rust"],
  ["sql", "SQL"],
  ["swift", "Swift"],
  ["toml", "TOML"],
  ["tsx", "TSX"],
  ["typescript", "TypeScript"],
  ["xml", "XML"],
  ["yaml", "YAML"],
];

/** Other names that people type after ```, with the offered ones. */
const ALIASES: Record<string, string> = {
  ...{ js: "javascript", ts: "typescript", py: "python", rb: "ruby", rs: "rust", kt: "kotlin", golang: "go" },
  ...{ sh: "bash", shell: "bash", zsh: "bash", ps1: "powershell", "c++": "cpp", cs: "csharp", "c#": "csharp" },
  ...{ yml: "yaml", md: "markdown", htm: "html", gql: "graphql" },
};

const ELEMENTS = [
  ...["image", "captionedImage", "video", "caption", "codeBlock"],
  ...["table", "callout", "details", "quote"],
];

const isLinkAt = (editor: Editor) => editor.isActive("link") && editor.state.selection.empty;

/** Whether the element at the cursor has tools of its own. */
export function hasContext(editor: Editor): boolean {
  const place = nodeAt(editor, ...ELEMENTS);
  return isLinkAt(editor) || (place !== null && place.node.type.name !== "details");
}

/** Tools for the element at the cursor: an image, a table, code, a callout, a link or a caption. */
export function Context({ editor, onMenu, onLink }: { editor: Editor; onMenu: OpenMenu; onLink: () => void }) {
  useChanges(editor);
  return (
    <div className="context">
      <ContextTools editor={editor} onMenu={onMenu} onLink={onLink} />
    </div>
  );
}

function ContextTools({ editor, onMenu, onLink }: { editor: Editor; onMenu: OpenMenu; onLink: () => void }) {
  const place = nodeAt(editor, ...ELEMENTS);
  if (place && /image$/i.test(place.node.type.name))
    return <ImageFields key={place.pos} editor={editor} at={place.pos} onMenu={onMenu} />;
  if (isLinkAt(editor)) return <LinkActions editor={editor} onLink={onLink} />;
  const leave = () => editor.commands.focus();
  if (!place) return null;
  switch (place.node.type.name) {
    case "table":
      return <TableActions editor={editor} onMenu={onMenu} />;
    case "codeBlock":
      return (
        <>
          <Language editor={editor} language={(place.node.attrs.language as string | null) ?? ""} />
          <Bar label="Code" onLeave={leave}>
            <CaptionButton editor={editor} />
          </Bar>
        </>
      );
    case "callout":
      return (
        <>
          <select
            aria-label="Callout type"
            value={place.node.attrs.kind as string}
            onChange={({ target }) => editor.commands.updateAttributes("callout", { kind: target.value })}
            className={look}
          >
            {Object.entries(CALLOUTS).map(([kind, name]) => (
              <option key={kind} value={kind}>
                {name}
              </option>
            ))}
          </select>
          <Bar label="Callout" onLeave={leave}>
            <BarButton name="Remove callout" onPress={() => editor.chain().focus().lift("callout").run()} />
          </Bar>
        </>
      );
    case "quote":
      return (
        <Bar label="Quote" onLeave={leave}>
          <BarButton name="Remove quote" onPress={() => editor.chain().focus().lift("quote").run()} />
        </Bar>
      );
    case "caption":
    case "video":
      return (
        <Bar label="Caption" onLeave={leave}>
          <CaptionButton editor={editor} />
        </Bar>
      );
    default:
      return null;
  }
}

function CaptionButton({ editor }: { editor: Editor }) {
  return (
    <BarButton name={captionEntry(editor).name} disabled={!captionable(editor)} onPress={() => toggleCaption(editor)} />
  );
}

function captionEntry(editor: Editor): MenuEntry {
  return {
    name: captionable(editor)?.isFigure ? "Remove caption" : "Add caption",
    does: () => void toggleCaption(editor),
  };
}

function LinkActions({ editor, onLink }: { editor: Editor; onLink: () => void }) {
  const href = String(editor.getAttributes("link").href);
  return (
    <>
      <span className="min-w-0 truncate px-1 text-text-muted">{href}</span>
      <Bar label="Link" onLeave={() => editor.commands.focus()}>
        <BarButton name="Edit link" keys="Ctrl+K" onPress={onLink} />
        <BarButton name="Remove link" onPress={() => removeLink(editor)} />
      </Bar>
    </>
  );
}

function Language({ editor, language: typed }: { editor: Editor; language: string }) {
  const language = ALIASES[typed.toLowerCase()] ?? typed;
  const isOther = language !== "" && !LANGUAGES.some(([id]) => id === language);
  return (
    <select
      aria-label="Language"
      value={language}
      onChange={({ target }) => editor.commands.updateAttributes("codeBlock", { language: target.value || null })}
      className={look}
    >
      <option value="">Plain text</option>
      {isOther && <option value={language}>{language}</option>}
      {LANGUAGES.map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Uses menus, because the names of all actions would fill three lines. */
function TableActions({ editor, onMenu }: { editor: Editor; onMenu: OpenMenu }) {
  type Chain = ReturnType<Editor["chain"]>;
  const entry = (name: string, does: (chain: Chain) => Chain): MenuEntry => ({
    name,
    does: () => void does(editor.chain().focus()).run(),
  });
  const last = (entry: MenuEntry): MenuEntry => ({ ...entry, apart: true, danger: true });
  const align = (side: "left" | "center" | "right") => (chain: Chain) =>
    chain.setCellAttribute("align", side === "left" ? null : side);
  const menus: Record<string, () => MenuEntry[]> = {
    Row: () => [
      entry("Row above", (chain) => chain.addRowBefore()),
      entry("Row below", (chain) => chain.addRowAfter()),
      entry("Header row", (chain) => chain.toggleHeaderRow()),
      last(entry("Remove row", (chain) => chain.deleteRow())),
    ],
    Column: () => [
      entry("Column before", (chain) => chain.addColumnBefore()),
      entry("Column after", (chain) => chain.addColumnAfter()),
      entry("Header column", (chain) => chain.toggleHeaderColumn()),
      last(entry("Remove column", (chain) => chain.deleteColumn())),
    ],
    Cell: () => [
      entry("Align left", align("left")),
      entry("Align center", align("center")),
      entry("Align right", align("right")),
      ...(editor.can().mergeOrSplit()
        ? [entry(editor.can().splitCell() ? "Split cell" : "Merge cells", (chain) => chain.mergeOrSplit())]
        : []),
    ],
    Table: () => [
      ...(captionable(editor) ? [captionEntry(editor)] : []),
      last(entry("Remove table", (chain) => chain.deleteTable())),
    ],
  };
  return (
    <Bar label="Table" onLeave={() => editor.commands.focus()}>
      {Object.entries(menus).map(([name, entries]) => (
        <BarButton key={name} name={name} hasPopup="menu" onPress={(button) => onMenu(name, button, entries())} />
      ))}
    </Bar>
  );
}

function ImageFields({ editor, at, onMenu }: { editor: Editor; at: number; onMenu: OpenMenu }) {
  /** The proportions before typing, because each typed digit sets a width and heights are rounded. */
  const ratio = useRef<number | null>(null);
  const node = editor.state.doc.nodeAt(at);
  if (!node) return null;
  const { alt, width, height, alignment } = node.attrs as {
    alt: string;
    width: number | null;
    height: number | null;
    alignment: string | null;
  };
  const change = (attributes: Record<string, unknown>) => {
    const tr = editor.state.tr.setNodeMarkup(at, undefined, { ...node.attrs, ...attributes }, node.marks);
    editor.view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, at)));
  };
  const measure = () => {
    const picture = editor.view.nodeDOM(at);
    const image = picture instanceof Element ? (picture.querySelector("img") ?? picture) : null;
    ratio.current =
      width && height
        ? height / width
        : image instanceof HTMLImageElement && image.naturalWidth > 0
          ? image.naturalHeight / image.naturalWidth
          : null;
  };
  const resize = (text: string) => {
    const wanted = Math.min(Number.parseInt(text, 10), 4000);
    if (!(wanted > 0)) return change({ width: null, height: null });
    change({ width: wanted, height: ratio.current ? Math.max(1, Math.round(wanted * ratio.current)) : null });
  };
  return (
    <>
      <input
        aria-label="Alt text"
        placeholder="Alt text"
        value={alt}
        maxLength={1000}
        onChange={({ target }) => change({ alt: target.value })}
        className={`${look} w-24 grow`}
      />
      <select
        aria-label="Alignment"
        value={alignment ?? ""}
        onChange={({ target }) => change({ alignment: target.value || null })}
        className={`${look} shrink-0`}
      >
        <option value="">Left</option>
        <option value="center">Center</option>
        <option value="wide">Wide</option>
      </select>
      {alignment !== "wide" && (
        <label className="flex shrink-0 items-center gap-1.5 text-text-muted">
          Width
          <input
            type="number"
            inputMode="numeric"
            min={1}
            max={4000}
            value={width ?? ""}
            placeholder="Full"
            onFocus={measure}
            onChange={({ target }) => resize(target.value)}
            className={`${look} w-18 text-text`}
          />
        </label>
      )}
      <Bar label="Image" onLeave={() => editor.commands.focus()}>
        <BarButton
          name="Image"
          hasPopup="menu"
          onPress={(button) =>
            onMenu("Image", button, [
              ...(captionable(editor) ? [captionEntry(editor)] : []),
              {
                name: "Remove image",
                apart: true,
                danger: true,
                does: () => void editor.chain().focus().deleteSelection().run(),
              },
            ])
          }
        />
      </Bar>
    </>
  );
}
