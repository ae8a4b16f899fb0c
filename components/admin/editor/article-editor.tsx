"use client";

import type { EditorEvents, JSONContent } from "@tiptap/core";
import { EditorContent, useEditor } from "@tiptap/react";
import { useEffect, useRef, useState } from "react";
import { ActionsMenu, type MenuEntry } from "@/components/ui/actions-menu";
import { ChecksButton, ChecksPanel, type LookUp, useChecks } from "./checks/checks";
import { editorExtensions } from "./extensions";
import type { OpenMenu } from "./parts/bar";
import type { Block } from "./parts/blocks";
import { Context } from "./parts/context";
import { FindBar } from "./parts/find-bar";
import { Folding } from "./parts/folding";
import { BELOW, keepBelow } from "./parts/keep-below";
import { isMac } from "./parts/key-names";
import { type FindArticles, LinkForm } from "./parts/link-form";
import { Outline } from "./parts/outline";
import { SelectionBar } from "./parts/selection-bar";
import type { SlashState } from "./parts/slash";
import { SlashMenu } from "./parts/slash-menu";
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
 */
export function ArticleEditor({
  html,
  onChange,
  findArticles,
  sendImage,
  title,
  lookUp,
}: {
  html: string;
  onChange: (html: string) => void;
  findArticles: FindArticles;
  sendImage: SendImage;
  title: string;
  lookUp: LookUp;
}) {
  const tools = useRef<HTMLDivElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const [slash, setSlash] = useState<SlashState | null>(null);
  const [open, setOpen] = useState<"link" | "find" | "outline" | "checks" | "video" | null>(null);
  const [menu, setMenu] = useState<{ label: string; at: DOMRect; entries: MenuEntry[] } | null>(null);
  const [failure, setFailure] = useState("");
  // The server has no DOM to parse into.
  const [content] = useState(() =>
    typeof DOMParser === "undefined" ? null : (documentOf(html).toJSON() as JSONContent),
  );
  const [margin] = useState(() => ({ top: 0, right: 5, bottom: BELOW, left: 5 }));
  const [shownProps] = useState(() => ({ ...editorProps, scrollMargin: margin, scrollThreshold: margin }));
  const editor = useEditor({
    content,
    extensions: editorExtensions,
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
        if (what === "tools") tools.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
        else setOpen(what);
      },
      images: ({ files, at, alt }) => uploadImages(editor, sendImage, files, at, alt),
      failure: setFailure,
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

  if (!editor) return <div className="min-h-96" />;
  const insert = (block: Block) => {
    if (block.id === "image") picker.current?.click();
    else if (block.id === "video") setOpen("video");
    else block.make?.(editor.chain().focus()).run();
  };
  const openMenu: OpenMenu = (label, button, entries) =>
    setMenu({ label, at: button.getBoundingClientRect(), entries });
  return (
    <div className="editor">
      <p id="editor-help" className="sr-only">
        Type a slash for blocks. {isMac() ? "Option" : "Alt"} and F10 lead to the tools. Escape and then Tab leave the
        text.
      </p>
      <div ref={above} className="editor-tools sticky top-0 z-20 -mx-1 border-b border-border bg-surface print:hidden">
        <div className="relative">
          <Folding>
            <Tools
              editor={editor}
              bar={tools}
              open={open}
              onMenu={openMenu}
              onInsert={insert}
              onOpen={(what) => setOpen(open === what ? null : what)}
              onImage={() => picker.current?.click()}
            />
          </Folding>
          <div className="context-row flex h-13 items-center border-t border-border text-sm md:h-10">
            <div className="context flex min-w-0 grow items-center gap-2 overflow-x-auto px-1 py-1">
              <Context editor={editor} onMenu={openMenu} onLink={() => setOpen("link")} />
            </div>
            <ChecksButton
              count={checks.count}
              isOpen={open === "checks"}
              onToggle={() => setOpen(open === "checks" ? null : "checks")}
            />
            <WordCount editor={editor} />
          </div>
          {open === "outline" && <Outline editor={editor} onClose={() => setOpen(null)} />}
          {open === "checks" && (
            <ChecksPanel
              editor={editor}
              findings={checks.findings}
              isUnknown={checks.isUnknown}
              onClose={() => setOpen(null)}
            />
          )}
        </div>
        {open === "find" && <FindBar editor={editor} onClose={() => setOpen(null)} />}
        <p role="alert" className={failure ? "px-2 py-1.5 text-sm text-danger" : ""}>
          {failure}
        </p>
      </div>
      <EditorContent editor={editor} />
      <SelectionBar editor={editor} isHidden={open === "link" || open === "find"} onLink={() => setOpen("link")} />
      {/* Always rendered, because screen readers ignore a status that arrives with its text. */}
      <p role="status" className="sr-only">
        {slash && (slash.blocks.length === 1 ? "1 block" : `${slash.blocks.length} blocks`)}
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
