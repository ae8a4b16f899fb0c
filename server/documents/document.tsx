import { renderToStaticMarkup } from "react-dom/server";
import { ReaderFrame } from "@/components/reader/frame";
import { SiteHead } from "@/components/reader/site-head";
import { readTogether } from "@/lib/db";
import { currentRequest } from "@/lib/http/request";
import { readerIcons } from "@/lib/reader/metadata";
import { wordsFor } from "@/lib/reader/words";
import { accentStyle } from "@/lib/settings/colors";
import { directionOf } from "@/lib/settings/languages";
import { contactLink } from "@/lib/settings/site-fields";
import { readAs } from "@/lib/visibility";
import { openWorkspaceAt } from "@/lib/workspaces/public-workspace";
import { MetadataTags } from "./metadata-tags";
import type { DocumentAt } from "./pages";

/** The font class and stylesheets that Next adds to every reader page. */
export interface Shell {
  /** The class on the html element that sets the font. */
  className: string;
  /** Stylesheet URLs. */
  styles: string[];
}

/**
 * Renders the page that Next would render for visitors.
 * @param nonce for inline scripts and styles
 * @returns the HTML, or null if Next must respond because the page doesn't exist, has moved, or is hidden from visitors
 */
export async function documentOf(
  subdomain: string,
  { page, groups }: DocumentAt,
  { className, styles }: Shell,
  nonce: string,
): Promise<string | null> {
  const workspace = await openWorkspaceAt(subdomain);
  const since = currentRequest()?.since ?? undefined;
  const show =
    workspace &&
    (await readAs(
      workspace,
      "anyone",
      (snapshot) => page.read(workspace, snapshot, ...groups),
      (workspaceId, work) => readTogether(workspaceId, work, since),
    ));
  if (!show) return null;
  const shown = show();
  const { language, name, accentColor } = workspace;
  const { title } = shown.metadata;
  const html = renderToStaticMarkup(
    <html lang={language} dir={directionOf(language)} className={className}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} nonce={nonce} data-precedence="next" />
        ))}
        <MetadataTags
          title={title === undefined ? name : `${title} · ${name}`}
          metadata={shown.metadata}
          icons={readerIcons(workspace)}
        />
        <SiteHead style={accentColor && accentStyle(accentColor)} nonce={nonce} />
      </head>
      <body>
        <ReaderFrame
          workspace={workspace}
          words={wordsFor(language)}
          contact={contactLink(workspace.contact)}
          nonce={nonce}
          {...shown.frame}
        >
          {shown.children}
        </ReaderFrame>
      </body>
    </html>,
  );
  return `<!DOCTYPE html>${html}`;
}
