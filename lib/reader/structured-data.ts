interface Named {
  name: string;
  slug: string;
}

/** A schema.org object for search engines. Its texts are not escaped: components/reader/json-ld.tsx does that. */
export type Thing = Record<string, unknown>;

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
      breadcrumbs(workspace, home, [...article.path.map(urlOf(home)), { name: article.title, url }]),
    ],
  };
}

export function categoryThing(workspace: { name: string }, home: string, path: Named[]): Thing {
  return { "@context": "https://schema.org", ...breadcrumbs(workspace, home, path.map(urlOf(home))) };
}

const urlOf =
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
