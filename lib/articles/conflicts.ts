import type { OpenDraft } from "@/lib/articles/open-draft";

/** A program's expectations of the article it changes. */
export interface Expected {
  /** The revision that the program has seen. */
  revision?: number | undefined;
  /** Throws if the article has changed since the program read it. */
  check?: ((now: OpenDraft) => Promise<void>) | undefined;
  /** Whether the program named the state it has seen, by `revision` or `check`. */
  hasSeen?: boolean | undefined;
  /** Replaces a member's draft, which becomes a version. */
  keepVersion?: boolean | undefined;
}

/**
 * - stale: the article has another revision than the program has seen
 * - member: a member saved the draft last, and the program has not said that it has seen it
 * - busy: the text changed while it was prepared. A retry works
 */
export type ConflictReason = "stale" | "member" | "busy";

/** Refuses a program's change and holds the state that conflicts with it. */
export class DraftConflict extends Error {
  override name = "DraftConflict";

  constructor(
    readonly reason: ConflictReason,
    /** Null when the article is gone. */
    readonly now: Pick<OpenDraft, "revision" | "savedBy" | "savedAt"> | null,
  ) {
    super(reason);
  }
}

/** @param writes whether the draft would be replaced or published */
export function refuseConflict(now: OpenDraft, expected: Expected, writes: boolean): void {
  const { revision, hasSeen = revision !== undefined, keepVersion } = expected;
  if (revision !== undefined && revision !== now.revision) throw new DraftConflict("stale", now);
  const isOfMember = now.hasDraft && now.savedBy?.kind === "member";
  if (writes && isOfMember && !hasSeen && !keepVersion) throw new DraftConflict("member", now);
}
