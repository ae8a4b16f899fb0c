/** One language of the search engine's test set: its articles, and what readers ask for. */
export interface Language {
  /** BCP 47. */
  code: string;
  articles: Record<string, TestArticle>;
  questions: Question<string>[];
}

export interface TestArticle {
  title: string;
  html: string;
  keywords?: string[];
}

/**
 * A search, and what its answer must be. Every article of `finds` is answered: that is the law. The rest is asked for
 * only where it is said. Articles are named by their keys.
 */
export interface Question<Key extends string> {
  query: string;
  finds: Key[];
  /** The first of `finds` is the first answer. */
  first?: true;
  /** Nothing else is answered. */
  only?: true;
  /**
   * What `corrected_term` says: the whole query, the mended word in lower case with its own accents, the others as they
   * were typed. Absent: nothing was corrected. True: the word is put together or written in another way, and whether
   * that is told as a correction is the engine's own affair.
   */
  corrected?: string | true;
  why: string;
}

/** Checks that questions name articles of their own language. */
export function language<Key extends string>(
  code: string,
  articles: Record<Key, TestArticle>,
  questions: Question<NoInfer<Key>>[],
): Language {
  return { code, articles, questions };
}
