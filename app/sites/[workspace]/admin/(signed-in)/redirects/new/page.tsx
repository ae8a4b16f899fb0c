import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { requireMember } from "@/lib/session";
import { type Query, wordOf } from "../../../_form";
import { RedirectForm } from "../_redirect-form";

export const metadata: Metadata = { title: "Add redirect" };

/** `?from=` fills in the old URL. */
export default async function NewRedirectPage({ searchParams }: { searchParams: Promise<Query> }) {
  await requireMember("settings.manage");
  return (
    <AdminPage title="Add redirect" path={[{ href: "/admin/redirects", name: "Redirects" }]}>
      <RedirectForm from={wordOf((await searchParams).from)} />
    </AdminPage>
  );
}
