import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { wordOf } from "../../../_form";
import { RedirectForm } from "../form";

export const metadata: Metadata = { title: "Add redirect" };

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** With `?from=` the old address stands there already. */
export default async function NewRedirectPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  await requireMember(workspace.subdomain, "settings.manage");
  return (
    <AdminPage title="Add redirect" path={[{ href: "/admin/redirects", name: "Redirects" }]}>
      <RedirectForm from={wordOf((await searchParams).from)} />
    </AdminPage>
  );
}
