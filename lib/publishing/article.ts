import type { DerivedText } from "@/lib/publishing/derive";

/** An article as it is to be from now on, whatever it was before. */
export interface ArticleToStore {
  id: string;
  slug: string;
  state: "draft" | "published";
  category: { id: string; name: string };
  sequence: number;
  authorId: string;
  title: string;
  body: DerivedText;
  keywords: string[];
  tags: string[];
  /** In order; articles that do not exist (yet) are passed over. */
  relatedIds: string[];
  pageTitle: string | null;
  metaDescription: string | null;
  showTableOfContents: boolean;
  /** Null: now, or what it was before. */
  createdAt: Date | null;
  updatedAt: Date;
  /** Where it came from, and a hash of all that it was made of, null while that is not all there; null: made here. */
  source: { path: string; hash: Buffer | null } | null;
}

export interface StoredArticle {
  id: string;
  created: boolean;
  /** Somebody is writing a draft of this article, and it was left as it is. */
  keptDraft: boolean;
}

/** How an article's tags, links and the like are to be stored. */
export interface Sides {
  articleId: string;
  /** Whether readers see it. */
  inLive: boolean;
  /** Whether a person's draft stays beside it. */
  keepsDraft: boolean;
}
