import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AdminPage } from "@/components/admin/page";
import { Button } from "@/components/ui/button";
import { readWorkspace } from "@/lib/db";
import { addressOf, findRedirect } from "@/lib/redirects";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { idOf } from "../../../_form";
import { effectOf } from "../_words";
import { submitRemoveRedirect } from "../actions";
import { RedirectForm } from "../form";

export const metadata: Metadata = { title: "Redirect" };

interface Props {
  params: Promise<{ workspace: string; id: string }>;
}

export default async function RedirectPage({ params }: Props) {
  const { workspace: subdomain, id: asked } = await params;
  const workspace = await publicWorkspace(subdomain);
  await requireMember(workspace.subdomain, "settings.manage");
  const id = idOf(asked) ?? notFound();
  const redirect = (await readWorkspace(workspace.id, (read) => findRedirect(read, id))) ?? notFound();
  const isGone = redirect.target.kind === "gone";
  return (
    <AdminPage
      title={redirect.fromPath}
      about={isGone ? `${effectOf(redirect)} Give it a new address to lead them on.` : effectOf(redirect)}
      path={[{ href: "/admin/redirects", name: "Redirects" }]}
    >
      {/* Who gives an address that is gone a new one need not say twice that it is not gone. */}
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
