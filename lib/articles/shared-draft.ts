import { createHash } from "node:crypto";
import { type DraftText, textFieldList } from "@/lib/articles/article-text";
import type { OpenDraft } from "@/lib/articles/open-draft";
import { fold } from "@/lib/search/words";

/** The stored draft as the editor knows it. Every save returns it. */
export interface StoredDraft {
  revision: number;
  /** A hash of everything that waits for publishing. Equal drafts have equal hashes. */
  contentHash: string;
  slug: string;
  hasDraft: boolean;
  savedAt: string;
  savedBy: { id: string; name: string } | null;
  text: DraftText;
  related: OpenDraft["related"];
  attachments: OpenDraft["attachments"];
}

export function storedDraft(draft: OpenDraft): StoredDraft {
  const { revision, slug, hasDraft, savedAt, savedBy, text, related, attachments } = draft;
  return {
    revision,
    slug,
    hasDraft,
    text,
    related,
    attachments,
    contentHash: contentHashOf(text),
    savedAt: savedAt.toISOString(),
    savedBy,
  };
}

/** Ignores the spelling and order of tags. */
export function contentHashOf(text: DraftText): string {
  return createHash("sha256").update(canonicalText(text)).digest("base64url");
}

export function sameText(one: DraftText, other: DraftText): boolean {
  return canonicalText(one) === canonicalText(other);
}

function canonicalText(text: DraftText): string {
  return JSON.stringify([
    ...textFieldList.map(([name]) => text[name]),
    ...[text.tags.map(fold), text.relatedIds, text.attachmentIds].map((list) => [...list].sort()),
  ]);
}
