import type { Metadata } from "next";
import Link from "next/link";
import { connection } from "next/server";
import { Form, FormField, FormNewPassword } from "@/components/ui/form";
import { Notice } from "@/components/ui/notice";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { ApexFrame } from "../_frame";
import { Nowhere } from "../_nowhere";
import { NameAndAddress } from "./_name-and-address";
import { submitNew } from "./actions";

export const metadata: Metadata = { title: "Create a knowledge base · Lectern" };

export default async function NewPage() {
  await connection();
  const { baseUrl, workspaceCreation } = env();
  if (!workspaceCreation) return <Nowhere />;
  return (
    <ApexFrame>
      <Notice title="Create a knowledge base">
        <p>Takes a minute. You can change everything later.</p>
        <Form
          action={submitNew}
          submit="Create knowledge base"
          busy="Creating…"
          beside={
            <Link href="/" prefetch={false} className="text-text-muted">
              Cancel
            </Link>
          }
        >
          <NameAndAddress example={workspaceUrl("your-name", baseUrl)} />
          <h2 className="mt-4 text-base">Your account</h2>
          <div className="grid gap-5 sm:grid-cols-2">
            <FormField label="First name" name="firstName" required maxLength={100} autoComplete="given-name" />
            <FormField label="Last name" name="lastName" required maxLength={100} autoComplete="family-name" />
          </div>
          <FormField
            label="Email"
            name="email"
            type="email"
            hint="You'll use this to sign in."
            required
            maxLength={254}
            autoComplete="username"
          />
          <FormNewPassword />
        </Form>
      </Notice>
    </ApexFrame>
  );
}
