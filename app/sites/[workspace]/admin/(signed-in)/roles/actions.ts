"use server";

import { redirect } from "next/navigation";
import type { FormState } from "@/components/ui/form";
import { inWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { textOf } from "@/lib/form";
import { createRole, deleteRole, permissions, refuseBeyond, updateRole } from "@/lib/roles";
import { requireActor } from "@/lib/session";
import { found, refused } from "../../_form";

/** Makes a role, or changes the one that the form names. */
export async function submitRole(_before: FormState, form: FormData): Promise<FormState> {
  const { workspace, member, actor } = await requireActor("members.manage");
  const id = textOf(form, "id");
  const chosen = permissions.filter((permission) => form.getAll("permissions").includes(permission));
  const given = { name: textOf(form, "name"), permissions: chosen };
  let role: { id: string };
  try {
    refuseBeyond(member.permissions, chosen);
    role = await inWorkspace(workspace.id, (db) =>
      id
        ? updateRole(db, id, given, actor, (before) => refuseBeyond(member.permissions, before.permissions))
        : createRole(db, given, actor),
    );
  } catch (error) {
    return refused(form, error);
  }
  redirect(`/admin/roles?done=saved&of=${role.id}`);
}

export async function submitDeleteRole(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireActor("members.manage");
  const id = textOf(form, "id");
  let done = "deleted";
  try {
    await found(
      inWorkspace(workspace.id, (db) =>
        deleteRole(db, id, actor, (before) => refuseBeyond(member.permissions, before.permissions)),
      ),
    );
  } catch (error) {
    // The page says of itself what stands against it.
    if (!(error instanceof InvalidError)) throw error;
    done = `kept&of=${id}`;
  }
  redirect(`/admin/roles?done=${done}`);
}
