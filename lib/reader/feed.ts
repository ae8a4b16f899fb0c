import { type Summarized, summaryColumns, summaryOf } from "@/lib/reader/summary";
import { xmlText } from "@/lib/reader/xml";
import type { Snapshot } from "@/lib/visibility";

const ENTRIES = 50;

interface Entry extends Summarized {
  permalink: string;
  slug: string;
  title: string;
  publishedAt: Date;
  updatedAt: Date;
  author: string;
  category: string;
}

/** An Atom feed (RFC 4287) of summaries: readers of feeds ask for it often. The returned function makes the XML, to be called after the transaction. */
export async function atomFeed(
  { read, hidden }: Snapshot,
  workspace: { id: string; name: string; language: string; home: string },
  domain: string,
): Promise<() => string> {
  const entries = await read<Entry>(
    `WITH newest AS (
       SELECT a.id, a.permalink, a.slug, a.author_id, a.category_id, coalesce(a.published_at, a.created_at) AS published_at, a.updated_at
       FROM articles a WHERE a.workspace_id = $2 AND a.state = 'published' AND a.category_id <> ALL($1::uuid[])
       ORDER BY coalesce(a.published_at, a.created_at) DESC, a.id LIMIT ${ENTRIES}
     )
     SELECT n.permalink, n.slug, l.title, ${summaryColumns},
       n.published_at AS "publishedAt", n.updated_at AS "updatedAt", trim(m.first_name || ' ' || m.last_name) AS author,
       c.name AS category
     FROM newest n
     JOIN article_live l ON l.workspace_id = $2 AND l.id = n.id
     JOIN members m ON m.workspace_id = $2 AND m.id = n.author_id
     JOIN categories c ON c.workspace_id = $2 AND c.id = n.category_id
     ORDER BY n.published_at DESC, n.id`,
    [hidden, workspace.id],
  );
  return () => feedXml(entries, workspace, domain);
}

function feedXml(
  entries: Entry[],
  workspace: { id: string; name: string; language: string; home: string },
  domain: string,
): string {
  const { home } = workspace;
  const updated = entries.reduce((latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest), new Date(0));
  const name = (id: string) => `<id>${xmlText(`tag:${domain},2026:${id}`)}</id>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xmlText(workspace.language)}">
${name(workspace.id)}
<title>${xmlText(workspace.name)}</title>
<updated>${updated.toISOString()}</updated>
<author><name>${xmlText(workspace.name)}</name></author>
<link rel="self" type="application/atom+xml" href="${xmlText(`${home}/feed.xml`)}"/>
<link rel="alternate" type="text/html" href="${xmlText(`${home}/`)}"/>
${entries.map((entry) => entryXml(entry, home, name(`${workspace.id}/${entry.permalink}`))).join("")}</feed>
`;
}

function entryXml(entry: Entry, home: string, id: string): string {
  const page = `${home}/articles/${entry.slug}`;
  return `<entry>
${id}
<title>${xmlText(entry.title)}</title>
<link rel="alternate" type="text/html" href="${xmlText(page)}"/>
<published>${entry.publishedAt.toISOString()}</published>
<updated>${entry.updatedAt.toISOString()}</updated>
<author><name>${xmlText(entry.author)}</name></author>
<category term="${xmlText(entry.category)}"/>
<summary>${xmlText(summaryOf(entry))}</summary>
</entry>
`;
}
