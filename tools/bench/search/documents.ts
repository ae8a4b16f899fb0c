import { searchDocument } from "@/lib/search/documents";
import type { MadeArticle } from "./articles";

/** The columns of search_documents, in the order of the values from `indexed`. */
export const documentColumns = ["workspace_id", "id", "published", "updated_at", "title", "words"];

/** The columns of search_words. A workspace has each word only once. */
export const wordColumns = ["workspace_id", "word", "spelling"];

/**
 * The search rows of an article, from the product's code for bulk inserts.
 * @param vocabulary collects the article's words and their spellings
 */
export async function indexed(
  workspaceId: string,
  article: MadeArticle & { slug: string; text: string },
  categoryName: string,
  vocabulary: Map<string, string>,
) {
  const {
    title,
    words,
    vocabulary: learned,
  } = await searchDocument(workspaceId, { metaDescription: null, ...article, categoryName });
  if (article.published) for (const { word, spelling } of learned) vocabulary.set(word, spelling);
  return [workspaceId, article.id, article.published, article.updatedAt, title, words];
}
