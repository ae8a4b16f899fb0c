import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { Form, FormField } from "@/components/ui/form";
import { requireMember } from "@/lib/session";
import { ContentField } from "../_parts";
import { submitSnippet } from "../actions";

export const metadata: Metadata = { title: "Create snippet" };

export default async function NewSnippetPage() {
  await requireMember("articles.publish");
  return (
    <AdminPage title="Create snippet">
      <Form action={submitSnippet} submit="Create snippet" busy="Creating…" cancel="/admin/snippets" warns>
        <FormField
          label="Name"
          name="name"
          hint="Lowercase letters, digits, and hyphens. You can't change the name later."
          required
          maxLength={60}
          pattern="[a-z0-9][a-z0-9\-]*"
          autoComplete="off"
          spellCheck={false}
        />
        <ContentField />
      </Form>
    </AdminPage>
  );
}
