"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import type { FormState } from "@/components/ui/form";
import { toldTime } from "@/components/ui/told-time";
import { createApiKey, keyMay, revokeApiKey, rotateApiKey } from "@/lib/api-keys";
import { inWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { textOf } from "@/lib/form";
import { workspaceUrl } from "@/lib/host";
import { refuseBeyond } from "@/lib/roles";
import { requireActor } from "@/lib/session";
import { found, refused, refusedFor } from "../../_form";

export interface KeyState extends FormState {
  /** A key that was just made: its text is shown this once. */
  made?: { text: string; curl: string; note?: string };
}

const DAY_MS = 24 * 60 * 60 * 1000;

export async function submitCreateKey(_before: KeyState, form: FormData): Promise<KeyState> {
  const { workspace, member, actor } = await requireActor("keys.manage");
  const permission = z.enum(["read", "read_write"]).safeParse(textOf(form, "permission")).data;
  if (!permission) return refusedFor(form, "permission", "Choose what the key may do.");
  const expires = z.enum(["30", "90", "365", "never"]).safeParse(textOf(form, "expires")).data;
  if (!expires) return refusedFor(form, "expires", "Choose when the key expires.");
  const expiresAt = expires === "never" ? undefined : new Date(Date.now() + Number(expires) * DAY_MS);
  try {
    refuseBeyond(member.permissions, keyMay[permission], "permission");
    const { text } = await inWorkspace(workspace.id, (db) =>
      createApiKey(db, { name: textOf(form, "name"), permission, expiresAt, createdBy: member.id }, actor),
    );
    return shownOnce({ text, curl: curlOf(text, workspace.subdomain) });
  } catch (error) {
    return refused(form, error);
  }
}

export async function submitRotateKey(_before: KeyState, form: FormData): Promise<KeyState> {
  const { workspace, member, actor } = await requireActor("keys.manage");
  const hours = z.enum(["0", "24", "168", "720"]).safeParse(textOf(form, "overlapHours")).data;
  if (!hours) return refusedFor(form, "overlapHours", "Choose how long the old key goes on working.");
  try {
    const { text, oldExpiresAt } = await inWorkspace(workspace.id, (db) =>
      rotateApiKey(db, textOf(form, "id"), { overlapHours: Number(hours) }, actor, ({ permission }) =>
        refuseBeyond(member.permissions, keyMay[permission], "permission"),
      ),
    );
    const note = `The old key works until ${toldTime(member.timeZone, oldExpiresAt)}.`;
    return shownOnce({ text, curl: curlOf(text, workspace.subdomain), note });
  } catch (error) {
    return refused(form, error);
  }
}

export async function submitRevokeKey(form: FormData): Promise<void> {
  const { workspace, actor } = await requireActor("keys.manage");
  const id = textOf(form, "id");
  await found(inWorkspace(workspace.id, (db) => revokeApiKey(db, id, actor)));
  redirect(`/admin/keys?done=revoked&of=${id}`);
}

/** Who goes back from there finds the new key in the list, which the browser would show as it was. */
function shownOnce(made: KeyState["made"]): KeyState {
  refresh();
  return { values: {}, errors: {}, made };
}

/** A call that proves that the key works. */
function curlOf(text: string, subdomain: string): string {
  return `curl -H "X-Api-Key: ${text}" ${workspaceUrl(subdomain, env().baseUrl)}/api/external/v2/me`;
}
