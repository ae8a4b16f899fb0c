import type { Snapshot } from "@/lib/visibility";

export type FormerAddress = { moved: string } | "gone";

const MAX_HOPS = 10;

/**
 * The current URL of a path that has no page, after following redirects, former slugs and permalinks. Null for unknown
 * paths and for targets that the viewer may not see, so that they look the same.
 * @param path decoded, without a query
 * @returns a path on this host or an absolute http URL, ready for a Location header
 */
export async function formerAddress(snapshot: Snapshot, path: string): Promise<FormerAddress | null> {
  const name = path.length > 1 ? path.replace(/\/+$/, "") : path;
  const permalink = /^\/articles\/(a-[0-9a-f]{8})$/.exec(name)?.[1];
  const found = permalink ? await slugOf(snapshot, "permalink", permalink) : null;
  if (found) return { moved: `/articles/${found}` };
  const followed = await follow(snapshot, name, MAX_HOPS);
  return followed === undefined ? spelledOtherwise(snapshot, name) : followed;
}

/** The page whose path differs only in case, in underscores for hyphens, or by ".html". */
async function spelledOtherwise(snapshot: Snapshot, path: string): Promise<FormerAddress | null> {
  const plain = path
    .toLowerCase()
    .replace(/\.html?$/, "")
    .replaceAll("_", "-");
  if (plain === path) return null;
  const [, kind, slug = ""] = /^\/(articles|categories)\/([^/]+)$/.exec(plain) ?? [];
  if (kind === "categories") {
    const category = await categoryAt(snapshot, slug);
    if (category) return category;
  }
  const article = kind === "articles" ? await slugOf(snapshot, "slug", slug) : null;
  return article ? { moved: `/articles/${article}` } : ((await follow(snapshot, plain, MAX_HOPS)) ?? null);
}

interface Redirect {
  kind: "article" | "category" | "url" | "gone";
  url: string | null;
  /** The target category, or the category of the removed page. */
  categoryId: string | null;
  /** Slugs of the target, or null when the viewer may not see it. */
  article: string | null;
  category: string | null;
}

async function follow(snapshot: Snapshot, path: string, hops: number): Promise<FormerAddress | null | undefined> {
  const [redirect] = await snapshot.read<Redirect>(
    `SELECT r.kind, r.url, r.category_id AS "categoryId", a.slug AS article, c.slug AS category
     FROM redirects r
     LEFT JOIN articles a ON a.workspace_id = r.workspace_id AND a.id = r.article_id
       AND a.state = 'published' AND a.category_id <> ALL($2::uuid[])
     LEFT JOIN categories c ON c.workspace_id = r.workspace_id AND c.id = r.category_id
     WHERE r.from_path = $1`,
    [path, snapshot.hidden],
  );
  switch (redirect?.kind) {
    case "article":
      return redirect.article === null ? null : { moved: `/articles/${redirect.article}` };
    case "category":
      return redirect.category === null ? null : categoryAt(snapshot, redirect.category);
    case "url":
      return redirect.url === null ? null : addressAt(snapshot, redirect.url, hops);
    case "gone":
      return mayKnow(snapshot, redirect) ? "gone" : null;
    case undefined:
      return undefined;
  }
}

/** Follows a redirect to a URL. A path on this host may itself have moved, or be hidden from the viewer. */
async function addressAt(snapshot: Snapshot, url: string, hops: number): Promise<FormerAddress | null> {
  if (hops === 0) return null;
  if (!url.startsWith("/") || url.startsWith("//")) {
    // Other schemes such as javascript: would run as a link on our page.
    return /^https?:\/\//i.test(url) && URL.canParse(url) ? { moved: new URL(url).href } : null;
  }
  // Checked after parsing: browsers take "/.//x.example", "/\x.example" and "/<tab>/x.example" for another host.
  if (!URL.canParse(url, "http://here")) return null;
  const { origin, pathname, search, hash } = new URL(url, "http://here");
  if (origin !== "http://here" || pathname.startsWith("//")) return null;
  const path = decoded(pathname);
  const [, kind, name = ""] = /^\/(articles|categories)\/([^/]+)$/.exec(path) ?? [];
  const here =
    kind === "articles"
      ? await slugOf(snapshot, /^a-[0-9a-f]{8}$/.test(name) ? "permalink" : "slug", name)
      : kind === "categories" && (await categoryAt(snapshot, name))
        ? name
        : null;
  if (here) return { moved: `/${kind}/${here}${search}${hash}` };
  const further = await follow(snapshot, path, hops - 1);
  if (further !== undefined) return further;
  return kind ? null : { moved: pathname + search + hash };
}

async function slugOf({ read, hidden }: Snapshot, column: "slug" | "permalink", name: string): Promise<string | null> {
  const [article] = await read<{ slug: string }>(
    `SELECT slug FROM articles WHERE ${column} = $1 AND state = 'published' AND category_id <> ALL($2::uuid[])`,
    [name, hidden],
  );
  return article?.slug ?? null;
}

async function categoryAt({ read, hidden }: Snapshot, slug: string): Promise<{ moved: string } | null> {
  const [category] = await read(
    `WITH RECURSIVE below AS (
       SELECT id FROM categories WHERE slug = $1 AND id <> ALL($2::uuid[])
       UNION ALL
       SELECT c.id FROM below JOIN categories c ON c.parent_id = below.id AND c.id <> ALL($2::uuid[])
     )
     SELECT FROM below JOIN articles a ON a.category_id = below.id AND a.state = 'published' LIMIT 1`,
    [slug, hidden],
  );
  return category ? { moved: `/categories/${slug}` } : null;
}

/**
 * Whether the viewer may learn that something was here. Without a category, the workspace decides: a redirect from a hidden
 * category is deleted with it (lib/categories/removal.ts).
 */
function mayKnow({ hidden, closed }: Snapshot, { categoryId }: Redirect): boolean {
  return categoryId === null ? !closed : !hidden.includes(categoryId);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
