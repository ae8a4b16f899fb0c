import type { DerivedText } from "@/lib/publishing/derive";

/** What an article says, and what stands beside it. */
export interface TextToStore {
  title: string;
  body: DerivedText;
  keywords: string[];
  tags: string[];
  /** In order; articles that do not exist (yet) are passed over. */
  relatedIds: string[];
  /** Uploads, in order; when absent, those that it has stay. */
  attachmentIds?: string[] | undefined;
  pageTitle: string | null;
  metaDescription: string | null;
  showTableOfContents: boolean;
}

/** An article as it is to be from now on, whatever it was before. */
export interface ArticleToStore extends TextToStore {
  id: string;
  slug: string;
  state: "draft" | "published";
  category: { id: string; name: string };
  sequence: number;
  authorId: string;
  /** What is being written beside a published text; what a person is writing here already stays in its place. */
  draft?: TextToStore & { updatedAt: Date; updatedBy: string };
  /** Of a new article; made when absent. */
  permalink?: string | undefined;
  /** Null or absent: when it first was published here, else when it was made. */
  publishedAt?: Date | null;
  /** When it is to be published; null or absent: not by itself. */
  publishAt?: Date | null;
  /** Null: now, or what it was before. */
  createdAt: Date | null;
  updatedAt: Date;
  /**
   * Where it came from, and a hash of all that it was made of, null while that is not all there; null: made here. What its
   * file said of what people may change (`settings`) stays where it is absent.
   */
  source: { path: string; hash: Buffer | null; settings?: object } | null;
  /**
   * What of an article that is there stays as it is by then, whatever is given: where it is, its place in the order, that
   * it is a draft, when it is to be published. With "published" a draft is not stored over an article that is published by
   * then: all of that stays as it is.
   */
  keeps?: readonly Kept[];
}

export type Kept = "category" | "sequence" | "draft" | "published" | "publishAt";

export interface StoredArticle {
  id: string;
  created: boolean;
  /** Somebody is writing a draft of this article, and it was left as it is. */
  keptDraft: boolean;
  /** It is published by now, and nothing of it was changed. */
  isLeft: boolean;
}

/** How an article's tags, links and the like are to be stored. */
export interface Sides {
  articleId: string;
  /** Whether readers see it. */
  inLive: boolean;
  /** Whether a person's draft stays beside it. */
  keepsDraft: boolean;
}
