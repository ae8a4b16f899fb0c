"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import type { ShownOnceState } from "@/components/admin/shown-once";
import { formatTime } from "@/components/ui/format-time";
import { createApiKey, keyMay, reportNewKey, revokeApiKey, rotateApiKey } from "@/lib/api-keys/api-keys";
import { everyScope } from "@/lib/api-keys/scopes";
import { inWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { textOf } from "@/lib/http/form";
import { workspaceUrl } from "@/lib/http/host";
import { refuseBeyond } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { redirectWith } from "../../_flash";
import { found, refused, refusedFor } from "../../_form";
import { wrongUnlessFresh } from "../../_password";

const DAY_MS = 24 * 60 * 60 * 1000;

export async function submitCreateKey(_previous: ShownOnceState, form: FormData): Promise<ShownOnceState> {
  const signed = await requireMember("keys.manage");
  const { workspace, member, actor } = signed;
  const wrong = await wrongUnlessFresh(signed, form);
  if (wrong) return wrong;
  const access = textOf(form, "access");
  const chosen = access === "custom" ? form.getAll("scope") : access.split(" ");
  const scopes = z.array(z.enum(everyScope)).nonempty().safeParse(chosen).data;
  if (!scopes) return refusedFor(form, access === "custom" ? "scope" : "access", "Choose what the key can do.");
  const expires = z.enum(["30", "90", "365", "never"]).safeParse(textOf(form, "expires")).data;
  if (!expires) return refusedFor(form, "expires", "Choose when the key expires.");
  const expiresAt = expires === "never" ? undefined : new Date(Date.now() + Number(expires) * DAY_MS);
  try {
    refuseBeyond(member.permissions, keyMay(scopes), "access");
    const name = textOf(form, "name");
    const { text } = await inWorkspace(workspace.id, async (db) => {
      const made = await createApiKey(db, { name, scopes, expiresAt, createdBy: member.id }, actor);
      await reportNewKey(db, { name, scopes, text: made.text }, actor);
      return made;
    });
    return shownOnce(text, workspace.subdomain);
  } catch (error) {
    return refused(form, error);
  }
}

export async function submitRotateKey(_previous: ShownOnceState, form: FormData): Promise<ShownOnceState> {
  const signed = await requireMember("keys.manage");
  const { workspace, member, actor } = signed;
  const wrong = await wrongUnlessFresh(signed, form);
  if (wrong) return wrong;
  const hours = z.enum(["0", "24", "168", "720"]).safeParse(textOf(form, "overlapHours")).data;
  if (!hours) return refusedFor(form, "overlapHours", "Choose a grace period.");
  try {
    const { text, oldExpiresAt } = await inWorkspace(workspace.id, async (db) => {
      const made = await rotateApiKey(db, textOf(form, "id"), { overlapHours: Number(hours) }, actor, ({ scopes }) =>
        refuseBeyond(member.permissions, keyMay(scopes), "access"),
      );
      await reportNewKey(db, { ...made.key, text: made.text }, actor);
      return made;
    });
    const note = `The old key works until ${formatTime(member.timeZone, oldExpiresAt)}.`;
    return shownOnce(text, workspace.subdomain, note);
  } catch (error) {
    return refused(form, error);
  }
}

export async function submitRevokeKey(form: FormData): Promise<void> {
  const { workspace, actor } = await requireMember("keys.manage");
  const id = textOf(form, "id");
  const { name } = await found(inWorkspace(workspace.id, (db) => revokeApiKey(db, id, actor)));
  return redirectWith("/admin/keys", `Revoked “${name}”`);
}

/** Refreshed, because the Back button would show the list without the new key. */
function shownOnce(text: string, subdomain: string, note?: string): ShownOnceState {
  refresh();
  const curl = `curl -H "X-Api-Key: ${text}" ${workspaceUrl(subdomain, env().baseUrl)}/api/external/v2/me`;
  const texts = [
    { name: "Key", text, copy: "Copy key" },
    { name: "Try it", text: curl, copy: "Copy command" },
  ];
  return { values: {}, errors: {}, shown: { title: "Copy your API key", note, texts } };
}
