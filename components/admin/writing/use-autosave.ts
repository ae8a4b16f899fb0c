"use client";

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { DraftText } from "@/lib/articles/article-text";
import type { StoredDraft } from "@/lib/articles/shared-draft";
import { type LeftCopy, LocalCopies, remove } from "./local-copy";
import { saysTheSame } from "./same";

/** The state of the last change. */
export type SaveState =
  | { kind: "saved"; at: string }
  | { kind: "unsaved" }
  | { kind: "saving" }
  /** It is tried again by itself where `isRetried`. */
  | { kind: "failed"; why: string; isRetried: boolean }
  /** Where `isOwn`, the writer's own text of another tab or window. */
  | { kind: "conflict"; now: StoredDraft; isOwn: boolean };

/** The server's answer: saved, a conflict with another save, or a refusal. */
type Saved = Pick<StoredDraft, "revision" | "contentHash" | "slug" | "hasDraft" | "savedAt"> & {
  now?: StoredDraft;
  error?: string;
};

/** The pause before a save, and the longest time without a pause, in milliseconds. */
const PAUSE_MS = 1_500;
const LONGEST_MS = 6_000;
/** After how long an answer is not waited for any more: of a long text as long as the server waits for it to arrive. */
const PATIENCE_MS = 15_000;
const LONGEST_PATIENCE_MS = 60_000;
const patienceFor = (body: string) => Math.min(PATIENCE_MS + Math.ceil(body.length / 40), LONGEST_PATIENCE_MS);
/** That a text was not stored, nor an earlier try of it: no such article, another revision, too long, refused. */
const REFUSED = [404, 409, 413, 422];
/** How long the pauses between tries get. */
const LONGEST_RETRY_MS = 30_000;
/** Texts up to this length are copied with every key; longer ones a moment later. */
const COPIED_AT_ONCE = 300_000;
/** The most bytes that browsers send for a page that is being left. */
const FAREWELL_BYTES = 60_000;

const unreachable = "Not saved: the server does not answer.";
const keptHere = "What you write is kept in this browser, and saved as soon as the server is there.";
const keptNowhere =
  "This browser keeps no copy either: leave this page open, and it is saved as soon as the server is there.";

/** The server's last answer for each draft that was saved in this window (newest). */
const lastSaved = new Map<
  string,
  Pick<StoredDraft, "text" | "revision" | "contentHash" | "slug" | "hasDraft" | "savedAt">
>();

/** The stored draft: the browser's Back shows a page that was made before the save. */
function newest(id: string, writerId: string, stored: StoredDraft): StoredDraft {
  const last = lastSaved.get(`${writerId} ${id}`);
  return last && last.revision > stored.revision ? { ...stored, ...last } : stored;
}

/** Whether what is typed now goes somewhere. */
const isTyping = () => document.activeElement?.matches("input, textarea, [contenteditable=true]") === true;

/** The parts that versions do not have, of both texts: a file without use is deleted after a day. */
const beside = (one: DraftText, other: DraftText) => ({
  relatedIds: [...new Set([...one.relatedIds, ...other.relatedIds])],
  attachmentIds: [...new Set([...one.attachmentIds, ...other.attachmentIds])],
});

/**
 * Saves the text a moment after the last change, and keeps it in the browser until the server has it. Never overwrites
 * another writer's text: `state` reports the conflict, and the writer chooses.
 * @param id of the article
 * @param writerId the member who writes
 */
export function useAutosave(id: string, writerId: string, initial: StoredDraft) {
  const [stored] = useState(() => newest(id, writerId, initial));
  const [text, setText] = useState(stored.text);
  const [state, setState] = useState<SaveState>({ kind: "saved", at: stored.savedAt });
  const [reported, setReported] = useState({ revision: stored.revision, slug: stored.slug, hasDraft: stored.hasDraft });
  // Other forms change the article too: its URL may be another one since the last save.
  const known = initial.revision >= reported.revision ? initial : reported;
  /** Everything that one of the texts has beside it. */
  const [met, setMet] = useState({ related: stored.related, attachments: stored.attachments });
  const [left, setLeft] = useState<LeftCopy[]>([]);
  /** The stored draft that a recovered text has replaced, and whether that was undone. */
  const [replaced, setReplaced] = useState<{ text: DraftText; isBack: boolean } | null>(null);
  /** Until it is known what was left behind, nothing is shown that it would replace. */
  const [isReady, setReady] = useState(false);
  /** Another key restarts the editor. */
  const [generation, setGeneration] = useState(0);
  const copies = useMemo(() => new LocalCopies(id, writerId, stored.text), [id, writerId, stored.text]);
  const now = useRef({
    text: stored.text,
    /** The last one that the server has. */
    acknowledged: stored.text,
    revision: stored.revision,
    contentHash: stored.contentHash,
    /** Sent, and perhaps stored: no answer has come. */
    unanswered: null as DraftText | null,
    over: false,
    /** The revision at which the page began to be left. */
    leftAt: null as number | null,
    since: 0,
    failures: 0,
    blocked: null as "conflict" | "refused" | null,
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
    copying: undefined as ReturnType<typeof setTimeout> | undefined,
    running: null as Promise<boolean> | null,
    /** Whether the browser has taken the last copy. */
    isKept: true,
    /** Whether the desk is no part of the page any more. */
    isGone: false,
  });
  const address = `/api/drafts/${id}`;

  const keepCopy = useCallback(() => {
    const work = now.current;
    clearTimeout(work.copying);
    // The next desk has taken over, and continues from there.
    if (work.isGone && !copies.isThere()) return;
    const isSaved = work.text === work.acknowledged;
    // The next page may have been made already, and of what was stored before.
    if (isSaved && work.leftAt === null) copies.drop();
    else {
      const { text, revision, unanswered, over: isOver } = work;
      work.isKept = copies.keep({
        text,
        revision,
        isSaved,
        isOver,
        isRefused: work.blocked === "refused",
        ...(work.leftAt !== null && { since: work.leftAt }),
        ...(unanswered && unanswered !== text && { sent: unanswered }),
      });
    }
  }, [copies]);

  /** The server has a text, and said what is stored of it. */
  const acknowledge = useCallback(
    (sent: DraftText, said: Pick<StoredDraft, "revision" | "contentHash" | "slug" | "hasDraft" | "savedAt">) => {
      const work = now.current;
      const { revision, contentHash, slug, hasDraft, savedAt } = said;
      Object.assign(work, { acknowledged: sent, unanswered: null, revision, contentHash, failures: 0, since: 0 });
      lastSaved.set(`${writerId} ${id}`, { text: sent, revision, contentHash, slug, hasDraft, savedAt });
      setReported({ revision, slug, hasDraft });
      keepCopy();
      if (work.text !== sent) return false;
      setState({ kind: "saved", at: savedAt });
      return true;
    },
    [id, writerId, keepCopy],
  );

  const saveOnce = useCallback(
    async (keepalive: boolean): Promise<boolean> => {
      const work = now.current;
      if (work.text === work.acknowledged) return true;
      if (work.blocked) return false;
      clearTimeout(work.timer);
      setState({ kind: "saving" });
      // A text that is perhaps stored is sent again first, so that the server recognizes it as this writer's own
      // (saveDraft): newer text would look like another writer's.
      const sent = (work.unanswered ??= work.text);
      const body = JSON.stringify({ writer: writerId, revision: work.revision, text: sent, over: work.over });
      const answer = await fetch(address, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body,
        keepalive: keepalive && new Blob([body]).size < FAREWELL_BYTES,
        signal: AbortSignal.timeout(patienceFor(body)),
      }).catch(() => null);
      const said = (await answer?.json().catch(() => null)) as Partial<Saved> | null | undefined;
      if (answer?.ok && said?.revision) {
        if (work.text === sent) work.over = false;
        return acknowledge(sent, said as Saved);
      }
      const status = answer?.status ?? 0;
      const isServer = status === 0 || status >= 500 || status === 429 || answer?.ok === true;
      // One that was signed out, or came too often, says nothing of the try before it, which may have arrived.
      if (REFUSED.includes(status)) work.unanswered = null;
      if (said?.now) {
        // It was published, or given a tag: what stands there says what this was written on.
        if (said.now.contentHash === work.contentHash) {
          work.revision = said.now.revision;
          return false;
        }
        // Saved by anyone: the server has the same text.
        if (saysTheSame(said.now.text, sent)) return acknowledge(sent, said.now);
        const { related, attachments } = said.now;
        setMet((before) => ({
          related: [...before.related, ...related],
          attachments: [...before.attachments, ...attachments],
        }));
        work.blocked = "conflict";
        setState({ kind: "conflict", now: said.now, isOwn: said.now.savedBy?.id === writerId });
        return false;
      }
      // Signing in again in another tab continues here, and the server may accept the newer text.
      const isRetried = isServer || status === 401 || work.text !== sent;
      work.failures++;
      work.blocked = isRetried ? null : "refused";
      keepCopy();
      const why =
        isServer && !(status === 429 && said?.error)
          ? `${unreachable} ${work.isKept ? keptHere : keptNowhere}`
          : `Not saved: ${said?.error ?? "this cannot be saved as it is."}`;
      setState({ kind: "failed", why, isRetried });
      return false;
    },
    [address, writerId, acknowledge, keepCopy],
  );

  /**
   * Saves until nothing is left to save: one request after the other.
   * @param keepalive for a page that is being left
   * @returns whether the server has it all
   */
  const flush = useCallback(
    async (keepalive = false): Promise<boolean> => {
      const work = now.current;
      work.running ??= (async () => {
        try {
          for (let tries = 0; tries < 5; tries++) {
            const failures = work.failures;
            if (await saveOnce(keepalive)) return true;
            if (work.blocked || work.failures > failures) return false;
          }
          return work.text === work.acknowledged;
        } finally {
          work.running = null;
          if (work.text !== work.acknowledged && !work.blocked && !work.isGone) {
            const pause = work.failures > 0 ? Math.min(1_000 * 2 ** work.failures, LONGEST_RETRY_MS) : PAUSE_MS;
            work.timer = setTimeout(() => void flushRef.current(), pause);
          }
        }
      })();
      return work.running;
    },
    [saveOnce],
  );
  const flushRef = useRef(flush);
  useEffect(() => {
    flushRef.current = flush;
  }, [flush]);

  const change = useCallback(
    (changes: Partial<DraftText>) => {
      const work = now.current;
      work.leftAt = null;
      work.text = { ...work.text, ...changes };
      setText(work.text);
      // A recovered text continues; the text before it is older.
      if (Object.keys(changes).length > 0) setReplaced(null);
      // A refused text may be short enough by now; only the writer ends a conflict.
      if (work.blocked === "refused") work.blocked = null;
      if (work.text.html.length <= COPIED_AT_ONCE) keepCopy();
      else {
        clearTimeout(work.copying);
        work.copying = setTimeout(keepCopy, 300);
      }
      setState((before) => (before.kind === "conflict" || before.kind === "failed" ? before : { kind: "unsaved" }));
      work.since ||= Date.now();
      clearTimeout(work.timer);
      if (work.failures === 0 || !work.running) {
        const pause = Math.max(0, Math.min(PAUSE_MS, work.since + LONGEST_MS - Date.now()));
        work.timer = setTimeout(() => void flushRef.current(), pause);
      }
    },
    [keepCopy],
  );

  const begin = useCallback((opened: DraftText) => {
    now.current.text = opened;
    setText(opened);
    setGeneration((before) => before + 1);
  }, []);

  /**
   * Puts what was left behind in the place of what is stored, as if the page had never been left: nobody is asked. Only where
   * it was written on exactly what is stored, and nothing has been written here yet.
   * @returns whether it was
   */
  const takeUp = useCallback(
    ({ key, copy }: LeftCopy): boolean => {
      const work = now.current;
      if (work.text !== work.acknowledged || work.blocked || copy.isRefused) return false;
      // Stored since, by a save whose answer nobody waited for.
      const isSentThere = copy.sent !== undefined && saysTheSame(copy.sent, work.acknowledged);
      const isBetween = (copy.since ?? copy.revision) <= work.revision && work.revision <= copy.revision;
      if (!isBetween && !isSentThere) return false;
      if (work.revision < copy.revision) Object.assign(work, { revision: copy.revision, contentHash: "" });
      const stored = work.acknowledged;
      begin({ ...stored, ...copy.text });
      work.over = copy.isOver === true && !isSentThere;
      // Perhaps it arrives after the page was made: the first save finds out whether it has.
      work.unanswered = isSentThere ? work.text : (copy.sent ?? work.text);
      keepCopy();
      if (work.isKept) remove(key);
      // Where both were saved there is nothing to choose: the page was made a moment too early.
      if (!copy.isSaved) setReplaced({ text: stored, isBack: false });
      return true;
    },
    [begin, keepCopy],
  );

  useEffect(() => {
    const work = now.current;
    work.isGone = false;
    const release = copies.hold();
    /** One that a page sent as it was left, and that arrived, is there in the server's writing. */
    const isStored = ({ copy }: LeftCopy) =>
      (copy.isSaved === true && copy.revision <= work.revision) || saysTheSame(copy.text, work.acknowledged);
    const offer = (one: LeftCopy) => {
      if (isStored(one)) remove(one.key);
      else setLeft((before) => [...before.filter((other) => other.key !== one.key), one]);
    };
    const unwatch = copies.watch(
      (found, isCertain) => {
        try {
          const newest = found.findIndex((one) => !isStored(one));
          const taken = isCertain && found[newest] && takeUp(found[newest]) ? newest : -1;
          found.filter((_, index) => index !== taken).forEach(offer);
          if (taken >= 0) void flushRef.current();
        } finally {
          setReady(true);
        }
      },
      (one) => {
        // A recovered text comes from a page that was slow to end, or from another tab that has ended; it never replaces a text during typing.
        if (!isStored(one) && !isTyping() && takeUp(one)) void flushRef.current();
        else offer(one);
      },
    );
    const online = () => void flush();
    const leave = () => {
      keepCopy();
      if (work.text !== work.acknowledged) void flush(true);
    };
    // A page that comes back may have been asleep, with its timers, since its last try.
    const turn = () => (document.visibilityState === "hidden" ? leave() : void flush());
    const warn = (event: BeforeUnloadEvent) => {
      if (work.text !== work.acknowledged) {
        work.leftAt ??= work.revision;
        // Before the next page is asked for, which is to show it.
        void flush(true);
      }
      if (work.text !== work.acknowledged && (work.failures > 0 || work.blocked !== null || !work.isKept))
        event.preventDefault();
    };
    addEventListener("online", online);
    addEventListener("pagehide", leave);
    addEventListener("beforeunload", warn);
    document.addEventListener("visibilitychange", turn);
    return () => {
      removeEventListener("online", online);
      removeEventListener("pagehide", leave);
      removeEventListener("beforeunload", warn);
      document.removeEventListener("visibilitychange", turn);
      leave();
      work.isGone = true;
      clearTimeout(work.timer);
      unwatch();
      release();
    };
  }, [copies, keepCopy, flush, takeUp]);

  return {
    text,
    state,
    generation,
    known,
    met,
    left,
    isReady,
    replaced,
    change,
    flush,

    /**
     * Puts what was left behind in the place of what is there, which is kept as a version if it is something else.
     * @returns whether what is there is saved; else nothing is changed
     */
    async bringBack({ key, copy }: LeftCopy): Promise<boolean> {
      const work = now.current;
      if (!(await flush())) return false;
      work.over = copy.isOver === true || copy.revision !== work.revision;
      begin({ ...copy.text, ...beside(copy.text, work.text) });
      keepCopy();
      remove(key);
      setLeft((before) => before.filter((one) => one.key !== key));
      setReplaced(null);
      change({});
      return true;
    },

    throwAway({ key }: { key: string }) {
      remove(key);
      setLeft((before) => before.filter((one) => one.key !== key));
    },

    /**
     * Puts what was stored in the place of what came back by itself, which is kept as a version.
     * @returns whether what is there is saved; else nothing is changed
     */
    async takeStored(): Promise<boolean> {
      const work = now.current;
      if (!replaced || !(await flush())) return false;
      work.over = true;
      begin({ ...replaced.text, ...beside(replaced.text, work.text) });
      setReplaced({ ...replaced, isBack: true });
      change({});
      return true;
    },

    /** Ends a conflict: mine is saved, and theirs is a version. */
    async keepMine(theirs: StoredDraft): Promise<void> {
      const work = now.current;
      change(beside(work.text, theirs.text));
      Object.assign(work, { revision: theirs.revision, over: true, blocked: null });
      await flush();
    },

    /**
     * Ends a conflict: theirs is there, and mine is a version.
     * @returns why mine could not be kept, where nothing is changed
     */
    async takeTheirs(theirs: StoredDraft): Promise<string | null> {
      const work = now.current;
      let sent: DraftText;
      // Keeps text typed meanwhile too.
      do {
        sent = work.text;
        const body = JSON.stringify({ writer: writerId, text: sent });
        const answer = await fetch(address, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body,
          signal: AbortSignal.timeout(patienceFor(body)),
        }).catch(() => null);
        const said = (await answer?.json().catch(() => null)) as { error?: string } | null | undefined;
        if (!answer?.ok) return said?.error ?? "The server does not answer: nothing is lost. Try again in a moment.";
      } while (work.text !== sent);
      const { text: taken, revision, contentHash, savedAt } = theirs;
      lastSaved.set(`${writerId} ${id}`, theirs);
      Object.assign(work, {
        acknowledged: taken,
        revision,
        contentHash,
        blocked: null,
        unanswered: null,
        over: false,
        failures: 0,
        since: 0,
        leftAt: null,
      });
      begin(taken);
      setReplaced(null);
      copies.drop();
      setState({ kind: "saved", at: savedAt });
      const both = beside(taken, sent);
      if (both.relatedIds.length > taken.relatedIds.length || both.attachmentIds.length > taken.attachmentIds.length) {
        change(both);
      }
      return null;
    },
  };
}
