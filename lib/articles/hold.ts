import type { Db } from "@/lib/db";

/**
 * Holds what is to be published by itself where somebody changes it who may not publish: what readers would see is not what
 * was scheduled. Whoever may publish looks, and schedules it again or publishes it. Within the transaction of the change.
 * @param by the member who changes them; null for files and programs, whose permission is another one
 */
export async function holdSchedules(db: Db, ids: readonly string[], by: string | null): Promise<void> {
  if (by === null) return;
  await db.$executeRaw`
    UPDATE articles SET publish_held = true
    WHERE id = ANY(${ids}::uuid[]) AND publish_at IS NOT NULL AND NOT publish_held AND NOT EXISTS (
      SELECT FROM members m JOIN roles r ON r.workspace_id = m.workspace_id AND r.id = m.role_id
      WHERE m.id = ${by}::uuid AND 'articles.publish' = ANY(r.permissions))`;
}
