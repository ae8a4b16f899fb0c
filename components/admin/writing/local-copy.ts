import type { DraftText } from "@/lib/articles/article-text";

// The browser keeps the text until the server has confirmed it. Each tab keeps its own copy and holds a lock of the same
// name while it is open. A copy without a lock comes from a tab that crashed or was closed, and only its writer can restore
// it. Signing out keeps the copy, because an expired session must not lose text.

export interface LocalCopy {
  text: DraftText;
  /** The revision that the text was based on. */
  revision: number;
  /** In the browser's milliseconds. */
  at: number;
  /** The first revision saved while the page was closing. The next page may have loaded any revision from here on. */
  since?: number;
  /** The server has this text as `revision`. The copy stays for a next page that may have loaded an older one. */
  isSaved?: boolean;
  /** An earlier text whose save got no answer, so the server may have it. */
  sent?: DraftText;
  /** The text was not based on the stored text, which must become a version when this one replaces it. */
  isOver?: boolean;
  /** The server has refused this text. */
  isRefused?: boolean;
}

/** A copy without an open tab. */
export interface LeftCopy {
  key: string;
  copy: LocalCopy;
}

/** Time for the browser to release a closed page's lock, in milliseconds. */
const GONE_MS = 1_000;

/** How long to keep a saved text for a page that is still loading, in milliseconds. */
const SAVED_MS = 60_000;

const ALL = "lectern-draft:";
const prefixOf = (articleId: string, writerId: string) => `${ALL}${writerId}:${articleId}:`;

/** Copies of one member's text of one article in one tab. Does nothing if the browser refuses storage. */
export class LocalCopies {
  private readonly prefix: string;
  private readonly key: string;
  private release: () => void = () => {};

  /** @param whole supplies fields that a copy from another release lacks */
  constructor(
    articleId: string,
    writerId: string,
    private readonly whole: DraftText,
  ) {
    this.prefix = prefixOf(articleId, writerId);
    this.key = this.prefix + crypto.getRandomValues(new Uint32Array(2)).join("-");
  }

  /** Holds this tab's lock. @returns a function that releases it */
  hold(): () => void {
    const held = new Promise<void>((resolve) => {
      this.release = resolve;
    });
    void locks()
      ?.request(this.key, () => held)
      .catch(() => {});
    return () => this.release();
  }

  /** @returns whether the browser stored the copy */
  keep(copy: Omit<LocalCopy, "at">): boolean {
    const put = (copy: Omit<LocalCopy, "at">) => {
      try {
        localStorage.setItem(this.key, JSON.stringify({ ...copy, at: Date.now() } satisfies LocalCopy));
        return true;
      } catch {
        // Storage is full or forbidden. The previous copy is now out of date. The server gets the text within seconds.
        return false;
      }
    };
    const { sent, ...without } = copy;
    return (sent !== undefined && put(copy)) || put(without);
  }

  drop(): void {
    remove(this.key);
  }

  /** @returns whether this tab has a copy */
  isThere(): boolean {
    return keysOf(this.key).length > 0;
  }

  /**
   * Finds unsaved copies, now and whenever an open tab closes without saving.
   * @param first called once with the copies that exist now, newest first. `isCertain` means that no open tab keeps
   *   them.
   * @param later called with each copy left behind afterward
   * @returns a function that stops watching
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
      // A free lock means that its tab has closed. A closing tab releases its lock a moment late.
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
    // Without storage there is no copy to remove.
  }
}

/** Another release may have written the copy. Missing fields come from `whole`. */
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

/**
 * Whether a field's value has the same type as the stored one. All texts except the title and the HTML are null when
 * empty.
 */
function fits(name: string, value: unknown, stored: unknown): boolean {
  if (Array.isArray(stored)) return isList(value);
  if (typeof stored === "boolean") return typeof value === "boolean";
  return stored !== undefined && (isText(value) || (value === null && name !== "title" && name !== "html"));
}

/** The valid fields, over `whole`. Null if the value has no text. */
function textOf(value: unknown, whole: DraftText): DraftText | null {
  if (typeof value !== "object" || value === null || !isText((value as { html?: unknown }).html)) return null;
  const stored = whole as unknown as Record<string, unknown>;
  const parts = Object.entries(value).filter(([name, part]) => fits(name, part, stored[name]));
  return { ...whole, ...(Object.fromEntries(parts) as Partial<DraftText>) };
}

/** Only available over https or on localhost. */
function locks(): LockManager | undefined {
  return (navigator as { locks?: LockManager }).locks;
}
