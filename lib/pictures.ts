import type { Actor } from "@/lib/audit";
import { type Db, type Read, readingOf } from "@/lib/db";
import { NotFoundError } from "@/lib/errors";
import { findMember } from "@/lib/members";
import { listRoles, type Permission, refuseBeyond } from "@/lib/roles";
import { setPicture } from "@/lib/uploads";

/** Who changes a picture: a member, and what they may do. */
interface Changing {
  id: string;
  permissions: readonly Permission[];
}

/**
 * Everybody may change their own picture, and who manages members those of others whose role may not do more than theirs.
 * @throws NotFoundError for somebody who is not there, or whom they may not manage; InvalidError for whose role may do more
 */
export async function refusePicture(read: Read, who: Changing, memberId: string): Promise<void> {
  if (memberId === who.id) return;
  const member = who.permissions.includes("members.manage") ? await findMember(read, memberId) : null;
  if (!member) throw new NotFoundError("No such member.");
  refuseBeyond(who.permissions, (await listRoles(read)).find(({ name }) => name === member.role)?.permissions ?? []);
}

/**
 * Makes an upload the picture of a member, or takes the picture away, as far as whoever does it may.
 * @param uploadId null for none
 * @returns the upload that was it before
 * @throws like refusePicture and setPicture
 */
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
