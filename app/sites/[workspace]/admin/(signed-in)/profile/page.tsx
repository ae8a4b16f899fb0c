import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { PersonFields } from "@/components/admin/person-fields";
import { Form } from "@/components/ui/form";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { timeZones } from "../../_form";
import { PictureSection, pictureTold } from "./_picture";
import { submitProfile } from "./actions";

export const metadata: Metadata = { title: "Your profile" };

interface Props {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ProfilePage({ params, searchParams }: Props) {
  const workspace = await publicWorkspace((await params).workspace);
  const member = await requireMember(workspace.subdomain);
  const { firstName, lastName, timeZone, email, role } = member;
  const asked = await searchParams;
  return (
    <AdminPage
      title="Your profile"
      about={<span className="wrap-anywhere">{`You sign in with ${email}. Your role is ${role}.`}</span>}
      told={
        asked.done === "saved"
          ? { text: "Your profile is saved.", close: "/admin/profile" }
          : pictureTold(asked, { page: "/admin/profile" })
      }
    >
      <PictureSection member={member} refused={asked.refused} isOneself />
      <Form action={submitProfile} submit="Save" busy="Saving …">
        <PersonFields person={{ firstName, lastName, timeZone }} timeZones={timeZones(timeZone)} isOneself />
      </Form>
    </AdminPage>
  );
}
