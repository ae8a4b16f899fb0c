import { countUse } from "@/lib/counters";
import { env } from "@/lib/env";
import { plainRefusal } from "@/lib/file-answer";
import { spoken } from "@/lib/form";

/** What a member may ask for so many times a minute, each counted by itself. What they save is in lib/drafts/limits.ts. */
const most = {
  /** Searches of the palette, and for links: as many as a reader makes while typing. */
  found: () => env().rateLimits.typing,
  /** Files of all there is, such as archives and the audit log. */
  fetched: () => 30,
};

/**
 * Counts what a member asks for that costs something each time.
 * @returns how many seconds to wait when this was one too many, else null
 * @throws UnavailableError
 */
export async function countOfMember(
  name: keyof typeof most,
  workspaceId: string,
  memberId: string,
): Promise<number | null> {
  const use = await countUse(`${name} by members`, most[name](), `${workspaceId} ${memberId}`);
  return use?.over ? use.seconds : null;
}

/** What is answered to who has fetched too many files. */
export function tooManyFetched(seconds: number): Response {
  const sentence = `You have downloaded very many files within a minute: go on in ${spoken(seconds)}.`;
  return plainRefusal(429, sentence, { "Retry-After": String(seconds) });
}
