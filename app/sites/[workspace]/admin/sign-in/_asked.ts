import { notFound } from "next/navigation";
import { returnPath } from "@/lib/return-path";
import { anyWorkspace, type PublicWorkspace, requestedSite } from "@/lib/site";
import { textOf } from "../_form";

export interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The workspace of the request's host, closed or not: for actions, which have no path. */
export async function requestedWorkspace(): Promise<PublicWorkspace> {
  const site = await requestedSite();
  return site.kind === "subdomain" ? anyWorkspace(site.subdomain) : notFound();
}

/** Where a form says that it leads on to, or null for nowhere in particular. */
export function targetOf(form: FormData): string | null {
  return returnPath(textOf(form, "to"));
}

/** A span of time as a sentence says it, rounded up. */
export function spoken(seconds: number): string {
  const [count, unit] = seconds < 100 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
