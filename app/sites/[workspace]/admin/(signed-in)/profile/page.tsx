import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { PersonFields } from "@/components/admin/person-fields";
import { Form } from "@/components/ui/form";
import { currentTimeZone, timeZoneChoices } from "@/lib/members/time-zones";
import { requireMember } from "@/lib/session";
import type { Query } from "../../_form";
import { PictureSection } from "./_picture";
import { submitProfile } from "./actions";

export const metadata: Metadata = { title: "Your profile" };

export default async function ProfilePage({ searchParams }: { searchParams: Promise<Query> }) {
  const { member } = await requireMember();
  const { firstName, lastName, timeZone, email, role } = member;
  return (
    <AdminPage title="Your profile" about={<span className="wrap-anywhere">{`${email}, ${role}`}</span>}>
      <Form action={submitProfile} submit="Save" busy="Saving…">
        <PersonFields
          person={{ firstName, lastName, timeZone: currentTimeZone(timeZone) }}
          timeZones={timeZoneChoices(timeZone)}
          isOneself
        />
      </Form>
      <PictureSection member={member} refused={(await searchParams).refused} isOneself />
    </AdminPage>
  );
}
