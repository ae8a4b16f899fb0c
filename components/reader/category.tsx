import { ArticleList } from "@/components/reader/article-list";
import { Breadcrumbs } from "@/components/reader/breadcrumbs";
import { CategoryCards } from "@/components/reader/category-cards";
import { JsonLd } from "@/components/reader/json-ld";
import { Pages } from "@/components/reader/pages";
import type { PublishedCategory } from "@/lib/reader/published-categories";
import type { Thing } from "@/lib/reader/structured-data";
import type { Words } from "@/lib/reader/words";
import { say } from "@/lib/say";

/**
 * A category's page, without its frame.
 * @param address returns the path of a page by its number
 */
export function CategoryPage({
  category: { name, description, ancestors, count, subcategories, articles, page, pages },
  words,
  thing,
  address,
}: {
  category: PublishedCategory;
  words: Words;
  thing: Thing;
  address: (page: number) => string;
}) {
  return (
    <>
      <JsonLd thing={thing} />
      <div className="max-w-[46rem]">
        <Breadcrumbs path={ancestors} words={words} />
        <h1 className="mt-3 text-2xl break-words">{name}</h1>
        {description && <p className="mt-3 text-text-muted">{description}</p>}
        <p className="mt-2 text-sm text-text-muted" {...words.region}>
          {say(words.language, words.articles, { count })}
        </p>
        {subcategories.length > 0 && (
          <CategoryCards label={words.category.subcategories} categories={subcategories} words={words} />
        )}
        {articles.length > 0 && <ArticleList label={words.category.articles} articles={articles} />}
        <Pages address={address} page={page} pages={pages} words={words} />
      </div>
    </>
  );
}
