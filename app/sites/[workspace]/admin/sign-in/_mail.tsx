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
  back,
  action,
  children,
}: {
  workspace: PublicWorkspace;
  title: string;
  about: string;
  isSpent: boolean;
  back: ReactNode;
  action: (before: FormState, form: FormData) => Promise<FormState>;
  children?: ReactNode;
}) {
  const spent = "This link was used, is too old, or another was asked for since. Ask for a new one.";
  return (
    <EntryPage workspace={workspace} title={title} about={<p>{isSpent ? spent : about}</p>} foot={back}>
      <Form action={action} submit="Send me a link" busy="Sending …">
        <FormField label="E-mail" name="email" type="email" autoComplete="username" required maxLength={254} />
        {children}
      </Form>
    </EntryPage>
  );
}

/**
 * Gives the same answer for every email, whether or not a member has it.
 * @param again URL of the form
 */
export function LookIntoMail({
  workspace,
  again,
  back,
}: {
  workspace: PublicWorkspace;
  again: string;
  back: ReactNode;
}) {
  return (
    <EntryPage
      workspace={workspace}
      title="Look into your mail"
      about={
        <>
          <p>
            If the address is that of a member here, a mail with a link is on its way. The link works once, and for{" "}
            {LINK_MINUTES} minutes.
          </p>
          <p>Nothing there after a minute? Look where your mail program puts spam, and check the address.</p>
        </>
      }
      foot={
        <>
          <EntryLink href={again}>Ask again</EntryLink>
          {back}
        </>
      }
    />
  );
}
