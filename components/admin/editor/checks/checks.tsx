"use client";

import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection, TextSelection } from "@tiptap/pm/state";
import { useEffect, useEffectEvent, useState } from "react";
import { countOf } from "@/components/ui/count";
import { Panel, PanelEntry } from "../parts/panel";
import { show } from "../parts/show";
import { useChanges } from "../parts/use-changes";
import { type Finding, findingsIn, type LookedUp, type Lookup, lookupOf } from "./findings";

/** Asynchronous server lookup. Rejects when the server does not answer. */
export type LookUp = (lookup: Lookup) => Promise<LookedUp>;

/** Idle time before the text is checked and before the server is queried, in milliseconds. */
const PAUSE = { read: 500, ask: 1_000 };

/** The article's issues, and functions that select them. */
export function useChecks(
  editor: Editor | null,
  title: string,
  lookUp: LookUp,
  isOpen: boolean,
): { findings: () => Finding[]; count: number; isUnknown: boolean } {
  const [read, setRead] = useState<Node | null>(null);
  const document = read ?? editor?.state.doc;
  const [known, setKnown] = useState<LookedUp | null>(null);
  const [isUnknown, setUnknown] = useState(false);
  useEffect(() => {
    if (!editor) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setRead(editor.state.doc), PAUSE.read);
    };
    editor.on("update", later);
    return () => {
      clearTimeout(timer);
      editor.off("update", later);
    };
  }, [editor]);
  const origin = typeof location === "undefined" ? "" : location.origin;
  const lookup = document ? JSON.stringify(lookupOf(document, title, origin)) : "";
  const ask = useEffectEvent((what: string) => lookUp(JSON.parse(what) as Lookup));
  // Check again on opening, because another article may have been published since.
  useEffect(() => {
    if (lookup === "") return;
    let isOver = false;
    const tell = (answer: LookedUp | null) => {
      if (isOver) return;
      if (answer) setKnown(answer);
      setUnknown(!answer);
    };
    const timer = setTimeout(() => void ask(lookup).then(tell, () => tell(null)), isOpen ? 0 : PAUSE.ask);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [lookup, isOpen]);
  const findings = (document = editor?.state.doc) => (document ? findingsIn(document, title, origin, known) : []);
  return { findings, count: findings(document).length, isUnknown };
}

export function ChecksButton({ count, isOpen, onToggle }: { count: number; isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onToggle}
      className={`h-11 shrink-0 cursor-pointer rounded-sm px-2.5 tabular-nums outline-offset-[-2px] hover:bg-highlight md:h-7 ${count > 0 ? "font-medium" : "text-text-muted"}`}
    >
      {count === 0 ? "No issues" : countOf(count, "issue")}
    </button>
  );
}

export function ChecksPanel({
  editor,
  findings,
  isUnknown,
  onClose,
}: {
  editor: Editor;
  findings: () => Finding[];
  isUnknown: boolean;
  onClose: () => void;
}) {
  useChanges(editor);
  const go = ({ at }: Finding) => {
    onClose();
    if (at === "title") {
      const field = editor.view.dom.closest("form")?.elements.namedItem("title");
      if (field instanceof HTMLTextAreaElement) {
        field.focus();
        field.select();
      }
      return;
    }
    const { doc } = editor.state;
    const place = at.isNode ? NodeSelection.create(doc, at.from) : TextSelection.create(doc, at.from, at.to);
    show(editor, at.from, place);
  };
  const listed = findings();
  return (
    <Panel label="Issues" editor={editor} side="above" onClose={onClose}>
      {listed.length === 0 && (
        <p className="px-2.5 py-2 text-text-muted">
          {isUnknown
            ? "No missing alt text or skipped heading levels."
            : "No broken links, missing alt text, skipped heading levels, or duplicate titles."}
        </p>
      )}
      <ul>
        {listed.slice(0, MOST).map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two issues can have the same message and position
          <PanelEntry key={index} onGo={() => go(finding)}>
            {finding.says}
          </PanelEntry>
        ))}
      </ul>
      {listed.length > MOST && <p className="px-2.5 py-2 text-text-muted">And {listed.length - MOST} more.</p>}
      {isUnknown && (
        <p className="px-2.5 py-2 text-text-muted">Couldn't check the links and the title. Try again later.</p>
      )}
    </Panel>
  );
}

const MOST = 100;
