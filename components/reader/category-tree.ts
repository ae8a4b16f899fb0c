import type { NavCategory } from "@/lib/reader/published-categories";
import type { Words } from "@/lib/reader/words";
import { say } from "@/lib/say";
import { safe } from "./scripts/words";

const FEW_CATEGORIES = 30;

/** Whether there are too many categories to find one by looking. */
export function hasFilter(nav: NavCategory[]): boolean {
  return nav.reduce((sum, { below }) => sum + 1 + below, 0) > FEW_CATEGORIES;
}

interface Current {
  category?: string;
  article?: string;
}

/**
 * The category tree as HTML. It makes up most of a page's elements, and rendering it with React would take longer than the rest of
 * the page. To keep pages small, its elements have no classes (app/tree.css styles them). Buttons expand a category in place,
 * and scripts/tree.ts labels them. Without scripts, the link opens the category's page.
 * @param above the category of this level, null at the top
 */
export function treeHtml(
  nav: NavCategory[],
  current: Current,
  words: Words,
  above: { slug: string; name: string } | null = null,
): string {
  const { language, tree } = words;
  const items = nav.map((category) => {
    const { slug, name, count, open } = category;
    const isPage = slug === current.category && current.article === undefined;
    const link = `<a href="/categories/${safe(slug)}"${isPage ? ' aria-current="page"' : ""}${open ? ' class="open"' : ""}>`;
    const total = above ? "" : `<small>${count.toLocaleString(language)}</small>`;
    const button = open ? '<button type="button" aria-expanded="true"></button>' : '<button type="button"></button>';
    const below = open ? `<div>${belowHtml(category, current, words)}</div>` : "";
    return `<li>${link}<span>${safe(name)}</span>${total}</a>${button}${below}</li>`;
  });
  if (nav.at(-1)?.cut) {
    items.push(
      above
        ? moreHtml(`/categories/${above.slug}`, say(language, tree.allOf, { name: above.name }))
        : moreHtml("/categories", tree.all),
    );
  }
  return `<ul>${items.join("")}</ul>`;
}

function belowHtml(category: NavCategory, current: Current, words: Words): string {
  const { slug, children, articles, own } = category;
  const inner = children.length > 0 ? treeHtml(children, current, words, category) : "";
  if (articles.length === 0) return inner;
  const links = articles.map(
    (article) =>
      `<li><a href="/articles/${safe(article.slug)}"${article.slug === current.article ? ' aria-current="page"' : ""}><span>${safe(article.title)}</span></a></li>`,
  );
  if (articles.length < own)
    links.push(moreHtml(`/categories/${slug}`, say(words.language, words.tree.articles, { count: own })));
  return `${inner}<ul>${links.join("")}</ul>`;
}

const moreHtml = (href: string, name: string) =>
  `<li><a href="${safe(href)}" class="more"><span>${safe(name)}</span></a></li>`;
