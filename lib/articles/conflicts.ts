import type { OpenDraft } from "@/lib/articles/open-draft";

/** A program's expectations of the article it changes. */
export interface Expected {
  /** The revision that the program has seen. */
  revision?: number | undefined;
  /** Throws if the article has changed since the program read it. */
  check?: ((now: OpenDraft) => Promise<void>) | undefined;
  /** Whether the program named the state it has seen, by `revision` or `check`. */
  hasSeen?: boolean | undefined;
  /** The article must exist. */
  exists?: boolean | undefined;
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
    /** Null if no article has the external id. */
    readonly now: Pick<OpenDraft, "revision" | "savedBy" | "savedAt"> | null,
    /** Whether `keepVersion` allows the change. */
    readonly canKeep = true,
  ) {
    super(reason);
  }
}

/**
 * @param writes whether the draft would be replaced or published
 * @param replaces whether the program's text would replace the draft. If not, `keepVersion` doesn't apply, because it would publish a
 * draft that the program hasn't seen
 */
export function refuseConflict(now: OpenDraft, expected: Expected, writes: boolean, replaces = writes): void {
  const { revision, hasSeen = revision !== undefined, keepVersion } = expected;
  if (revision !== undefined && revision !== now.revision) throw new DraftConflict("stale", now);
  const isOfMember = now.hasDraft && now.savedBy?.kind === "member";
  const keeps = keepVersion && replaces;
  if (writes && isOfMember && !hasSeen && !keeps) throw new DraftConflict("member", now, replaces);
}
