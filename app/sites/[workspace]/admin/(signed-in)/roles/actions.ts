"use server";

import type { FormState } from "@/components/ui/form";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import {
  createRole,
  deleteRole,
  listRoles,
  permissions,
  type Role,
  refuseBeyond,
  updateRole,
} from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { redirectWith } from "../../_flash";
import { found, refused } from "../../_form";

/** Creates a role, or changes the one that the form names. */
export async function submitRole(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, member, actor } = await requireMember("members.manage");
  const id = textOf(form, "id");
  const chosen = permissions.filter((permission) => form.getAll("permissions").includes(permission));
  const input = { name: textOf(form, "name"), permissions: chosen };
  let role: Role;
  try {
    refuseBeyond(member.permissions, chosen);
    role = await inWorkspace(workspace.id, (db) =>
      id
        ? updateRole(db, id, input, actor, (before) => refuseBeyond(member.permissions, before.permissions))
        : createRole(db, input, actor),
    );
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith("/admin/roles", `Saved “${role.name}”`);
}

export async function submitDeleteRole(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireMember("members.manage");
  const id = textOf(form, "id");
  try {
    await found(
      inWorkspace(workspace.id, (db) =>
        deleteRole(db, id, actor, (before) => refuseBeyond(member.permissions, before.permissions)),
      ),
    );
  } catch (error) {
    if (!(error instanceof InvalidError)) throw error;
    const kept = (await readWorkspace(workspace.id, listRoles)).find((role) => role.id === id);
    return redirectWith(
      "/admin/roles",
      `Couldn't delete “${kept?.name}.” ${error.fields[0]?.message ?? error.message}`,
    );
  }
  return redirectWith("/admin/roles", "Role deleted");
}
