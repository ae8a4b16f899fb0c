import { countUse } from "@/lib/counters";
import { Slots } from "@/lib/slots";

/** How many drafts a member may save in a minute: a page that somebody writes in saves forty at most. */
const A_MINUTE = 120;

/** From how many characters of HTML on a text takes long enough to be cleaned for a member to have one at a time. */
const LONG = 50_000;

const slots = new Slots(1);

/**
 * Counts one save of a member, so that nobody keeps the server busy with theirs.
 * @returns how many seconds to wait when this was one too many, else null
 * @throws UnavailableError
 */
export async function countSave(workspaceId: string, memberId: string): Promise<number | null> {
  const use = await countUse("draft saves", A_MINUTE, `${workspaceId} ${memberId}`);
  return use?.over ? use.seconds : null;
}

/**
 * Takes the one place that a member has for a long text that is being saved. Short ones need none.
 * @returns what gives it back, once; null while another one is being saved
 */
export function takeSave(workspaceId: string, memberId: string, html: string): (() => void) | null {
  return html.length < LONG ? () => {} : slots.take(`${workspaceId} ${memberId}`);
}
