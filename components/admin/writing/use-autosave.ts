"use client";

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { StoredDraft } from "@/lib/drafts/shared";
import type { DraftText } from "@/lib/drafts/text";
import { type LeftCopy, LocalCopies, remove } from "./local-copy";
import { saysTheSame } from "./same";

/** What is known of what was written last. */
export type SaveState =
  | { kind: "saved"; at: string }
  | { kind: "unsaved" }
  | { kind: "saving" }
  /** It is tried again by itself where `isRetried`. */
  | { kind: "failed"; why: string; isRetried: boolean }
  /** Where `isOwn`, the writer's own text of another tab or window. */
  | { kind: "conflict"; now: StoredDraft; isOwn: boolean };

/** What the server answers: of a save, of one that somebody else came before, or of one that it does not take. */
type Saved = Pick<StoredDraft, "revision" | "print" | "slug" | "hasDraft" | "savedAt"> & {
  now?: StoredDraft;
  error?: string;
};

/** How long nothing is typed before it is saved, and how long somebody types without a pause, in milliseconds. */
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
/** What browsers send for a page that is being left, in bytes. */
const FAREWELL_BYTES = 60_000;

const unreachable = "Not saved: the server does not answer.";
const keptHere = "What you write is kept in this browser, and saved as soon as the server is there.";
const keptNowhere =
  "This browser keeps no copy either: leave this page open, and it is saved as soon as the server is there.";

/** What the server said last of each draft that was saved since this window was opened (newest). */
const lastSaved = new Map<string, Pick<StoredDraft, "text" | "revision" | "print" | "slug" | "hasDraft" | "savedAt">>();

/** What is stored: a page that the browser's Back shows again was made before it was saved. */
function newest(id: string, writerId: string, stored: StoredDraft): StoredDraft {
  const last = lastSaved.get(`${writerId} ${id}`);
  return last && last.revision > stored.revision ? { ...stored, ...last } : stored;
}

/** Whether what is typed now goes somewhere. */
const isTyping = () => document.activeElement?.matches("input, textarea, [contenteditable=true]") === true;

/** What no version holds, of both texts: a file that nothing uses is deleted after a day. */
const beside = (one: DraftText, other: DraftText) => ({
  relatedIds: [...new Set([...one.relatedIds, ...other.relatedIds])],
  attachmentIds: [...new Set([...one.attachmentIds, ...other.attachmentIds])],
});

/**
 * Saves what is written, a moment after the last change, and keeps it in the browser until the server has it. Nothing is
 * ever saved over somebody else's text: `state` says so, and the writer chooses.
 * @param id of the article
 * @param writerId the member who writes
 * @param given what the page was made of
 */
export function useAutosave(id: string, writerId: string, given: StoredDraft) {
  const [stored] = useState(() => newest(id, writerId, given));
  const [text, setText] = useState(stored.text);
  const [state, setState] = useState<SaveState>({ kind: "saved", at: stored.savedAt });
  const [told, setTold] = useState({ revision: stored.revision, slug: stored.slug, hasDraft: stored.hasDraft });
  // The page hears of what acts at once: its address may be another one since the last save.
  const known = given.revision >= told.revision ? given : told;
  /** Everything that one of the texts has beside it. */
  const [met, setMet] = useState({ related: stored.related, attachments: stored.attachments });
  const [left, setLeft] = useState<LeftCopy[]>([]);
  /** What was stored, where something that was left behind has taken its place by itself; and whether it has it again. */
  const [replaced, setReplaced] = useState<{ text: DraftText; isBack: boolean } | null>(null);
  /** Until it is known what was left behind, nothing is shown that it would replace. */
  const [isReady, setReady] = useState(false);
  /** Another one has the editor begin anew. */
  const [generation, setGeneration] = useState(0);
  const copies = useMemo(() => new LocalCopies(id, writerId, stored.text), [id, writerId, stored.text]);
  const now = useRef({
    text: stored.text,
    /** The last one that the server has. */
    acknowledged: stored.text,
    revision: stored.revision,
    print: stored.print,
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
    const of = now.current;
    clearTimeout(of.copying);
    // The next desk has taken it up, and goes on from there.
    if (of.isGone && !copies.isThere()) return;
    const isSaved = of.text === of.acknowledged;
    // The next page may have been made already, and of what was stored before.
    if (isSaved && of.leftAt === null) copies.drop();
    else {
      const { text, revision, unanswered, over: isOver } = of;
      of.isKept = copies.keep({
        ...{ text, revision, isSaved, isOver, isRefused: of.blocked === "refused" },
        ...(of.leftAt !== null && { since: of.leftAt }),
        ...(unanswered && unanswered !== text && { sent: unanswered }),
      });
    }
  }, [copies]);

  /** The server has a text, and said what is stored of it. */
  const acknowledge = useCallback(
    (sent: DraftText, said: Pick<StoredDraft, "revision" | "print" | "slug" | "hasDraft" | "savedAt">) => {
      const of = now.current;
      const { revision, print, slug, hasDraft, savedAt } = said;
      Object.assign(of, { acknowledged: sent, unanswered: null, revision, print, failures: 0, since: 0 });
      lastSaved.set(`${writerId} ${id}`, { text: sent, revision, print, slug, hasDraft, savedAt });
      setTold({ revision, slug, hasDraft });
      keepCopy();
      if (of.text !== sent) return false;
      setState({ kind: "saved", at: savedAt });
      return true;
    },
    [id, writerId, keepCopy],
  );

  const saveOnce = useCallback(
    async (keepalive: boolean): Promise<boolean> => {
      const of = now.current;
      if (of.text === of.acknowledged) return true;
      if (of.blocked) return false;
      clearTimeout(of.timer);
      setState({ kind: "saving" });
      // What may be stored is sent again first, and then known to be this writer's own (saveDraft): what was written since
      // would be taken for somebody else's.
      const sent = (of.unanswered ??= of.text);
      const body = JSON.stringify({ writer: writerId, revision: of.revision, text: sent, over: of.over });
      const answer = await fetch(address, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body,
        keepalive: keepalive && new Blob([body]).size < FAREWELL_BYTES,
        signal: AbortSignal.timeout(patienceFor(body)),
      }).catch(() => null);
      const said = (await answer?.json().catch(() => null)) as Partial<Saved> | null | undefined;
      if (answer?.ok && said?.revision) {
        if (of.text === sent) of.over = false;
        return acknowledge(sent, said as Saved);
      }
      const status = answer?.status ?? 0;
      const isServer = status === 0 || status >= 500 || status === 429 || answer?.ok === true;
      // One that was signed out, or came too often, says nothing of the try before it, which may have arrived.
      if (REFUSED.includes(status)) of.unanswered = null;
      if (said?.now) {
        // It was published, or given a tag: what stands there says what this was written on.
        if (said.now.print === of.print) {
          of.revision = said.now.revision;
          return false;
        }
        // Whoever has saved it: it says what is said here.
        if (saysTheSame(said.now.text, sent)) return acknowledge(sent, said.now);
        const { related, attachments } = said.now;
        setMet((before) => ({
          related: [...before.related, ...related],
          attachments: [...before.attachments, ...attachments],
        }));
        of.blocked = "conflict";
        setState({ kind: "conflict", now: said.now, isOwn: said.now.savedBy?.id === writerId });
        return false;
      }
      // Who signs in again in another tab goes on here; and what was written since may be taken.
      const isRetried = isServer || status === 401 || of.text !== sent;
      of.failures++;
      of.blocked = isRetried ? null : "refused";
      keepCopy();
      const why =
        isServer && !(status === 429 && said?.error)
          ? `${unreachable} ${of.isKept ? keptHere : keptNowhere}`
          : `Not saved: ${said?.error ?? "this cannot be saved as it is."}`;
      setState({ kind: "failed", why, isRetried });
      return false;
    },
    [address, writerId, acknowledge, keepCopy],
  );

  /**
   * Saves until there is nothing left to save: one request after the other, whoever asks.
   * @param keepalive for a page that is being left
   * @returns whether the server has it all
   */
  const flush = useCallback(
    async (keepalive = false): Promise<boolean> => {
      const of = now.current;
      of.running ??= (async () => {
        try {
          for (let tries = 0; tries < 5; tries++) {
            const failures = of.failures;
            if (await saveOnce(keepalive)) return true;
            if (of.blocked || of.failures > failures) return false;
          }
          return of.text === of.acknowledged;
        } finally {
          of.running = null;
          if (of.text !== of.acknowledged && !of.blocked && !of.isGone) {
            const pause = of.failures > 0 ? Math.min(1_000 * 2 ** of.failures, LONGEST_RETRY_MS) : PAUSE_MS;
            of.timer = setTimeout(() => void flushRef.current(), pause);
          }
        }
      })();
      return of.running;
    },
    [saveOnce],
  );
  const flushRef = useRef(flush);
  useEffect(() => {
    flushRef.current = flush;
  }, [flush]);

  const change = useCallback(
    (changes: Partial<DraftText>) => {
      const of = now.current;
      of.leftAt = null;
      of.text = { ...of.text, ...changes };
      setText(of.text);
      // What came back is the writer's to go on from; what was there before it is older by the minute.
      if (Object.keys(changes).length > 0) setReplaced(null);
      // What was too long may be short enough by now; a conflict is the writer's to end.
      if (of.blocked === "refused") of.blocked = null;
      if (of.text.html.length <= COPIED_AT_ONCE) keepCopy();
      else {
        clearTimeout(of.copying);
        of.copying = setTimeout(keepCopy, 300);
      }
      setState((before) => (before.kind === "conflict" || before.kind === "failed" ? before : { kind: "unsaved" }));
      of.since ||= Date.now();
      clearTimeout(of.timer);
      if (of.failures === 0 || !of.running) {
        const pause = Math.max(0, Math.min(PAUSE_MS, of.since + LONGEST_MS - Date.now()));
        of.timer = setTimeout(() => void flushRef.current(), pause);
      }
    },
    [keepCopy],
  );

  const begin = useCallback((begun: DraftText) => {
    now.current.text = begun;
    setText(begun);
    setGeneration((before) => before + 1);
  }, []);

  /**
   * Puts what was left behind in the place of what is stored, as if the page had never been left: nobody is asked. Only where
   * it was written on exactly what is stored, and nothing has been written here yet.
   * @returns whether it was
   */
  const takeUp = useCallback(
    ({ key, copy }: LeftCopy): boolean => {
      const of = now.current;
      if (of.text !== of.acknowledged || of.blocked || copy.isRefused) return false;
      // Stored since, by a save whose answer nobody waited for.
      const isSentThere = copy.sent !== undefined && saysTheSame(copy.sent, of.acknowledged);
      const isBetween = (copy.since ?? copy.revision) <= of.revision && of.revision <= copy.revision;
      if (!isBetween && !isSentThere) return false;
      if (of.revision < copy.revision) Object.assign(of, { revision: copy.revision, print: "" });
      const stored = of.acknowledged;
      begin({ ...stored, ...copy.text });
      of.over = copy.isOver === true && !isSentThere;
      // Perhaps it arrives after the page was made: the first save finds out whether it has.
      of.unanswered = isSentThere ? of.text : (copy.sent ?? of.text);
      keepCopy();
      if (of.isKept) remove(key);
      // Where both were saved there is nothing to choose: the page was made a moment too early.
      if (!copy.isSaved) setReplaced({ text: stored, isBack: false });
      return true;
    },
    [begin, keepCopy],
  );

  useEffect(() => {
    const of = now.current;
    of.isGone = false;
    const release = copies.hold();
    /** One that a page sent as it was left, and that arrived, is there in the server's writing. */
    const isStored = ({ copy }: LeftCopy) =>
      (copy.isSaved === true && copy.revision <= of.revision) || saysTheSame(copy.text, of.acknowledged);
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
        // Of a page that took its time to end, or of another tab that has ended now; not beneath the hands of who is about to type.
        if (!isStored(one) && !isTyping() && takeUp(one)) void flushRef.current();
        else offer(one);
      },
    );
    const online = () => void flush();
    const leave = () => {
      keepCopy();
      if (of.text !== of.acknowledged) void flush(true);
    };
    // A page that comes back may have been asleep, with its timers, since its last try.
    const turn = () => (document.visibilityState === "hidden" ? leave() : void flush());
    const warn = (event: BeforeUnloadEvent) => {
      if (of.text !== of.acknowledged) {
        of.leftAt ??= of.revision;
        // Before the next page is asked for, which is to show it.
        void flush(true);
      }
      if (of.text !== of.acknowledged && (of.failures > 0 || of.blocked !== null || !of.isKept)) event.preventDefault();
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
      of.isGone = true;
      clearTimeout(of.timer);
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
      const of = now.current;
      if (!(await flush())) return false;
      of.over = copy.isOver === true || copy.revision !== of.revision;
      begin({ ...copy.text, ...beside(copy.text, of.text) });
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
      const of = now.current;
      if (!replaced || !(await flush())) return false;
      of.over = true;
      begin({ ...replaced.text, ...beside(replaced.text, of.text) });
      setReplaced({ ...replaced, isBack: true });
      change({});
      return true;
    },

    /** Ends a conflict: mine is saved, and theirs is a version. */
    async keepMine(theirs: StoredDraft): Promise<void> {
      const of = now.current;
      change(beside(of.text, theirs.text));
      Object.assign(of, { revision: theirs.revision, over: true, blocked: null });
      await flush();
    },

    /**
     * Ends a conflict: theirs is there, and mine is a version.
     * @returns why mine could not be kept, where nothing is changed
     */
    async takeTheirs(theirs: StoredDraft): Promise<string | null> {
      const of = now.current;
      let sent: DraftText;
      // What is typed while it is kept is kept too.
      do {
        sent = of.text;
        const body = JSON.stringify({ writer: writerId, text: sent });
        const answer = await fetch(address, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body,
          signal: AbortSignal.timeout(patienceFor(body)),
        }).catch(() => null);
        const said = (await answer?.json().catch(() => null)) as { error?: string } | null | undefined;
        if (!answer?.ok) return said?.error ?? "The server does not answer: nothing is lost. Try again in a moment.";
      } while (of.text !== sent);
      const { text: taken, revision, print, savedAt } = theirs;
      lastSaved.set(`${writerId} ${id}`, theirs);
      Object.assign(of, {
        ...{ acknowledged: taken, revision, print },
        ...{ blocked: null, unanswered: null, over: false, failures: 0, since: 0, leftAt: null },
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
