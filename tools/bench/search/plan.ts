import { contentOf, idOf } from "./articles";

/** Which of the measured workspaces it is. The others only fill the database. */
export type Role = "largest" | "beside" | "elsewhere" | "small";

export interface PlannedWorkspace {
  id: string;
  subdomain: string;
  articles: number;
  /** Its collection of articles (tools/bench/search/articles.ts). */
  content: number;
  role: Role | null;
}

/** The smallest number of articles for a plan. */
export const LEAST_ARTICLES = 2_000;

/**
 * The sizes of the measured workspaces. The largest has 100,000 articles of a million, and 50,000 of 100,000, so that the same
 * search can be seen at 5,000 articles (of 10,000), at 50,000 and at 100,000. The middle ones have 5,000 where
 * possible: the one in the shared database and the one alone then have the same articles.
 */
function sizesOf(articles: number): { largest: number; large: number; middle: number; small: number } {
  return {
    largest: Math.max(Math.ceil(articles / 10), Math.min(50_000, Math.floor(articles / 2))),
    large: 20_000,
    middle: Math.min(5_000, Math.floor(articles / 20)),
    small: Math.min(200, Math.floor(articles / 40)),
  };
}

/** The shares of all articles in large workspaces, and in middle ones besides the two measured ones. */
const LARGE = { share: 0.2, from: 1_000_000 };
const MIDDLE = 0.1;
/** Most workspaces are small. Each of these sizes has the same total number of articles. */
const TAIL = [2_000, 1_000, 500, 200, 100, 50];

/**
 * The workspaces of a database with this many articles, the largest first. "beside" is in the largest one's partition,
 * "elsewhere" in another. Both have the same articles.
 * @param partitionsOf returns the partition of the search documents for each workspace id
 */
export async function planOf(
  articles: number,
  partitionsOf: (ids: readonly string[]) => Promise<string[]>,
): Promise<PlannedWorkspace[]> {
  const { largest, large, middle, small } = sizesOf(articles);
  const sizes: [number, Role | null][] = [
    [largest, "largest"],
    [middle, "beside"],
    [middle, "elsewhere"],
    [small, "small"],
  ];
  let left = articles - largest - 2 * middle - small;
  const add = (size: number, share: number) => {
    for (let count = Math.floor((articles * share) / size); count > 0 && left >= size; count--) {
      sizes.push([size, null]);
      left -= size;
    }
  };
  if (articles >= LARGE.from) add(large, LARGE.share);
  add(middle, MIDDLE);
  const share = left / articles / TAIL.length;
  for (const size of TAIL) if (size <= middle) add(size, share);
  while (left > 0) {
    const size = Math.min(left, TAIL.at(-1) as number);
    sizes.push([size, null]);
    left -= size;
  }

  const [first = "", ...others] = Array.from({ length: 2_000 }, (_, place) => idOf(articles, place));
  const [home, ...partitions] = await partitionsOf([first, ...others]);
  const beside = others[partitions.indexOf(home as string)];
  const elsewhere = others[partitions.findIndex((partition) => partition !== home)];
  if (!beside || !elsewhere)
    throw new Error("Every workspace would be in the same partition, so there is nothing to compare.");
  const ids: Record<Exclude<Role, "small">, string> = { largest: first, beside, elsewhere };
  const workspaces = sizes.map(([size, role], index) => ({
    id: role && role !== "small" ? ids[role] : idOf(articles, 2_000 + index),
    subdomain: `bench-${index}`,
    articles: size,
    content: contentOf(role === "elsewhere" ? 1 : index),
    role,
  }));
  return workspaces.sort((left, right) => right.articles - left.articles);
}
