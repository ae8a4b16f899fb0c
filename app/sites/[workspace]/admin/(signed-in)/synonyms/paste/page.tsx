import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { requireMember } from "@/lib/session";
import { PasteForm } from "./_paste-form";

export const metadata: Metadata = { title: "Paste synonyms" };

export default async function PasteSynonymsPage() {
  await requireMember("settings.manage");
  return (
    <AdminPage
      title="Paste synonyms"
      about="Up to 1,000 lines at a time."
      path={[{ href: "/admin/synonyms", name: "Search" }]}
    >
      <PasteForm />
    </AdminPage>
  );
}
