import { createHash } from "node:crypto";
import { type DraftText, textFieldList } from "@/lib/articles/article-text";
import type { OpenDraft } from "@/lib/articles/open-draft";
import { fold } from "@/lib/search/words";

/** What the page of an article knows of what is stored, and is told with every save. */
export interface StoredDraft {
  revision: number;
  /** Of all that waits for publishing: two drafts that say the same have the same. */
  print: string;
  slug: string;
  hasDraft: boolean;
  savedAt: string;
  savedBy: { id: string; name: string } | null;
  text: DraftText;
  related: OpenDraft["related"];
  attachments: OpenDraft["attachments"];
}

/** A draft as it is sent to the page that writes it. */
export function storedDraft(draft: OpenDraft): StoredDraft {
  const { revision, slug, hasDraft, savedAt, savedBy, text, related, attachments } = draft;
  return {
    ...{ revision, slug, hasDraft, text, related, attachments, print: printOf(text) },
    ...{ savedAt: savedAt.toISOString(), savedBy },
  };
}

/** A hash of what two drafts have in common that say the same; the spelling of tags and their order are none of it. */
export function printOf(text: DraftText): string {
  return createHash("sha256").update(toldOf(text)).digest("base64url");
}

/** Whether two texts say the same in all that waits for publishing. */
export function sameText(one: DraftText, other: DraftText): boolean {
  return toldOf(one) === toldOf(other);
}

function toldOf(text: DraftText): string {
  return JSON.stringify([
    ...textFieldList.map(([name]) => text[name]),
    ...[text.tags.map(fold), text.relatedIds, text.attachmentIds].map((list) => [...list].sort()),
  ]);
}
