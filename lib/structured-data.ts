// What pages say of themselves in the words of schema.org, for search engines.

interface Named {
  name: string;
  slug: string;
}

/** A thing of schema.org. Its texts are as they were written: components/reader/json-ld.tsx makes them safe to print. */
export type Thing = Record<string, unknown>;

/** The start page: the workspace, and how it is searched. */
export function siteThing(workspace: { name: string; language: string }, home: string): Thing {
  return {
    "@context": "https://schema.org",
    "@type": "WebSite",
    name: workspace.name,
    url: `${home}/`,
    inLanguage: workspace.language,
    potentialAction: {
      "@type": "SearchAction",
      target: { "@type": "EntryPoint", urlTemplate: `${home}/search?q={search_term_string}` },
      "query-input": "required name=search_term_string",
    },
  };
}

/**
 * An article and the way to it.
 * @param article.path categories from the top down
 */
export function articleThing(
  workspace: { name: string; language: string },
  home: string,
  article: {
    slug: string;
    title: string;
    description: string;
    publishedAt: Date;
    updatedAt: Date;
    author: string;
    image: string;
    path: Named[];
  },
): Thing {
  const url = `${home}/articles/${article.slug}`;
  return {
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "Article",
        headline: article.title,
        description: article.description,
        datePublished: article.publishedAt.toISOString(),
        dateModified: article.updatedAt.toISOString(),
        inLanguage: workspace.language,
        mainEntityOfPage: url,
        image: article.image,
        author: { "@type": "Person", name: article.author },
        publisher: { "@type": "Organization", name: workspace.name, url: `${home}/` },
      },
      breadcrumbs(workspace, home, [...article.path.map(placeOf(home)), { name: article.title, url }]),
    ],
  };
}

/** The way to a category; `path` ends with the category itself. */
export function categoryThing(workspace: { name: string }, home: string, path: Named[]): Thing {
  return { "@context": "https://schema.org", ...breadcrumbs(workspace, home, path.map(placeOf(home))) };
}

const placeOf =
  (home: string) =>
  ({ name, slug }: Named) => ({ name, url: `${home}/categories/${slug}` });

function breadcrumbs(workspace: { name: string }, home: string, path: { name: string; url: string }[]): Thing {
  return {
    "@type": "BreadcrumbList",
    itemListElement: [{ name: workspace.name, url: `${home}/` }, ...path].map(({ name, url }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: url,
    })),
  };
}
