import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { PasteForm } from "./form";

export const metadata: Metadata = { title: "Paste synonyms" };

interface Props {
  params: Promise<{ workspace: string }>;
}

export default async function PasteSynonymsPage({ params }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  await requireMember(workspace.subdomain, "settings.manage");
  return (
    <AdminPage
      title="Paste synonyms"
      about="A list from another system, or from a sheet of your own. What cannot be added stays here, with the reason."
      path={[{ href: "/admin/synonyms", name: "Synonyms" }]}
    >
      <PasteForm />
    </AdminPage>
  );
}
