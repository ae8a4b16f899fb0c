"use client";

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { DraftText } from "@/lib/articles/article-text";
import type { StoredDraft } from "@/lib/articles/shared-draft";
import { type LeftCopy, LocalCopies, remove } from "./local-copy";
import { saysTheSame } from "./same";

export type SaveState =
  | { kind: "saved"; at: string }
  | { kind: "unsaved" }
  | { kind: "saving" }
  /** With `isRetried`, the save is retried automatically. */
  | { kind: "failed"; why: string; isRetried: boolean; isSignedOut: boolean }
  /** `isOwn` means that the same writer saved the other text, in another tab or window. */
  | { kind: "conflict"; now: StoredDraft; isOwn: boolean };

/** The server's answer: saved, a conflict with another save, or a refusal. */
type Saved = Pick<StoredDraft, "revision" | "contentHash" | "slug" | "hasDraft" | "savedAt"> & {
  now?: StoredDraft;
  error?: string;
};

/** Idle time before a save, and the longest delay during steady typing, in milliseconds. */
const PAUSE_MS = 1_500;
const LONGEST_MS = 6_000;
/** Request timeouts in milliseconds. Long texts get as long as the server waits for them to arrive. */
const PATIENCE_MS = 15_000;
const LONGEST_PATIENCE_MS = 60_000;
const patienceFor = (body: string) => Math.min(PATIENCE_MS + Math.ceil(body.length / 40), LONGEST_PATIENCE_MS);
/** The server stored neither this text nor an earlier attempt: no such article, another revision, too long, or refused. */
const REFUSED = [404, 409, 413, 422];
/** The longest pause between retries. */
const LONGEST_RETRY_MS = 30_000;
/** Shorter texts are copied on every key, longer ones after a delay. */
const COPIED_AT_ONCE = 300_000;
/** The browsers' limit for requests that outlive the page, in bytes. */
const FAREWELL_BYTES = 60_000;

export const KEPT_HERE = "Changes are saved on this device.";
const unreachable = "Can't reach the server.";
const keptNowhere = "This browser can't keep a copy, so leave this page open.";

/** The server's last answer for each draft saved in this window. See `newest`. */
const lastSaved = new Map<
  string,
  Pick<StoredDraft, "text" | "revision" | "contentHash" | "slug" | "hasDraft" | "savedAt">
>();

/** The latest stored draft. The browser's Back can show a page from before the save. */
function newest(id: string, writerId: string, stored: StoredDraft): StoredDraft {
  const last = lastSaved.get(`${writerId} ${id}`);
  return last && last.revision > stored.revision ? { ...stored, ...last } : stored;
}

const isTyping = () => document.activeElement?.matches("input, textarea, [contenteditable=true]") === true;

/** The parts that versions do not store, from both texts. The server deletes unused files after a day. */
const beside = (one: DraftText, other: DraftText) => ({
  relatedIds: [...new Set([...one.relatedIds, ...other.relatedIds])],
  attachmentIds: [...new Set([...one.attachmentIds, ...other.attachmentIds])],
});

/**
 * Saves the text shortly after the last change, and keeps it in the browser until the server has it. Never overwrites
 * another writer's text: `state` reports the conflict, and the writer chooses.
 * @param id the article's id
 * @param writerId the member who writes
 */
export function useAutosave(id: string, writerId: string, initial: StoredDraft) {
  const [stored] = useState(() => newest(id, writerId, initial));
  const [text, setText] = useState(stored.text);
  const [state, setState] = useState<SaveState>({ kind: "saved", at: stored.savedAt });
  const [reported, setReported] = useState({ revision: stored.revision, slug: stored.slug, hasDraft: stored.hasDraft });
  // Other forms can also change the article, for example its URL.
  const known = initial.revision >= reported.revision ? initial : reported;
  /** The names of all related articles and files in any of the texts. */
  const [met, setMet] = useState({ related: stored.related, attachments: stored.attachments });
  const [left, setLeft] = useState<LeftCopy[]>([]);
  /** The stored draft that a recovered text replaced, and whether the writer undid that. */
  const [replaced, setReplaced] = useState<{ text: DraftText; isBack: boolean } | null>(null);
  /** False until unsaved copies are known, because one of them may replace the text. */
  const [isReady, setReady] = useState(false);
  /** A new key restarts the editor. */
  const [generation, setGeneration] = useState(0);
  const copies = useMemo(() => new LocalCopies(id, writerId, stored.text), [id, writerId, stored.text]);
  const now = useRef({
    text: stored.text,
    /** The last text that the server confirmed. */
    acknowledged: stored.text,
    revision: stored.revision,
    contentHash: stored.contentHash,
    /** Sent without an answer, so the server may have stored it. */
    unanswered: null as DraftText | null,
    over: false,
    /** The revision when the page started closing. */
    leftAt: null as number | null,
    since: 0,
    failures: 0,
    blocked: null as "conflict" | "refused" | null,
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
    copying: undefined as ReturnType<typeof setTimeout> | undefined,
    running: null as Promise<boolean> | null,
    /** Whether the browser stored the last copy. */
    isKept: true,
    /** Whether the writing page was closed. */
    isGone: false,
  });
  const address = `/api/drafts/${id}`;

  const keepCopy = useCallback(() => {
    const work = now.current;
    clearTimeout(work.copying);
    // The next writing page has taken over the copy.
    if (work.isGone && !copies.isThere()) return;
    const isSaved = work.text === work.acknowledged;
    // The next page may already have loaded an older text.
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

  /** Records that the server has a text, and what it stored. */
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
      // Resends a text that may be stored before any newer one, so that the server recognizes the stored text as this
      // writer's
      // (saveDraft). Otherwise a newer text would look like another writer's.
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
      // An expired session or a rate limit says nothing about the previous attempt, which may have arrived.
      if (REFUSED.includes(status)) work.unanswered = null;
      if (said?.now) {
        // Publishing or tagging changed the revision, but the stored text is still the one this text is based on.
        if (said.now.contentHash === work.contentHash) {
          work.revision = said.now.revision;
          return false;
        }
        // The server already has the same text, no matter who saved it.
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
      // The writer can sign in again in another tab, and the server may accept newer text.
      const isRetried = isServer || status === 401 || work.text !== sent;
      work.failures++;
      work.blocked = isRetried ? null : "refused";
      keepCopy();
      const kept = work.isKept ? KEPT_HERE : keptNowhere;
      const why =
        isServer && !(status === 429 && said?.error)
          ? `${unreachable} ${kept}`
          : status === 401
            ? `${said?.error ?? "You've been signed out."} ${kept}`
            : `Couldn't save. ${said?.error ?? ""}`;
      setState({ kind: "failed", why, isRetried, isSignedOut: status === 401 });
      return false;
    },
    [address, writerId, acknowledge, keepCopy],
  );

  /**
   * Saves until nothing is left to save, one request at a time.
   * @param keepalive for a page that is closing
   * @returns whether the server has everything
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
      // Typing continues a recovered text, so the older text can no longer come back.
      if (Object.keys(changes).length > 0) setReplaced(null);
      // A refused text may be short enough now. Only the writer can end a conflict.
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
   * Restores an unsaved copy without asking. Only if the copy was based on exactly the stored text and the writer has
   * typed nothing here yet.
   * @returns whether it restored the copy
   */
  const takeUp = useCallback(
    ({ key, copy }: LeftCopy): boolean => {
      const work = now.current;
      if (work.text !== work.acknowledged || work.blocked || copy.isRefused) return false;
      // A save without an answer did arrive.
      const isSentThere = copy.sent !== undefined && saysTheSame(copy.sent, work.acknowledged);
      const isBetween = (copy.since ?? copy.revision) <= work.revision && work.revision <= copy.revision;
      if (!isBetween && !isSentThere) return false;
      if (work.revision < copy.revision) Object.assign(work, { revision: copy.revision, contentHash: "" });
      const stored = work.acknowledged;
      begin({ ...stored, ...copy.text });
      work.over = copy.isOver === true && !isSentThere;
      // The save may arrive after this page was loaded. The first save finds out.
      work.unanswered = isSentThere ? work.text : (copy.sent ?? work.text);
      keepCopy();
      if (work.isKept) remove(key);
      // If both texts were saved, the page just loaded too early and the writer has no choice to make.
      if (!copy.isSaved) setReplaced({ text: stored, isBack: false });
      return true;
    },
    [begin, keepCopy],
  );

  useEffect(() => {
    const work = now.current;
    work.isGone = false;
    const release = copies.hold();
    /** A save sent while closing may have arrived. The server's text then equals the copy. */
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
        // The copy comes from a page that closed slowly or from another tab. It never replaces text while the writer
        // types.
        if (!isStored(one) && !isTyping() && takeUp(one)) void flushRef.current();
        else offer(one);
      },
    );
    const online = () => void flush();
    const leave = () => {
      keepCopy();
      if (work.text !== work.acknowledged) void flush(true);
    };
    // A page that becomes visible may have been suspended since its last attempt, along with its timers.
    const turn = () => (document.visibilityState === "hidden" ? leave() : void flush());
    const warn = (event: BeforeUnloadEvent) => {
      if (work.text !== work.acknowledged) {
        work.leftAt ??= work.revision;
        // Saves before the browser requests the next page, which shows the text.
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
     * Replaces the current text with an unsaved copy. The current text becomes a version if it differs.
     * @returns whether the current text was saved. If not, nothing changes.
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
     * Replaces the automatically restored text with the stored one. The restored text becomes a version.
     * @returns whether the restored text was saved. If not, nothing changes.
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

    /** Ends a conflict: saves mine and keeps theirs as a version. */
    async keepMine(theirs: StoredDraft): Promise<void> {
      const work = now.current;
      change(beside(work.text, theirs.text));
      Object.assign(work, { revision: theirs.revision, over: true, blocked: null });
      await flush();
    },

    /**
     * Ends a conflict: takes theirs and keeps mine as a version.
     * @returns why mine could not be kept. If so, nothing changes.
     */
    async takeTheirs(theirs: StoredDraft): Promise<string | null> {
      const work = now.current;
      let sent: DraftText;
      // Repeats for text typed during the request.
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
        if (!answer?.ok) return said?.error ?? "Can't reach the server. Try again in a moment.";
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
