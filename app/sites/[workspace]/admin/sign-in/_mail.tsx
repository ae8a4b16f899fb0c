import type { ReactNode } from "react";
import { EntryLink, EntryPage } from "@/components/admin/entry-page";
import { Form, FormField, type FormState } from "@/components/ui/form";
import { LINK_MINUTES } from "@/lib/members/sign-in-links";
import type { PublicWorkspace } from "@/lib/site";

/**
 * A form for the email that gets the link.
 * @param isSpent whether an expired or used link brought the visitor here
 * @param children hidden fields to send along
 */
export function AskForMail({
  workspace,
  title,
  about,
  isSpent,
  email,
  back,
  action,
  children,
}: {
  workspace: PublicWorkspace;
  title: string;
  about: string;
  isSpent: boolean;
  email: string;
  back: ReactNode;
  action: (before: FormState, form: FormData) => Promise<FormState>;
  children?: ReactNode;
}) {
  const spent = "This link has expired or was already used. Request a new one.";
  return (
    <EntryPage workspace={workspace} title={title} about={<p>{isSpent ? spent : about}</p>} foot={back}>
      <Form action={action} submit="Send link" busy="Sending…">
        <FormField
          label="Email"
          name="email"
          defaultValue={email}
          type="email"
          autoComplete="username"
          required
          maxLength={254}
        />
        {children}
      </Form>
    </EntryPage>
  );
}

/**
 * Gives the same answer for every email, whether or not a member has it.
 * @param again URL of the form
 */
export function CheckEmail({
  workspace,
  email,
  again,
  back,
}: {
  workspace: PublicWorkspace;
  email: string;
  again: string;
  back: ReactNode;
}) {
  return (
    <EntryPage
      workspace={workspace}
      title="Check your email"
      about={
        <>
          <p>
            If {email ? <strong className="wrap-anywhere">{email}</strong> : "that email"} belongs to a member, we've
            sent a link. The link works once and expires in {LINK_MINUTES} minutes.
          </p>
          <p>Didn't get the email? Check your spam folder or try again.</p>
        </>
      }
      foot={
        <>
          <EntryLink href={again}>Try again</EntryLink>
          {back}
        </>
      }
    />
  );
}
