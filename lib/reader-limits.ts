import { countUse } from "@/lib/counters";
import { type Env, env } from "@/lib/env";
import { networkOf } from "@/lib/network";

/** What readers' browsers may ask for so many times a minute, each counted by itself, and the setting that says how many. */
const settings = {
  /** Results while somebody types. */
  typing: "typing",
  /** Pages of results. */
  results: "typing",
  /** What is said of searches for their log. */
  searched: "typing",
  feedback: "feedback",
  /** Pictures that other sites show beside a link: each costs a tenth of a second to draw. */
  picture: "pictures",
} as const satisfies Record<string, keyof Env["rateLimits"]>;

/**
 * Counts what a reader's browser asks of a workspace; who reads another one is not counted there.
 * @param address of the client; null when it is not known, which is an address too
 * @returns how many seconds to wait when this was one too many, else null
 * @throws UnavailableError
 */
export async function countOfReader(
  name: keyof typeof settings,
  workspaceId: string,
  address: string | null,
): Promise<number | null> {
  const use = await countUse(name, env().rateLimits[settings[name]], `${workspaceId} ${networkOf(address)}`);
  return use?.over ? use.seconds : null;
}
