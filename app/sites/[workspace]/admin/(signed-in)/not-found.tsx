import Link from "next/link";
import { AdminPage } from "@/components/admin/page";
import { permissions, within } from "@/lib/members/roles";
import { currentMember } from "@/lib/session";
import { requestedSite } from "@/lib/site";

/** Shown for missing pages and for pages beyond the member's role, which look the same. */
export default async function NotFound() {
  const site = await requestedSite();
  const member = site.kind === "subdomain" ? await currentMember(site.subdomain) : null;
  const hasAll = member !== null && within(member.permissions, permissions);
  return (
    <AdminPage title="Page not found">
      <p>
        {hasAll
          ? "This page doesn't exist. The URL may be mistyped, or the page may have been deleted."
          : "This page doesn't exist, or your role can't open it. An administrator can give your role more permissions."}{" "}
        <Link href="/admin" prefetch={false}>
          Go to Home
        </Link>
        .
      </p>
    </AdminPage>
  );
}
