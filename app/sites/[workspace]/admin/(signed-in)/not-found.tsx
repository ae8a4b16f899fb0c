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
          ? "There is nothing at this address. It may be mistyped, or what was here has been deleted."
          : "There is nothing at this address for you. An administrator can give your role more permissions."}{" "}
        <Link href="/admin" prefetch={false}>
          Go to the dashboard
        </Link>
        .
      </p>
    </AdminPage>
  );
}
