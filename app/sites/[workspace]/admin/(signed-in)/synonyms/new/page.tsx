import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { ButtonLink } from "@/components/ui/button";
import { Form } from "@/components/ui/form";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { wordOf } from "../../../_form";
import { SynonymFields } from "../_fields";
import { submitSynonym } from "../actions";

export const metadata: Metadata = { title: "Add synonym" };

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** With `?term=` the term stands there already. */
export default async function NewSynonymPage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  await requireMember(workspace.subdomain, "settings.manage");
  return (
    <AdminPage title="Add synonym" path={[{ href: "/admin/synonyms", name: "Synonyms" }]}>
      <Form
        action={submitSynonym}
        submit="Add synonym"
        busy="Adding …"
        beside={
          <ButtonLink href="/admin/synonyms/paste" look="plain">
            Paste a list
          </ButtonLink>
        }
      >
        <SynonymFields term={wordOf((await searchParams).term)} replacements={[]} twoWay />
      </Form>
    </AdminPage>
  );
}
