import { renderToStaticMarkup } from "react-dom/server";
import { ArticlePage, articleAside } from "@/components/reader/article/page";
import { ReaderFrame } from "@/components/reader/frame";
import { SiteHead } from "@/components/reader/site-head";
import { articleMetadata, articlePage, readArticlePage } from "@/lib/reader/article-page";
import { readerIcons } from "@/lib/reader/metadata";
import { accentStyle } from "@/lib/settings/colors";
import { directionOf } from "@/lib/settings/languages";
import { readAs } from "@/lib/visibility";
import { openWorkspaceAt } from "@/lib/workspaces/public-workspace";
import { MetadataTags } from "./metadata-tags";

/** The font class and stylesheets that Next adds to every reader page. */
export interface Shell {
  /** The class on the html element that sets the font. */
  className: string;
  /** Stylesheet URLs. */
  styles: string[];
}

/**
 * Renders a published article's page for visitors, as Next would.
 * @param nonce for inline scripts and styles
 * @returns the HTML, or null if Next must respond because the slug changed or visitors can't see the article
 */
export async function articleDocument(
  subdomain: string,
  slug: string,
  { className, styles }: Shell,
  nonce: string,
): Promise<string | null> {
  const workspace = await openWorkspaceAt(subdomain);
  if (!workspace) return null;
  const { article, nav } = await readAs(workspace, "anyone", (snapshot) => readArticlePage(snapshot, slug));
  if (!article) return null;
  const shown = articlePage(workspace, article);
  const metadata = articleMetadata(workspace, article);
  const html = renderToStaticMarkup(
    <html lang={workspace.language} dir={directionOf(workspace.language)} className={className}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} nonce={nonce} data-precedence="next" />
        ))}
        <MetadataTags
          title={`${metadata.title} · ${workspace.name}`}
          metadata={metadata}
          icons={readerIcons(workspace)}
        />
        <SiteHead style={workspace.accentColor && accentStyle(workspace.accentColor)} nonce={nonce} />
      </head>
      <body>
        <ReaderFrame
          workspace={workspace}
          words={shown.words}
          nav={nav}
          current={{ category: article.breadcrumbs.at(-1)?.slug, article: article.slug }}
          aside={articleAside(article, shown.words)}
          contact={shown.contact}
          nonce={nonce}
        >
          <ArticlePage {...shown} />
        </ReaderFrame>
      </body>
    </html>,
  );
  return `<!DOCTYPE html>${html}`;
}
