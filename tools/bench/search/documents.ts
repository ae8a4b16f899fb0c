import { searchDocument } from "@/lib/search/documents";
import type { MadeArticle } from "./articles";

/** The columns of search_documents that `indexed` gives the values of. */
export const documentColumns = ["workspace_id", "id", "published", "updated_at", "title", "words"];

/** The columns of search_words, of which a workspace has each word once. */
export const wordColumns = ["workspace_id", "word", "spelling"];

/**
 * The search rows of an article, made by the product's code for inserting in bulk.
 * @param vocabulary collects the article's words and their spellings
 */
export function indexed(
  workspaceId: string,
  article: MadeArticle & { slug: string; text: string },
  categoryName: string,
  vocabulary: Map<string, string>,
) {
  const {
    title,
    words,
    vocabulary: learned,
  } = searchDocument(workspaceId, { metaDescription: null, ...article, categoryName });
  if (article.published) for (const { word, spelling } of learned) vocabulary.set(word, spelling);
  return [workspaceId, article.id, article.published, article.updatedAt, title, words];
}
