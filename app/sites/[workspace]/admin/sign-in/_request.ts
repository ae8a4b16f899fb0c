import { notFound } from "next/navigation";
import { textOf } from "@/lib/http/form";
import { returnPath } from "@/lib/http/return-path";
import { anyWorkspace, type PublicWorkspace, requestedSite } from "@/lib/site";

export interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The workspace of the request's host, closed or not: for actions, which have no path. */
export async function requestedWorkspace(): Promise<PublicWorkspace> {
  const site = await requestedSite();
  return site.kind === "subdomain" ? anyWorkspace(site.subdomain) : notFound();
}

/** The form's target after sign-in, or null if there is none. */
export function targetOf(form: FormData): string | null {
  return returnPath(textOf(form, "to"));
}

/** The page that tells where a link was sent. @param to the target after sign-in */
export function sentPath(page: "/link" | "/password", to: string | null, email: string): string {
  return `/admin/sign-in${page}?${new URLSearchParams({ done: "sent", email, ...(to && { to }) })}`;
}
