import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AdminPage } from "@/components/admin/page";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { findSynonym } from "@/lib/synonyms/synonyms";
import { idOf } from "../../../_form";
import { effectOf } from "../_effect";
import { SynonymFields } from "../_fields";
import { TrialResult, trySearch } from "../_trial";
import { submitRemoveSynonym, submitSynonym } from "../actions";

export const metadata: Metadata = { title: "Synonym" };

interface Props {
  params: Promise<{ workspace: string; id: string }>;
}

export default async function SynonymPage({ params }: Props) {
  const { workspace } = await requireMember("settings.manage");
  const id = idOf((await params).id) ?? notFound();
  const { synonym, trial } = await readWorkspace(workspace.id, async (read) => {
    const synonym = await findSynonym(read, id);
    return { synonym, trial: synonym && (await trySearch(read, workspace.id, synonym.term)) };
  });
  if (!synonym || !trial) notFound();
  return (
    <AdminPage title={synonym.term} about={effectOf(synonym)} path={[{ href: "/admin/synonyms", name: "Search" }]}>
      <Form action={submitSynonym} submit="Save" busy="Saving…" cancel="/admin/synonyms">
        <input type="hidden" name="id" value={synonym.id} />
        <SynonymFields {...synonym} />
      </Form>
      <div className="mt-8 grid max-w-[40rem] justify-items-start gap-5 border-t border-border pt-6">
        <TrialResult {...trial} />
        <form action={submitRemoveSynonym}>
          <input type="hidden" name="id" value={synonym.id} />
          <Button type="submit" look="danger">
            Remove synonym
          </Button>
        </form>
      </div>
    </AdminPage>
  );
}
