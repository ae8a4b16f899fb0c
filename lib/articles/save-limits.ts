import { takeLimit } from "@/lib/counters";
import { InvalidError } from "@/lib/errors";
import { spoken } from "@/lib/http/form";
import { Slots } from "@/lib/slots";

/** From how many characters of HTML on a text takes long enough to be cleaned for a member to have one at a time. */
const LONG = 50_000;

// One of a process: Next bundles routes apart from actions.
const shared = globalThis as typeof globalThis & { lecternSaves?: Slots };
shared.lecternSaves ??= new Slots(1);
const slots = shared.lecternSaves;

/**
 * Takes the one place that a member has for a long text that is being saved. Short ones need none.
 * @returns what gives it back, once; null while another one is being saved
 */
export function takeSave(workspaceId: string, memberId: string, html: string): (() => void) | null {
  return html.length < LONG ? () => {} : slots.take(`${workspaceId} ${memberId}`);
}

/** What a member is told who has saved and published too often; nothing of it is done. */
export class TooOftenError extends InvalidError {
  override name = "TooOftenError";

  /** @param seconds until they may go on; null while something of theirs is being done */
  constructor(readonly seconds: number | null) {
    const why =
      seconds === null
        ? "Something of yours is being saved or published already: go on in a moment, and look whether that was it."
        : `You have saved and published very often: go on in ${spoken(seconds)}. Nothing is changed, and nothing is lost.`;
    super([{ field: "", code: "not_allowed", message: why }]);
  }
}

/**
 * Does what is as much work as a save: publishes, unpublishes, moves, restores, undoes. It is counted as one, and of texts whose length
 * is not known before, a member has one such work at a time.
 * @param html the text, where it is known; null where it is not
 * @throws TooOftenError before anything is done; UnavailableError; what `work` throws
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
