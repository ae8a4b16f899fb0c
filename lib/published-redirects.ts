import type { Sight } from "@/lib/visibility";

/** Where an address that no page has leads: elsewhere, or nowhere any more. */
export type FormerAddress = { moved: string } | "gone";

/** The most redirects to paths that are followed one after the other, so that a circle ends. */
const MOST_HOPS = 10;

/**
 * What became of an address at which there is no page: a former slug leads to the article or category that had it, a
 * permalink to its article, a removed article is gone. However often something moved, the answer is where it is now.
 *
 * What leads to something that is not for the viewer, or not published, is null like an address that never was: whoever
 * asks must not learn what there is. For the same reason what is gone is told to those alone who may read in the category
 * where it was; where none is named, to those from whom nothing of the workspace is hidden. Where none is named and somebody
 * has said by hand that readers are told, everybody is who may read anything that no category opens or closes.
 * @param path as it was asked for, decoded, with its leading slash and without a query
 * @returns a path on the same host, or a whole http address; both as a Location header takes them
 */
export async function formerAddress(sight: Sight, path: string): Promise<FormerAddress | null> {
  const name = path.length > 1 ? path.replace(/\/+$/, "") : path;
  const permalink = /^\/articles\/(a-[0-9a-f]{8})$/.exec(name)?.[1];
  const found = permalink ? await slugOf(sight, "permalink", permalink) : null;
  if (found) return { moved: `/articles/${found}` };
  return (await follow(sight, name, MOST_HOPS)) ?? null;
}

interface Redirect {
  kind: "article" | "category" | "url" | "gone";
  url: string | null;
  byHand: boolean;
  /** Where it leads, or of what is gone where it was. */
  categoryId: string | null;
  /** The slug of what it leads to, null when that is not for the viewer. */
  article: string | null;
  category: string | null;
}

/** @returns undefined when nothing is known of the path */
async function follow(sight: Sight, path: string, hops: number): Promise<FormerAddress | null | undefined> {
  const [redirect] = await sight.read<Redirect>(
    `SELECT r.kind, r.url, r.by_hand AS "byHand", r.category_id AS "categoryId", a.slug AS article, c.slug AS category
     FROM redirects r
     LEFT JOIN articles a ON a.workspace_id = r.workspace_id AND a.id = r.article_id
       AND a.state = 'published' AND a.category_id <> ALL($2::uuid[])
     LEFT JOIN categories c ON c.workspace_id = r.workspace_id AND c.id = r.category_id
     WHERE r.from_path = $1`,
    [path, sight.hidden],
  );
  switch (redirect?.kind) {
    case "article":
      return redirect.article === null ? null : { moved: `/articles/${redirect.article}` };
    case "category":
      return redirect.category === null ? null : categoryAt(sight, redirect.category);
    case "url":
      return redirect.url === null ? null : addressAt(sight, redirect.url, hops);
    case "gone":
      return mayBeTold(sight, redirect) ? "gone" : null;
    case undefined:
      return undefined;
  }
}

/** Where a redirect to an address ends: a path on this host may itself have moved, or be of something not to be told of. */
async function addressAt(sight: Sight, url: string, hops: number): Promise<FormerAddress | null> {
  if (hops === 0) return null;
  if (!url.startsWith("/") || url.startsWith("//")) {
    // No other scheme: it would be a link on a page of ours.
    return /^https?:\/\//i.test(url) && URL.canParse(url) ? { moved: new URL(url).href } : null;
  }
  // What parsing leaves counts: "/.//x.example", "/\x.example" and "/<tab>/x.example" are of another host to a browser.
  if (!URL.canParse(url, "http://here")) return null;
  const { origin, pathname, search, hash } = new URL(url, "http://here");
  if (origin !== "http://here" || pathname.startsWith("//")) return null;
  const path = decoded(pathname);
  const [, kind, name = ""] = /^\/(articles|categories)\/([^/]+)$/.exec(path) ?? [];
  const here =
    kind === "articles"
      ? await slugOf(sight, /^a-[0-9a-f]{8}$/.test(name) ? "permalink" : "slug", name)
      : kind === "categories" && (await categoryAt(sight, name))
        ? name
        : null;
  if (here) return { moved: `/${kind}/${here}${search}${hash}` };
  const further = await follow(sight, path, hops - 1);
  if (further !== undefined) return further;
  return kind ? null : { moved: pathname + search + hash };
}

async function slugOf({ read, hidden }: Sight, column: "slug" | "permalink", name: string): Promise<string | null> {
  const [article] = await read<{ slug: string }>(
    `SELECT slug FROM articles WHERE ${column} = $1 AND state = 'published' AND category_id <> ALL($2::uuid[])`,
    [name, hidden],
  );
  return article?.slug ?? null;
}

/** The address of a category that has something to read for the viewer. */
async function categoryAt({ read, hidden }: Sight, slug: string): Promise<{ moved: string } | null> {
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

function mayBeTold({ hidden, closed }: Sight, { categoryId, byHand }: Redirect): boolean {
  if (categoryId !== null) return !hidden.includes(categoryId);
  return !closed && (byHand || hidden.length === 0);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
