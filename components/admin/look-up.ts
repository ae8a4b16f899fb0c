import type { LookedUp, Lookup } from "@/components/admin/editor/checks/findings";

/** Timeout in milliseconds. */
const PATIENCE = 10_000;

/** Checks an article's link targets and whether another article has its title. Rejects if the server does not answer. */
export async function lookUp(articleId: string, lookup: Lookup): Promise<LookedUp> {
  const answer = await fetch(`/admin/articles/${articleId}/checks`, {
    method: "POST",
    body: JSON.stringify(lookup),
    headers: { "Content-Type": "application/json" },
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (!answer.ok) throw new Error(`The checks answered ${answer.status}.`);
  return (await answer.json()) as LookedUp;
}
