import { takeLimit } from "@/lib/counters";
import { InvalidError } from "@/lib/errors";
import { spoken } from "@/lib/http/form";
import { Slots } from "@/lib/slots";

/** Characters of HTML. Cleaning longer texts takes long enough that a member may have only one at a time. */
const LONG = 50_000;

// Shared by the whole process: Next bundles routes apart from actions.
const shared = globalThis as typeof globalThis & { lecternSaves?: Slots };
shared.lecternSaves ??= new Slots(1);
const slots = shared.lecternSaves;

/** Takes a member's only slot for saving a long text. Returns how to release it, or null while it is taken. */
export function takeSave(workspaceId: string, memberId: string, html: string): (() => void) | null {
  return html.length < LONG ? () => {} : slots.take(`${workspaceId} ${memberId}`);
}

export class TooOftenError extends InvalidError {
  override name = "TooOftenError";

  /** @param seconds until the next try, or null while another save is running */
  constructor(readonly seconds: number | null) {
    const why =
      seconds === null
        ? "Another save is still running. Wait a moment, then check whether it already worked."
        : `Too many saves in a short time. Nothing is lost. Try again in ${spoken(seconds)}.`;
    super([{ field: "", code: "not_allowed", message: why }]);
  }
}

/**
 * Runs work that costs as much as a save: publish, unpublish, move, restore, undo. It counts as one save.
 * @param html null if the length is unknown, which counts as long
 * @throws TooOftenError before `work` starts, or UnavailableError, or what `work` throws
 */
export async function asSave<T>(
  workspaceId: string,
  memberId: string,
  html: string | null,
  work: () => Promise<T>,
): Promise<T> {
  const wait = await takeLimit("save", { workspace: workspaceId, member: memberId });
  if (wait !== null) throw new TooOftenError(wait);
  const free = html === null ? slots.take(`${workspaceId} ${memberId}`) : takeSave(workspaceId, memberId, html);
  if (!free) throw new TooOftenError(null);
  try {
    return await work();
  } finally {
    free();
  }
}
