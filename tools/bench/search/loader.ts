import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { slugify } from "@/lib/content/slug";
import { excerpt } from "@/lib/content/text";
import { permissions } from "@/lib/members/roles";
import { articleAt, categoryAt, type MadeArticle } from "./articles";
import { copyInto } from "./copy";
import { documentColumns, indexed, wordColumns } from "./documents";
import type { PlannedWorkspace } from "./plan";
import { Vocabulary } from "./words";

// A process of tools/bench/search/load.ts: generates the articles of workspaces and inserts them.

/** Replies to a workspace: progress, then the end. */
export type LoaderReply = { loaded: number } | { done: true } | { error: string };

const BATCH = 500;
/** The number of articles per category. */
const PER_CATEGORY = 20;

const language = new Vocabulary();
const client = new Client({ connectionString: process.argv[2], application_name: "lectern bench" });

async function load(workspace: PlannedWorkspace): Promise<void> {
  const author = randomUUID();
  const categories = Array.from({ length: Math.ceil(workspace.articles / PER_CATEGORY) }, (_, index) => ({
    id: randomUUID(),
    name: categoryAt(language, workspace.content, index),
  }));
  await copyInto(client, "workspaces", ["id", "subdomain", "name"], [[workspace.id, workspace.subdomain, "Bench"]]);
  const role = randomUUID();
  await copyInto(
    client,
    "roles",
    ["workspace_id", "id", "name", "permissions"],
    [[workspace.id, role, "Admin", permissions]],
  );
  await copyInto(
    client,
    "members",
    ["workspace_id", "id", "email", "first_name", "last_name", "role_id"],
    [[workspace.id, author, "admin@example.com", "Ada", "Admin", role]],
  );
  await copyInto(
    client,
    "categories",
    ["workspace_id", "id", "name", "slug"],
    categories.map(({ id, name }, index) => [workspace.id, id, name, `category-${index}`]),
  );
  const slugs = new Set<string>();
  const vocabulary = new Map<string, string>();
  for (let from = 0; from < workspace.articles; from += BATCH) {
    const count = Math.min(BATCH, workspace.articles - from);
    const rows = Array.from({ length: count }, (_, place) => {
      const article = articleAt(language, workspace.content, from + place);
      const category = categories[(from + place) % categories.length] as { id: string; name: string };
      return { ...article, slug: slugOf(article.title, slugs), category };
    });
    await store(workspace.id, author, rows, vocabulary);
    process.send?.({ loaded: count } satisfies LoaderReply);
  }
  await copyInto(
    client,
    "search_words",
    wordColumns,
    [...vocabulary].map(([word, spelling]) => [workspace.id, word, spelling]),
  );
}

type Row = MadeArticle & { slug: string; category: { id: string; name: string } };

async function store(
  workspaceId: string,
  author: string,
  rows: readonly Row[],
  vocabulary: Map<string, string>,
): Promise<void> {
  await copyInto(
    client,
    "articles",
    [
      ...["workspace_id", "id", "permalink", "slug", "category_id", "author_id", "state", "title", "published_at"],
      ...["created_at", "updated_at"],
    ],
    rows.map((row) => [
      ...[workspaceId, row.id, row.permalink, row.slug, row.category.id, author],
      ...[row.published ? "published" : "draft", row.title, row.published ? row.createdAt : null],
      ...[row.createdAt, row.updatedAt],
    ]),
  );
  const texts = rows.map((row) => {
    const html = row.paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join("");
    return { ...row, html, text: row.paragraphs.join("\n"), markdown: row.paragraphs.join("\n\n") };
  });
  await copyInto(
    client,
    "article_live",
    ["workspace_id", "id", "title", "html", "keywords", "rendered_html", "text", "excerpt", "markdown"],
    texts
      .filter(({ published }) => published)
      .map((row) => [
        ...[workspaceId, row.id, row.title, row.html, row.keywords, row.html, row.text],
        ...[excerpt(row.text), row.markdown],
      ]),
  );
  await copyInto(
    client,
    "article_drafts",
    ["workspace_id", "id", "title", "html", "keywords", "text"],
    texts
      .filter(({ published }) => !published)
      .map((row) => [workspaceId, row.id, row.title, row.html, row.keywords, row.text]),
  );
  await copyInto(
    client,
    "search_documents",
    documentColumns,
    await Promise.all(texts.map((row) => indexed(workspaceId, row, row.category.name, vocabulary))),
  );
}

function slugOf(title: string, taken: Set<string>): string {
  const plain = slugify(title);
  let slug = plain;
  for (let number = 2; taken.has(slug); number++) slug = `${plain.slice(0, 90)}-${number}`;
  taken.add(slug);
  return slug;
}

async function main(): Promise<void> {
  await client.connect();
  // Generated rows satisfy every check, and a crash only means generating them again.
  await client.query("SET session_replication_role = replica; SET synchronous_commit = off");
  process.on("message", (workspace: PlannedWorkspace) => {
    load(workspace).then(
      () => process.send?.({ done: true } satisfies LoaderReply),
      (error: Error) => process.send?.({ error: `${workspace.subdomain}: ${error.message}` } satisfies LoaderReply),
    );
  });
  process.send?.({ done: true } satisfies LoaderReply);
}

process.once("disconnect", () => process.exit());
main().catch((error: Error) => {
  process.send?.({ error: error.message } satisfies LoaderReply);
});
