import type { DraftText } from "@/lib/drafts/text";

// What is written is kept in the browser until the server has said that it has it. Each tab keeps its own, and holds a lock
// of the same name for as long as it lives: a copy that nobody holds was left behind by a tab that crashed or was closed.
// It is offered to its writer alone: who signs in at the same browser next is shown nothing of it. Signing out leaves it
// where it is, since whoever is signed out by time or by an administrator has not chosen to lose what they wrote.

export interface LocalCopy {
  text: DraftText;
  /** Of what it was written on. */
  revision: number;
  /** In the browser's milliseconds. */
  at: number;
}

const prefixOf = (articleId: string, writerId: string) => `lectern-draft:${writerId}:${articleId}:`;

/** Keeps copies of what one member writes of one article in one tab. Everything is silent where the browser keeps nothing. */
export class LocalCopies {
  private readonly prefix: string;
  private readonly key: string;
  private release: () => void = () => {};

  constructor(articleId: string, writerId: string) {
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
  keep(text: DraftText, revision: number): boolean {
    try {
      localStorage.setItem(this.key, JSON.stringify({ text, revision, at: Date.now() } satisfies LocalCopy));
      return true;
    } catch {
      // No room, or none allowed: the server has it in a few seconds. What was kept before is older than what is written.
      return false;
    }
  }

  drop(): void {
    remove(this.key);
  }

  /**
   * Finds the copies that were left behind, now and when a tab that lives ends without having saved.
   * @param found hears of each
   * @returns ends it
   */
  watch(found: (one: { key: string; copy: LocalCopy }) => void): () => void {
    const over = new AbortController();
    const look = (key: string) => {
      const copy = read(key);
      if (copy && !over.signal.aborted) found({ key, copy });
    };
    for (const key of keysOf(this.prefix)) {
      if (key === this.key) continue;
      const all = locks();
      // A lock that can be had is nobody's any more: of a tab that ends, it is given a moment later.
      if (all) void all.request(key, { signal: over.signal }, () => look(key)).catch(() => {});
      else look(key);
    }
    return () => over.abort();
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

function read(key: string): LocalCopy | null {
  try {
    // Another version of the page may have written it.
    const copy = JSON.parse(localStorage.getItem(key) ?? "null") as
      | { [Part in keyof LocalCopy]?: LocalCopy[Part] }
      | null;
    const { text, revision, at = 0 } = copy ?? {};
    return typeof text?.html === "string" && typeof revision === "number" ? { text, revision, at } : null;
  } catch {
    return null;
  }
}

/** Only there where the page came safely, by https or from this machine. */
function locks(): LockManager | undefined {
  return (navigator as { locks?: LockManager }).locks;
}
