/** A language of the search test set: articles, and searches of readers. */
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

/** A search and its expected results: every article of `finds`, by key. The other fields are checked only where set. */
export interface Question<Key extends string> {
  query: string;
  finds: Key[];
  /** The first of `finds` comes first. */
  first?: true;
  /** Nothing else may match. */
  only?: true;
  /**
   * The `corrected_term`: the whole query, the corrected word in lower case with its accents, the others as typed. Absent when
   * nothing may be corrected. True when words are joined or split, which may or may not count as a correction.
   */
  corrected?: string | true;
  why: string;
}

export function language<Key extends string>(
  code: string,
  articles: Record<Key, TestArticle>,
  questions: Question<NoInfer<Key>>[],
): Language {
  return { code, articles, questions };
}
