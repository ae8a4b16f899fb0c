import { usedSnippets } from "@/lib/articles/used-snippets";
import type { SourceLink } from "@/lib/content/canonical";
import { type Content, contentFromHtml } from "@/lib/content/content";
import { type DerivedText, derivedText } from "@/lib/content/derive";
import { contentFromMarkdown } from "@/lib/content/from-markdown";
import { InvalidError } from "@/lib/errors";
import type { Addresses, Destination } from "@/lib/import/addresses";
import type { ArticleFile } from "@/lib/import/article-file";
import { FileError } from "@/lib/import/problem";

export interface Finding {
  kind: NonNullable<Destination["finding"]> | "missing_anchor" | "broken_related" | "unknown_author";
  path: string;
  line?: number;
  /** As written in the file. */
  href: string;
}

/** A link to an anchor of an article. It is checked once that article's headings are known. */
export interface AnchorLink {
  path: string;
  line?: number;
  href: string;
  target: string;
  anchor: string;
}

export interface CheckedBody {
  headings: string[];
  findings: Finding[];
  anchors: AnchorLink[];
}

export interface PreparedBody extends CheckedBody {
  body: DerivedText;
}

export async function preparedBody(
  workspaceId: string,
  path: string,
  file: ArticleFile,
  addresses: Addresses,
): Promise<PreparedBody> {
  const { content, ...checked } = linkedContent(path, file, addresses);
  const snippets = await usedSnippets(workspaceId, content.html).catch((error: unknown) => {
    throw error instanceof InvalidError ? new FileError(error.message) : error;
  });
  return { ...checked, body: await derivedText(content, snippets) };
}

export function checkedBody(path: string, file: ArticleFile, addresses: Addresses): CheckedBody {
  const { content: _, ...checked } = linkedContent(path, file, addresses);
  return checked;
}

function linkedContent(path: string, file: ArticleFile, addresses: Addresses): CheckedBody & { content: Content } {
  const findings: Finding[] = [];
  const anchors: AnchorLink[] = [];
  const rewriteLink = ({ href, kind, line }: SourceLink): string => {
    const place = { path, href, ...(line !== undefined && { line: line + file.linesBefore }) };
    const destination = addresses.find(path, { href, kind });
    const { article = path, anchor, finding } = destination;
    if (finding) findings.push({ kind: finding, ...place });
    // ":~:" starts a text fragment, and "top" always exists.
    if (anchor && anchor !== "top" && !anchor.startsWith(":~:")) anchors.push({ ...place, target: article, anchor });
    return destination.href ?? "";
  };
  const contentOf = file.format === "html" ? contentFromHtml : contentFromMarkdown;
  const content = contentOf(file.body, { rewriteLink });
  return { content, headings: content.headings.map(({ id }) => id), findings, anchors };
}
