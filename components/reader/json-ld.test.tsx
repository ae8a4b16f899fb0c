import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { JsonLd } from "@/components/reader/json-ld";
import { articleThing } from "@/lib/reader/structured-data";

test("no text ends the block of data, and a parser reads every text as it was written", () => {
  const odd = `</script><script>alert(1)</script><!-- & " ' \\ 🎉 \u2028 مرحبا`;
  const thing = articleThing({ name: odd, language: "en" }, "https://docs.example.com", {
    slug: "odd",
    title: odd,
    description: odd,
    publishedAt: new Date("2026-01-01T00:00:00Z"),
    updatedAt: new Date("2026-02-01T00:00:00Z"),
    author: odd,
    image: "https://docs.example.com/og/articles/odd.png?v=1",
    path: [{ name: odd, slug: "start" }],
  });
  const html = renderToStaticMarkup(<JsonLd thing={thing} />);
  const [, json = ""] = /^<script type="application\/ld\+json">([^<>&]*)<\/script>$/.exec(html) ?? [];
  expect(JSON.parse(json)).toEqual({
    "@context": "https://schema.org",
    "@graph": [
      {
        "@type": "Article",
        headline: odd,
        description: odd,
        datePublished: "2026-01-01T00:00:00.000Z",
        dateModified: "2026-02-01T00:00:00.000Z",
        inLanguage: "en",
        mainEntityOfPage: "https://docs.example.com/articles/odd",
        image: "https://docs.example.com/og/articles/odd.png?v=1",
        author: { "@type": "Person", name: odd },
        publisher: { "@type": "Organization", name: odd, url: "https://docs.example.com/" },
      },
      {
        "@type": "BreadcrumbList",
        itemListElement: [
          { "@type": "ListItem", position: 1, name: odd, item: "https://docs.example.com/" },
          { "@type": "ListItem", position: 2, name: odd, item: "https://docs.example.com/categories/start" },
          { "@type": "ListItem", position: 3, name: odd, item: "https://docs.example.com/articles/odd" },
        ],
      },
    ],
  });
});
