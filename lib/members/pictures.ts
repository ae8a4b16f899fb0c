import type { Actor } from "@/lib/audit/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { findMember } from "@/lib/members/members";
import { listRoles, type Permission, refuseBeyond } from "@/lib/members/roles";
import { setPicture } from "@/lib/uploads/uploads";

interface Changing {
  id: string;
  permissions: readonly Permission[];
}

/** Members may change their own picture. Others need members.manage, and the member within their reach. */
export async function refusePicture(read: Read, who: Changing, memberId: string): Promise<void> {
  if (memberId === who.id) return;
  const member = who.permissions.includes("members.manage") ? await findMember(read, memberId) : null;
  if (!member) throw new NotFoundError("No such member.");
  refuseBeyond(who.permissions, (await listRoles(read)).find(({ name }) => name === member.role)?.permissions ?? []);
}

export async function changePicture(
  db: Db,
  who: Changing,
  memberId: string,
  uploadId: string | null,
  actor: Actor,
): Promise<string | null> {
  await refusePicture(readingOf(db), who, memberId);
  return setPicture(db, memberId, uploadId, actor);
}
