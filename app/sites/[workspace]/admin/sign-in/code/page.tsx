import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { EntryLink, EntryPage } from "@/components/admin/entry-page";
import { Form, FormField } from "@/components/ui/form";
import { returnPath, signInPath } from "@/lib/http/return-path";
import { pendingSecondStep } from "@/lib/sign-in/second-step";
import { anyWorkspace } from "@/lib/site";
import { addressWith } from "../../_form";
import type { Props } from "../_request";
import { submitCode } from "./actions";

export const metadata: Metadata = { title: "Two-step verification", robots: { index: false } };

/** The second step of signing in. */
export default async function CodePage({ params, searchParams }: Props) {
  const workspace = await anyWorkspace((await params).workspace);
  const query = await searchParams;
  const to = returnPath(query.to);
  const pending = await pendingSecondStep(workspace.id);
  if (!pending) redirect(signInPath(to));
  const isRecovery = query.with === "recovery";
  return (
    <EntryPage
      workspace={workspace}
      title="Two-step verification"
      about={
        <p>
          {isRecovery
            ? "Enter one of your recovery codes. Each code works once."
            : "Enter the 6-digit code from your authenticator app."}
        </p>
      }
      foot={
        <>
          {isRecovery ? (
            <EntryLink href={signInPath(to, "/code")}>Use your authenticator app</EntryLink>
          ) : (
            <EntryLink href={addressWith("/admin/sign-in/code", { to, with: "recovery" })}>
              Use a recovery code
            </EntryLink>
          )}
          <EntryLink href={signInPath(to)}>Back to sign in</EntryLink>
        </>
      }
    >
      <Form action={submitCode} submit="Sign in" busy="Signing in…">
        {to && <input type="hidden" name="to" value={to} />}
        {isRecovery ? (
          <FormField
            key="recovery"
            label="Recovery code"
            name="code"
            required
            maxLength={100}
            autoComplete="off"
            autoFocus
          />
        ) : (
          <FormField
            key="app"
            label="Code"
            name="code"
            required
            maxLength={100}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
          />
        )}
      </Form>
    </EntryPage>
  );
}
