import { type Db, readingOf } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";

/**
 * Locks a category and all its articles until the transaction ends, so that nobody can add an article meanwhile. It never waits
 * for an article while it holds the category, or the other way around. Other transactions lock a category before its articles
 * or after them: PostgreSQL locks the category of an article that a transaction updates twice.
 */
export async function lockWithArticles(db: Db, categoryId: string): Promise<{ id: string; sequence: number }[]> {
  const read = readingOf(db);
  const lock = "SELECT FROM categories WHERE id = $1::uuid FOR UPDATE";
  const release = () => db.$executeRaw`ROLLBACK TO SAVEPOINT locks`;
  await db.$executeRaw`SAVEPOINT locks`;
  for (;;) {
    const articles = await read<{ id: string; sequence: number }>(
      "SELECT id::text, sequence FROM articles WHERE category_id = $1::uuid ORDER BY id FOR NO KEY UPDATE",
      [categoryId],
    );
    const isLocked = (await read(`${lock} SKIP LOCKED`, [categoryId])).length > 0;
    const ids = articles.map(({ id }) => id);
    const isAdded = async () =>
      (
        await read("SELECT FROM articles WHERE category_id = $1::uuid AND id <> ALL($2::uuid[]) LIMIT 1", [
          categoryId,
          ids,
        ])
      ).length > 0;
    if (isLocked && !(await isAdded())) return articles;
    await release();
    if ((await read(lock, [categoryId])).length === 0) throw new NotFoundError("This category was deleted.");
    await release();
  }
}
