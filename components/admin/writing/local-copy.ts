import type { DraftText } from "@/lib/articles/article-text";

// The browser keeps the text until the server has confirmed it. Each tab keeps its own copy, and holds a lock of the same
// name while it lives: a copy without a lock was left by a tab that crashed or was closed. Only its writer is offered it.
// Signing out leaves it: a session that expires must not lose text.

export interface LocalCopy {
  text: DraftText;
  /** The text that it was written on. */
  revision: number;
  /** In the browser's milliseconds. */
  at: number;
  /** The revision from which on all was saved by this tab, while its page was being left: the next page may be made of any. */
  since?: number;
  /** The server has it, as this revision: it is kept for the next page, which may have been made before. */
  isSaved?: boolean;
  /** An earlier text that was sent and is perhaps stored: no answer came. */
  sent?: DraftText;
  /** The stored text must be kept as a version when this one replaces it: it was not written on it. */
  isOver?: boolean;
  /** The server has said that it does not take this. */
  isRefused?: boolean;
}

/** A copy that no living tab keeps. */
export interface LeftCopy {
  key: string;
  copy: LocalCopy;
}

/** How long one waits for the page that was here before to be gone from the browser's books, in milliseconds. */
const GONE_MS = 1_000;

/** How long a text that the server has is kept for a page that is just being made, in milliseconds. */
const SAVED_MS = 60_000;

const ALL = "lectern-draft:";
const prefixOf = (articleId: string, writerId: string) => `${ALL}${writerId}:${articleId}:`;

/** Keeps copies of what one member writes of one article in one tab. Everything is silent where the browser keeps nothing. */
export class LocalCopies {
  private readonly prefix: string;
  private readonly key: string;
  private release: () => void = () => {};

  /** @param whole what stands for whatever a copy of another version of the page lacks */
  constructor(
    articleId: string,
    writerId: string,
    private readonly whole: DraftText,
  ) {
    this.prefix = prefixOf(articleId, writerId);
    this.key = this.prefix + crypto.getRandomValues(new Uint32Array(2)).join("-");
  }

  /** Says that this tab lives, until the function that it gives is called. */
  hold(): () => void {
    const held = new Promise<void>((resolve) => {
      this.release = resolve;
    });
    void locks()
      ?.request(this.key, () => held)
      .catch(() => {});
    return () => this.release();
  }

  /** @returns whether the browser has taken it */
  keep(copy: Omit<LocalCopy, "at">): boolean {
    const put = (copy: Omit<LocalCopy, "at">) => {
      try {
        localStorage.setItem(this.key, JSON.stringify({ ...copy, at: Date.now() } satisfies LocalCopy));
        return true;
      } catch {
        // Storage is full or not allowed: the server has the text in a few seconds. The previous copy is older than the text.
        return false;
      }
    };
    const { sent, ...without } = copy;
    return (sent !== undefined && put(copy)) || put(without);
  }

  drop(): void {
    remove(this.key);
  }

  /** @returns whether there is a copy of this tab */
  isThere(): boolean {
    return keysOf(this.key).length > 0;
  }

  /**
   * Finds the copies that were left behind, now and when a tab that lives ends without having saved.
   * @param first hears once of those that are there now, the newest first; `isCertain` where it is known that nobody keeps them
   * @param later hears of each that is left behind from then on
   * @returns ends it
   */
  watch(first: (left: LeftCopy[], isCertain: boolean) => void, later: (left: LeftCopy) => void): () => void {
    const over = new AbortController();
    const early: LeftCopy[] = [];
    let isFirst = true;
    const look = (key: string) => {
      const copy = read(key, this.whole);
      if (!copy || over.signal.aborted) return;
      if (isFirst) early.push({ key, copy });
      else later({ key, copy });
    };
    for (const key of keysOf(ALL)) {
      const copy = read(key, this.whole);
      if (copy?.isSaved && Date.now() - copy.at > SAVED_MS) remove(key);
    }
    const all = locks();
    const looks = keysOf(this.prefix)
      .filter((key) => key !== this.key)
      // A lock that can be had is nobody's any more: of a tab that ends, it is given a moment later.
      .map(async (key) =>
        all ? all.request(key, { signal: over.signal }, () => look(key)).catch(() => {}) : look(key),
      );
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, GONE_MS);
    });
    void Promise.race([Promise.all(looks), late]).then(() => {
      isFirst = false;
      clearTimeout(timer);
      if (over.signal.aborted) return;
      first(
        early.sort((one, other) => other.copy.at - one.copy.at),
        all !== undefined,
      );
    });
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }
}

function keysOf(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

export function remove(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Then there is none.
  }
}

/** Another version of the page may have written it: what it lacks is as in `whole`. */
function read(key: string, whole: DraftText): LocalCopy | null {
  try {
    const copy = JSON.parse(localStorage.getItem(key) ?? "null") as { [Part in keyof LocalCopy]?: unknown } | null;
    const { text, sent, revision, at, since, isSaved, isOver, isRefused } = copy ?? {};
    const [kept, before] = [textOf(text, whole), textOf(sent, whole)];
    if (!kept || typeof revision !== "number") return null;
    return {
      text: kept,
      revision,
      at: typeof at === "number" ? at : 0,
      isSaved: isSaved === true,
      isOver: isOver === true,
      isRefused: isRefused === true,
      ...(before && { sent: before }),
      ...(typeof since === "number" && { since }),
    };
  } catch {
    return null;
  }
}

const isText = (value: unknown) => typeof value === "string";
const isList = (value: unknown) => Array.isArray(value) && value.every(isText);

/** Whether a field's value is of the same kind as the stored one. Every text but title and HTML is null when it is empty. */
function fits(name: string, value: unknown, stored: unknown): boolean {
  if (Array.isArray(stored)) return isList(value);
  if (typeof stored === "boolean") return typeof value === "boolean";
  return stored !== undefined && (isText(value) || (value === null && name !== "title" && name !== "html"));
}

/** The fields that fit, over `whole`; null where there is no text. */
function textOf(value: unknown, whole: DraftText): DraftText | null {
  if (typeof value !== "object" || value === null || !isText((value as { html?: unknown }).html)) return null;
  const stored = whole as unknown as Record<string, unknown>;
  const parts = Object.entries(value).filter(([name, part]) => fits(name, part, stored[name]));
  return { ...whole, ...(Object.fromEntries(parts) as Partial<DraftText>) };
}

/** Only there where the page came safely, by https or from this machine. */
function locks(): LockManager | undefined {
  return (navigator as { locks?: LockManager }).locks;
}
