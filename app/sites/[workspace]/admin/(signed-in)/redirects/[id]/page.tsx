import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AdminPage } from "@/components/admin/page";
import { Button } from "@/components/ui/button";
import { readWorkspace } from "@/lib/db";
import { addressOf, findRedirect } from "@/lib/redirects/redirects";
import { requireMember } from "@/lib/session";
import { idOf } from "../../../_form";
import { effectOf } from "../_effect";
import { RedirectForm } from "../_redirect-form";
import { submitRemoveRedirect } from "../actions";

export const metadata: Metadata = { title: "Redirect" };

interface Props {
  params: Promise<{ workspace: string; id: string }>;
}

export default async function RedirectPage({ params }: Props) {
  const { workspace } = await requireMember("settings.manage");
  const id = idOf((await params).id) ?? notFound();
  const redirect = (await readWorkspace(workspace.id, (read) => findRedirect(read, id))) ?? notFound();

  return (
    <AdminPage
      title={redirect.fromPath}
      about={effectOf(redirect)}
      path={[{ href: "/admin/redirects", name: "Redirects" }]}
    >
      {/* No "Gone" option here: entering a new URL already means that the old one is no longer gone. */}
      <RedirectForm redirect={{ id }} to={addressOf(redirect.target) ?? ""} />
      <form action={submitRemoveRedirect} className="mt-8 max-w-[40rem] border-t border-border pt-6">
        <input type="hidden" name="id" value={id} />
        <Button type="submit" look="danger">
          Remove redirect
        </Button>
      </form>
    </AdminPage>
  );
}
