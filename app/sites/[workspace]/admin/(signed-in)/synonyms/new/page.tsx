import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { Form } from "@/components/ui/form";
import { requireMember } from "@/lib/session";
import { type Query, wordOf } from "../../../_form";
import { SynonymFields } from "../_fields";
import { submitSynonym } from "../actions";

export const metadata: Metadata = { title: "Add synonym" };

/** `?term=` fills in the term. */
export default async function NewSynonymPage({ searchParams }: { searchParams: Promise<Query> }) {
  await requireMember("settings.manage");
  return (
    <AdminPage title="Add synonym" path={[{ href: "/admin/synonyms", name: "Search" }]}>
      <Form action={submitSynonym} submit="Add synonym" busy="Adding…" cancel="/admin/synonyms">
        <SynonymFields term={wordOf((await searchParams).term)} replacements={[]} twoWay />
      </Form>
    </AdminPage>
  );
}
