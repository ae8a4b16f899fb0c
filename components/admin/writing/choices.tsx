"use client";

import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { Refusal } from "@/components/ui/refusal";
import { announce } from "@/components/ui/toast";
import type { DraftText } from "@/lib/articles/article-text";
import type { StoredDraft } from "@/lib/articles/shared-draft";
import type { LocalCopy } from "./local-copy";
import { timeOf } from "./save-line";
import { wordsOf } from "./words";

function Box({ title, children, buttons }: { title: string; children: ReactNode; buttons: ReactNode }) {
  return (
    <section
      role="alert"
      className="mx-4 mt-4 grid gap-3 rounded-md border border-caution bg-surface-raised p-4 text-sm md:mx-6"
    >
      <h2 className="text-base">{title}</h2>
      {children}
      <div className="flex flex-wrap gap-2">{buttons}</div>
    </section>
  );
}

/** Offers unsaved text from another tab of this browser. */
export function LeftBehind({
  copy,
  timeZone,
  bringBack,
  throwAway,
}: {
  copy: LocalCopy;
  timeZone: string;
  bringBack: () => Promise<boolean>;
  throwAway: () => void;
}) {
  const [failed, setFailed] = useState(false);
  return (
    <Box
      title="Recover unsaved changes?"
      buttons={
        <>
          <Button type="button" onClick={() => void bringBack().then((isDone) => setFailed(!isDone))}>
            Restore
          </Button>
          <Button type="button" look="plain" onClick={throwAway}>
            Discard
          </Button>
        </>
      }
    >
      {failed && <Refusal>Couldn't restore. The current text isn't saved yet. Try again in a moment.</Refusal>}
      <p className="text-text-muted">
        Written on this device {timeOf(copy.at, timeZone)}. Restoring this text keeps the current text as a version.
      </p>
      <Text title={copy.text.title} html={copy.text.html} summary="View unsaved text" />
    </Box>
  );
}

/** Reports that unsaved text was restored automatically, and offers to undo that. */
export function BroughtBack({ isUndone, takeStored }: { isUndone: boolean; takeStored: () => Promise<boolean> }) {
  const [failed, setFailed] = useState(false);
  const said = isUndone
    ? "Saved text restored. Your unsaved changes are kept as a version."
    : failed
      ? "Couldn't switch. The current text isn't saved yet. Try again in a moment."
      : "Your unsaved changes were restored.";
  useEffect(() => announce(said), [said]);
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1.5 px-4 pt-3 text-text-muted md:px-6">
      <p>{said}</p>
      {!isUndone && (
        <Button
          type="button"
          look="plain"
          size="small"
          onClick={() => void takeStored().then((isDone) => setFailed(!isDone))}
        >
          Use saved text
        </Button>
      )}
    </div>
  );
}

/** Shows both texts. The writer chooses one, and the other becomes a version. */
export function Conflict({
  mine,
  theirs,
  isOwn,
  timeZone,
  keepMine,
  takeTheirs,
}: {
  mine: DraftText;
  theirs: StoredDraft;
  /** Whether the same writer saved the other text, in another tab or window. */
  isOwn: boolean;
  timeZone: string;
  keepMine: () => Promise<void>;
  takeTheirs: () => Promise<string | null>;
}) {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const choose = (choice: () => Promise<string | null | void>) => async () => {
    if (busy) return;
    setBusy(true);
    setFailed(null);
    setFailed((await choice()) ?? null);
    setBusy(false);
  };
  const at = timeOf(theirs.savedAt, timeZone);
  // Comparing long texts is slow, so typing renders first.
  const html = useDeferredValue(mine.html);
  const words = useMemo(() => wordsOf(html), [html]);
  const theirWords = useMemo(() => wordsOf(theirs.text.html), [theirs.text.html]);
  const saysAsMuch = mine.title === theirs.text.title && words === theirWords;
  return (
    <Box
      title={
        isOwn
          ? `You edited this article in another tab ${at}`
          : `${theirs.savedBy?.name ?? "Someone else"} edited this article ${at}`
      }
      buttons={
        <>
          <Button type="button" aria-disabled={busy} onClick={() => void choose(keepMine)()}>
            {isOwn ? "Keep this tab's" : "Keep mine"}
          </Button>
          <Button type="button" look="plain" aria-disabled={busy} onClick={() => void choose(takeTheirs)()}>
            {isOwn ? "Use the other tab's" : "Use theirs"}
          </Button>
        </>
      }
    >
      {failed && <Refusal>{`Nothing changed. ${failed}`}</Refusal>}
      <p className="text-text-muted">
        Choose which text to keep. The other text becomes a version. All attachments and related articles are kept.
      </p>
      {saysAsMuch && <p>Only formatting or metadata differs.</p>}
      <Text
        title={theirs.text.title}
        html={theirs.text.html}
        summary={isOwn ? "View the other tab's text" : "View their text"}
      />
    </Box>
  );
}

/** Shows the plain words of a text, because text stored in the browser is not cleaned yet. */
function Text({ title, html, summary }: { title: string; html: string; summary: string }) {
  const words = useMemo(() => wordsOf(html), [html]);
  return (
    <details>
      <summary className="min-h-8 cursor-pointer py-1">{summary}</summary>
      <div
        className="mt-1 max-h-72 overflow-y-auto rounded-sm border border-border bg-surface p-3"
        tabIndex={0}
        role="region"
        aria-label={summary}
      >
        <p className="font-medium break-words">{title}</p>
        <p className="mt-2 break-words whitespace-pre-line">{words}</p>
      </div>
    </details>
  );
}
