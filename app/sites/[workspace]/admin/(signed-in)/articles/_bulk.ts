import { countOf, number } from "@/components/ui/count";
import {
  type BulkReport,
  findBulkAction,
  isUnderway,
  MOST_IMMEDIATE,
  type RunningBulk,
  tryBulkAction,
} from "@/lib/articles/bulk";
import { readWorkspace } from "@/lib/db";
import { UnavailableError } from "@/lib/errors";
import type { Undo } from "@/lib/session/flash";

const doings: Record<RunningBulk["action"], string> = {
  published: "Publishing",
  unpublished: "Unpublishing",
  moved: "Moving",
  tagged: "Tagging",
  deleted: "Deleting",
  undone: "Undoing changes to",
  restored: "Restoring",
};

/** Such as "Moving 452 articles to Guides". */
export function doingOf({ action, state, total, details }: RunningBulk): string {
  if (state === "stopping") return "Canceling";
  const articles = `${doings[action]} ${countOf(total, "article")}`;
  if (action === "moved") return `${articles} to ${details.to}`;
  return action === "tagged" ? `${articles} “${details.tag}”` : articles;
}

/** Such as "452 articles moved to Guides." */
export function reportOf(bulk: BulkReport): string {
  const { action, state, changed, done, total, details, problem, title } = bulk;
  const { withoutTitle = 0, withoutText = 0, failed = 0, newer = 0, refused = 0, renamed = 0 } = details;
  const articles = action === "restored" && title !== null ? `“${title}”` : countOf(changed, "article");
  const rest = done - changed - withoutTitle - withoutText - failed - newer - refused;
  const sentences = [
    `${changed === 0 ? "No articles" : articles} ${didOf(action, details)}`,
    state === "failed" && `Stopped after ${number(done)} of ${number(total)}. ${problem}`,
    state === "cancelled" && `Canceled after ${number(done)} of ${number(total)}.`,
    rest > 0 && (action === "undone" ? left(rest) : already(action, rest)),
    skipped(withoutTitle, "without a title"),
    skipped(withoutText, "without text"),
    skipped(failed, "whose text couldn't be processed"),
    newer > 0 && `Skipped ${countOf(newer, "article")} saved in the meantime.`,
    refused > 0 && `Skipped ${countOf(refused, "article")} published in the meantime.`,
    renamed > 0 && `${countOf(renamed, "article")} got a new URL because the old one was taken.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

function didOf(action: RunningBulk["action"], { to, tag }: BulkReport["details"]): string {
  if (action === "moved") return `moved to ${to}.`;
  if (action === "tagged") return `tagged “${tag}.”`;
  return action === "undone" ? "reverted." : `${action}.`;
}

/** Deleted and restored ones are not there to be counted. */
const already = (action: RunningBulk["action"], count: number) =>
  action !== "deleted" && action !== "restored" && `${number(count)} already ${count === 1 ? "was" : "were"}.`;

const left = (count: number) =>
  `${countOf(count, "article")} couldn't be reverted because ${count === 1 ? "it" : "they"} changed in the meantime.`;

const skipped = (count: number, why: string) => count > 0 && `Skipped ${countOf(count, "article")} ${why}.`;

/** How the page undoes a bulk action. Undoing and restoring are not undone. */
export function undoOf({ id, action, hasUndo }: BulkReport): Undo | undefined {
  if (!hasUndo || action === "undone" || action === "restored") return undefined;
  return { name: action === "deleted" ? "deletion" : "articles", fields: { batch: id } };
}

/** Works on a started bulk action if it is small. @returns its report, or null while a job is working on it */
export async function triedBulk(workspaceId: string, id: string, memberId: string): Promise<BulkReport | null> {
  const find = () => readWorkspace(workspaceId, (read) => findBulkAction(read, id, memberId));
  try {
    const bulk = await find();
    if (!bulk || bulk.total > MOST_IMMEDIATE) return null;
    await tryBulkAction(workspaceId, id);
    const tried = await find();
    return tried && !isUnderway(tried) ? tried : null;
  } catch (error) {
    // A unit that took longer than the request may. The job repeats it.
    if (error instanceof UnavailableError) return null;
    throw error;
  }
}
