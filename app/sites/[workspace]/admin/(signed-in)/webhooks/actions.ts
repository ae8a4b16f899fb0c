"use server";

import { refresh } from "next/cache";
import type { ShownOnceState } from "@/components/admin/shown-once";
import type { FormState } from "@/components/ui/form";
import { formatTime } from "@/components/ui/format-time";
import { type Db, inWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { refuseBeyond, within } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import { resendDelivery, resendFailed } from "@/lib/webhooks/deliveries";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  type Endpoint,
  nameOf,
  OVERLAP_HOURS,
  rotateSecret,
  sendPing,
  switchEndpoint,
  webhookMay,
} from "@/lib/webhooks/endpoints";
import { redirectWith } from "../../_flash";
import { found, refused } from "../../_form";
import { wrongUnlessFresh } from "../../_password";

const HOUR_MS = 60 * 60 * 1000;

/** Hides webhooks from members without the permissions for their events. */
async function door() {
  const signed = await requireMember("keys.manage");
  const { workspace, member, actor } = signed;
  const agree = ({ events }: Endpoint) => {
    if (!within(member.permissions, webhookMay(events))) throw new NotFoundError("There is no webhook with this ID.");
  };
  return { signed, workspace, member, actor, agree };
}

function fieldsOf(form: FormData) {
  const events = form.getAll("events").filter((event) => typeof event === "string");
  return { url: textOf(form, "url"), description: textOf(form, "description"), events };
}

export async function submitCreateWebhook(_previous: ShownOnceState, form: FormData): Promise<ShownOnceState> {
  const { signed, workspace, member, actor } = await door();
  const wrong = await wrongUnlessFresh(signed, form);
  if (wrong) return wrong;
  const fields = fieldsOf(form);
  try {
    refuseBeyond(member.permissions, webhookMay(fields.events), "events");
    const { id, secret } = await inWorkspace(workspace.id, (db) => createEndpoint(db, workspace.id, fields, actor));
    return shownOnce(id, secret);
  } catch (error) {
    return refused(form, error);
  }
}

export async function submitWebhook(_previous: FormState, form: FormData): Promise<FormState> {
  const { signed, workspace, member, actor, agree } = await door();
  const wrong = await wrongUnlessFresh(signed, form);
  if (wrong) return wrong;
  const id = textOf(form, "id");
  const fields = fieldsOf(form);
  try {
    refuseBeyond(member.permissions, webhookMay(fields.events), "events");
    await inWorkspace(workspace.id, (db) => changeEndpoint(db, id, fields, actor, agree));
  } catch (error) {
    return refused(form, error);
  }
  return redirectWith(`/admin/webhooks/${id}`, "Webhook saved");
}

export async function submitRotateSecret(_previous: ShownOnceState, form: FormData): Promise<ShownOnceState> {
  const { signed, workspace, member, actor, agree } = await door();
  const wrong = await wrongUnlessFresh(signed, form);
  if (wrong) return wrong;
  const id = textOf(form, "id");
  try {
    const { secret, formerUntil } = await inWorkspace(workspace.id, (db) =>
      rotateSecret(db, workspace.id, id, actor, agree),
    );
    const until = formatTime(member.timeZone, formerUntil);
    const note = `Requests are also signed with the old secret for ${OVERLAP_HOURS} hours, until ${until}.`;
    return shownOnce(id, secret, note);
  } catch (error) {
    return refused(form, error);
  }
}

export async function submitTestWebhook(form: FormData): Promise<void> {
  const { workspace, actor, agree } = await door();
  const id = textOf(form, "id");
  return acting(workspace.id, id, async (db) => {
    await sendPing(db, id, actor, agree);
    return "Sending a test. Reload this page to see the response.";
  });
}

export async function submitSwitchWebhook(form: FormData): Promise<void> {
  const { workspace, actor, agree } = await door();
  const id = textOf(form, "id");
  const isOn = textOf(form, "on") === "yes";
  return acting(workspace.id, id, async (db) => {
    await switchEndpoint(db, id, isOn, actor, agree);
    return isOn ? "Webhook switched on" : "Webhook switched off";
  });
}

export async function submitResend(form: FormData): Promise<void> {
  const { workspace, actor, agree } = await door();
  const id = textOf(form, "id");
  return acting(workspace.id, id, async (db) => {
    await resendDelivery(db, id, textOf(form, "delivery"), actor, agree);
    return "Delivery is being resent";
  });
}

/** The hours that members can choose. Deliveries are kept for 14 days. */
const resendable = ["1", "24", "72", "336"];

export async function submitResendFailed(form: FormData): Promise<void> {
  const { workspace, actor, agree } = await door();
  const id = textOf(form, "id");
  const hours = Number(resendable.find((one) => one === textOf(form, "hours")) ?? resendable[0]);
  return acting(workspace.id, id, async (db) => {
    const count = await resendFailed(db, id, new Date(Date.now() - hours * HOUR_MS), actor, agree);
    if (count === 0) return "No failed deliveries to resend";
    return count === 1 ? "1 delivery is being resent" : `${count.toLocaleString("en")} deliveries are being resent`;
  });
}

export async function submitDeleteWebhook(form: FormData): Promise<void> {
  const { workspace, actor, agree } = await door();
  const deleted = await found(inWorkspace(workspace.id, (db) => deleteEndpoint(db, textOf(form, "id"), actor, agree)));
  return redirectWith("/admin/webhooks", `Deleted “${nameOf(deleted)}”`);
}

/** Redirects to the webhook's page with the message of `work`, or with the reason why it was refused. */
async function acting(workspaceId: string, id: string, work: (db: Db) => Promise<string>): Promise<void> {
  const message = await found(inWorkspace(workspaceId, work)).catch((error: unknown) => {
    if (error instanceof InvalidError) return error.message;
    throw error;
  });
  return redirectWith(`/admin/webhooks/${id}`, message);
}

/** Refreshed, because the Back button would show the list without the new webhook. */
function shownOnce(id: string, secret: string, note?: string): ShownOnceState {
  refresh();
  const texts = [{ name: "Secret", text: secret, copy: "Copy secret" }];
  const shown = { title: "Copy the signing secret", note, texts, href: `/admin/webhooks/${id}` };
  return { values: {}, errors: {}, shown };
}
