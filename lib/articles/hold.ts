import { keyId, memberId, type Writer } from "@/lib/audit/audit";
import type { Db } from "@/lib/db";

/**
 * Puts schedules on hold when someone without publishing rights changes the articles, because readers would see something other
 * than what was scheduled. A publisher then reviews and schedules again. Imports and the command line are exempt.
 */
export async function holdSchedules(db: Db, ids: readonly string[], by: Writer): Promise<void> {
  if (by.kind !== "member" && by.kind !== "api_key") return;
  await db.$executeRaw`
    UPDATE articles SET publish_held = true
    WHERE id = ANY(${ids}::uuid[]) AND publish_at IS NOT NULL AND NOT publish_held AND NOT EXISTS (
      SELECT FROM members m JOIN roles r ON r.workspace_id = m.workspace_id AND r.id = m.role_id
      WHERE m.id = ${memberId(by)}::uuid AND 'articles.publish' = ANY(r.permissions)
    ) AND NOT EXISTS (
      SELECT FROM api_keys k WHERE k.id = ${keyId(by)}::uuid AND 'content.publish' = ANY(k.scopes))`;
}
