"use client";

import type { EditorEvents, JSONContent } from "@tiptap/core";
import { EditorContent, useEditor } from "@tiptap/react";
import { Keyboard } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ActionsMenu, type MenuEntry } from "@/components/ui/actions-menu";
import { countOf } from "@/components/ui/count";
import { IconButton } from "@/components/ui/icon-button";
import { type Shortcut, Shortcuts } from "@/components/ui/shortcuts";
import { ChecksButton, ChecksPanel, type LookUp, useChecks } from "./checks/checks";
import { showRequestedLink } from "./checks/requested-link";
import { editorExtensions } from "./extensions";
import type { OpenMenu } from "./parts/bar";
import { type Block, isOfSnippets } from "./parts/blocks";
import { Context } from "./parts/context";
import { Elsewhere } from "./parts/elsewhere";
import { FindBar } from "./parts/find-bar";
import { BELOW, keepBelow } from "./parts/keep-below";
import { isMac, keysHere } from "./parts/key-names";
import { type FindArticles, LinkForm } from "./parts/link-form";
import { Outline } from "./parts/outline";
import { SelectionBar } from "./parts/selection-bar";
import type { SlashState } from "./parts/slash";
import { SlashMenu } from "./parts/slash-menu";
import { type SnippetChoice, SnippetTokens } from "./parts/snippets";
import { ToolRow } from "./parts/tool-row";
import { Tools } from "./parts/tools";
import { type SendImage, uploadImages } from "./parts/uploads";
import { VideoForm } from "./parts/video-form";
import { WordCount } from "./parts/word-count";
import { documentOf, htmlOf } from "./schema/html";

const editorProps = {
  attributes: {
    class: "prose article-body",
    role: "textbox",
    "aria-multiline": "true",
    "aria-label": "Article",
    "aria-describedby": "editor-help",
  },
};

/**
 * The article editor.
 * @param html clean HTML (lib/content), read once. Change the component's key to show another text.
 * @param onChange receives the article's HTML after each change, not yet cleaned
 * @param findArticles searches for articles to link to
 * @param sendImage stores an image, and rejects with a sentence for the writer
 * @param title the article's title, whose field has the same name in the form
 * @param lookUp checks link targets and whether another article has the title
 * @param snippets offered after two braces
 * @param foot extra tools at the bottom of the window
 * @param children what stands between the tools and the text
 */
export function ArticleEditor({
  html,
  onChange,
  findArticles,
  sendImage,
  title,
  lookUp,
  snippets = [],
  foot,
  children,
}: {
  html: string;
  onChange: (html: string) => void;
  findArticles: FindArticles;
  sendImage: SendImage;
  title: string;
  lookUp: LookUp;
  snippets?: readonly SnippetChoice[];
  foot?: ReactNode;
  children?: ReactNode;
}) {
  const picker = useRef<HTMLInputElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const [slash, setSlash] = useState<SlashState | null>(null);
  const [open, setOpen] = useState<"link" | "find" | "outline" | "checks" | "video" | null>(null);
  const [menu, setMenu] = useState<{ label: string; at: DOMRect; entries: MenuEntry[] } | null>(null);
  const [failure, setFailure] = useState("");
  const [elsewhere, setElsewhere] = useState<string[] | null>(null);
  const [isShortcutsOpen, setShortcutsOpen] = useState(false);
  // The server has no DOM to parse into.
  const [content] = useState(() =>
    typeof DOMParser === "undefined" ? null : (documentOf(html).toJSON() as JSONContent),
  );
  const [margin] = useState(() => ({ top: 0, right: 5, bottom: BELOW, left: 5 }));
  const [shownProps] = useState(() => ({ ...editorProps, scrollMargin: margin, scrollThreshold: margin }));
  // Made once, because the editor compares them on each render.
  const [extensions] = useState(() => [...editorExtensions, SnippetTokens.configure({ snippets })]);
  const editor = useEditor({
    content,
    extensions,
    editorProps: shownProps,
    immediatelyRender: false,
    // TipTap's style element has no nonce, so app/editor.css has these rules.
    injectCSS: false,
    shouldRerenderOnTransaction: false,
  });
  useEffect(() => {
    if (!editor) return;
    const heard: Partial<{ [Name in keyof EditorEvents]: (event: EditorEvents[Name]) => void }> = {
      update: ({ transaction }) => {
        if (!transaction.docChanged) return;
        // A failed file keeps its message when files dropped with it succeed.
        if (!transaction.getMeta("uploaded")) setFailure("");
        onChange(htmlOf(editor.state.doc));
      },
      ask: (what) => {
        if (what === "tools") {
          // On narrow screens, the tools for the element at the cursor take the place of the others.
          const stops = [...(above.current?.querySelectorAll<HTMLElement>("[role=toolbar] [tabindex='0']") ?? [])];
          (stops.find((stop) => stop.getClientRects().length > 0) ?? stops[0])?.focus();
        } else setOpen(what);
      },
      images: ({ files, at, alt }) => uploadImages(editor, sendImage, files, at, alt),
      failure: setFailure,
      elsewhere: ({ images }) => setElsewhere(images),
      slash: setSlash,
      // Pressing the menu does not move the cursor.
      blur: () => setSlash(null),
    };
    for (const [name, hear] of Object.entries(heard)) editor.on(name as keyof EditorEvents, hear as () => void);
    return () => {
      for (const [name, hear] of Object.entries(heard)) editor.off(name as keyof EditorEvents, hear as () => void);
    };
  }, [editor, onChange, sendImage]);

  useEffect(() => {
    if (editor) showRequestedLink(editor);
  }, [editor]);
  useEffect(() => {
    // A new article starts with the cursor in its text, unless another field has the focus.
    if (editor?.isEmpty && document.activeElement === document.body) editor.commands.focus();
  }, [editor]);

  useEffect(() => {
    addEventListener("dragover", keepFilesOff);
    return () => removeEventListener("dragover", keepFilesOff);
  }, []);
  useEffect(() => {
    if (editor && above.current) return keepBelow(above.current, margin);
  }, [editor, margin]);
  const checks = useChecks(editor, title, lookUp, open === "checks");

  if (!editor) return <div className="column min-h-96">{children}</div>;
  const insert = (block: Block) => {
    if (block.id === "image") picker.current?.click();
    else if (block.id === "video") setOpen("video");
    else block.make?.(editor.chain().focus()).run();
  };
  const openMenu: OpenMenu = (label, button, entries) =>
    setMenu({ label, at: button.getBoundingClientRect(), entries });
  return (
    <div className="editor flex grow flex-col">
      <p id="editor-help" className="sr-only">
        Press / for commands, or {isMac() ? "Option" : "Alt"}+F10 for the toolbar. To leave the editor, press Esc, then
        Tab.
      </p>
      <div ref={above} className="editor-tools sticky z-20 border-b border-border bg-surface print:hidden">
        <div className="relative">
          <ToolRow editor={editor}>
            {(isSwapped) => (
              <>
                <Tools
                  editor={editor}
                  open={open}
                  isSwapped={isSwapped}
                  onMenu={openMenu}
                  onInsert={insert}
                  onOpen={(what) => setOpen(open === what ? null : what)}
                  onImage={() => picker.current?.click()}
                />
                <Context editor={editor} onMenu={openMenu} onLink={() => setOpen("link")} />
              </>
            )}
          </ToolRow>
          {open === "outline" && <Outline editor={editor} onClose={() => setOpen(null)} />}
        </div>
        {open === "find" && <FindBar editor={editor} onClose={() => setOpen(null)} />}
        <p role="alert" className={failure ? "px-4 py-1.5 text-sm text-danger md:px-6" : ""}>
          {failure}
        </p>
        {elsewhere && <Elsewhere editor={editor} images={elsewhere} onClose={() => setElsewhere(null)} />}
      </div>
      <div className="column grow">
        {children}
        <EditorContent editor={editor} />
      </div>
      <footer className="sticky bottom-0 z-20 flex h-11 items-center gap-1 border-t border-border bg-surface px-2 text-sm md:h-9 md:px-4 print:hidden">
        <ChecksButton
          count={checks.count}
          isOpen={open === "checks"}
          onToggle={() => setOpen(open === "checks" ? null : "checks")}
        />
        <WordCount editor={editor} />
        <span className="ml-auto flex">
          {foot}
          <IconButton label="Keyboard shortcuts" icon={Keyboard} onClick={() => setShortcutsOpen(true)} />
        </span>
        {open === "checks" && (
          <ChecksPanel
            editor={editor}
            findings={checks.findings}
            isUnknown={checks.isUnknown}
            onClose={() => setOpen(null)}
          />
        )}
      </footer>
      <SelectionBar editor={editor} isHidden={open === "link" || open === "find"} onLink={() => setOpen("link")} />
      {/* Always rendered, because screen readers ignore a status that arrives with its text. */}
      <p role="status" className="sr-only">
        {slash &&
          (slash.blocks.length === 0
            ? "No matches"
            : countOf(slash.blocks.length, isOfSnippets(slash.blocks) ? "snippet" : "block"))}
      </p>
      {slash && (
        <SlashMenu
          editor={editor}
          state={slash}
          onChoose={(block, range) => {
            // The writer may have typed more since the menu was drawn.
            editor.chain().focus().deleteRange({ from: range.from, to: editor.state.selection.from }).run();
            insert(block);
          }}
        />
      )}
      {isShortcutsOpen && <Shortcuts shortcuts={shortcuts()} onClose={() => setShortcutsOpen(false)} />}
      {open === "link" && <LinkForm editor={editor} findArticles={findArticles} onClose={() => setOpen(null)} />}
      {open === "video" && <VideoForm editor={editor} onClose={() => setOpen(null)} />}
      {menu && <ActionsMenu {...menu} side="left" onClose={() => setMenu(null)} link={() => null} />}
      <input
        ref={picker}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
        multiple
        hidden
        aria-label="Images"
        onChange={({ target }) => {
          uploadImages(editor, sendImage, [...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </div>
  );
}

/** Without this, dropping a file beside the text or a file field would open the file and leave the page. */
function keepFilesOff(event: DragEvent): void {
  const { dataTransfer, target } = event;
  const isTaken = event.defaultPrevented || (target instanceof Element && target.matches("input[type=file]"));
  if (isTaken || !dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  dataTransfer.dropEffect = "none";
}

const KEYS: [does: string, keys: string][] = [
  ["Commands", "/"],
  ["Snippets", "{{"],
  ["Bold", "Ctrl+B"],
  ["Italic", "Ctrl+I"],
  ["Underline", "Ctrl+U"],
  ["Strikethrough", "Ctrl+Shift+X"],
  ["Code", "Ctrl+E"],
  ["Highlight", "Ctrl+Shift+H"],
  ["Link", "Ctrl+K"],
  ["Heading", "Ctrl+Alt+2"],
  ["Subheading", "Ctrl+Alt+3"],
  ["Text", "Ctrl+Alt+0"],
  ["Move block up", "Alt+Shift+↑"],
  ["Move block down", "Alt+Shift+↓"],
  ["Paste as plain text", "Ctrl+Shift+V"],
  ["Find and replace", "Ctrl+F"],
  ["Undo", "Ctrl+Z"],
  ["Redo", "Ctrl+Shift+Z"],
  ["Save now", "Ctrl+S"],
  ["Toolbar", "Alt+F10"],
];

const shortcuts = (): Shortcut[] => KEYS.map(([does, keys]) => ({ does, keys: [keysHere(keys)] }));
