import type { LookedUp, Lookup } from "@/components/admin/editor/checks/findings";

/** How long an answer may take, in milliseconds. */
const PATIENCE = 10_000;

/** Asks what the links of an article lead to, and whether another one has its title. Rejects where nothing answers. */
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
