import type { Metadata } from "next";
import Link from "next/link";
import { encodeQR } from "qr";
import { CurrentPassword } from "@/components/admin/current-password";
import { EntryLink, EntryPage } from "@/components/admin/entry-page";
import { ShownOnceForm } from "@/components/admin/shown-once";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { CodeFrame, CodeText } from "@/components/ui/code-frame";
import { CopyButton } from "@/components/ui/copy-button";
import { countOf } from "@/components/ui/count";
import { Form, FormField } from "@/components/ui/form";
import { QrCode } from "@/components/ui/qr-code";
import { readWorkspace } from "@/lib/db";
import { hasPassword } from "@/lib/members/change-password";
import { listPasskeys } from "@/lib/members/passkeys";
import { preparedKey } from "@/lib/members/two-step";
import { mustSetUp, requireSignedIn } from "@/lib/session";
import { submitSignOut } from "../actions";
import { submitPrepare, submitTurnOn } from "./actions";

export const metadata: Metadata = { title: "Set up two-step verification" };

/** Opening the page creates no key, because opening a link must change nothing. */
export default async function TwoStepPage() {
  const { workspace, member } = await requireSignedIn();
  const { isOn, isRequired } = member.twoStep;
  const { key, has, passkeys } = await readWorkspace(workspace.id, async (read) => ({
    key: await preparedKey(read, member, workspace.name),
    has: await hasPassword(read, member.id),
    passkeys: (await listPasskeys(read, member.id)).length,
  }));
  const owned = countOf(passkeys, "passkey");
  const next = isRequired ? { href: "/admin", name: "Continue" } : { href: "/admin/account", name: "Done" };
  return (
    <EntryPage
      workspace={workspace}
      title={isOn ? "Two-step verification is on" : "Set up two-step verification"}
      about={
        <>
          {mustSetUp(member) && <p>{workspace.name} requires two-step verification for your role.</p>}
          <p>When you sign in, you'll also enter a code from an authenticator app on your phone.</p>
          {passkeys > 0 && (
            <p>
              You have {mustSetUp(member) ? owned : <Link href="/admin/account">{owned}</Link>}. When you sign in with a
              passkey, you don't need a code.
            </p>
          )}
        </>
      }
      foot={
        mustSetUp(member) ? (
          <li>
            <form action={submitSignOut}>
              <Button type="submit" look="plain" size="small">
                Sign out
              </Button>
            </form>
          </li>
        ) : (
          !isOn && <EntryLink href="/admin/account">Back to Password and sessions</EntryLink>
        )
      }
    >
      {key || isOn ? (
        <ShownOnceForm
          action={submitTurnOn}
          submit="Turn on"
          busy="Turning on…"
          next={next}
          instead={isOn && <ButtonLink href={next.href}>{next.name}</ButtonLink>}
        >
          {key && (
            <div className="grid gap-3">
              <p>Scan this code with your app.</p>
              <QrCode label="QR code for your authenticator app" modules={encodeQR(key.url, "raw", { border: 4 })} />
              <p className="text-text-muted">Can't scan the code? Enter this key in the app.</p>
              <CodeFrame
                head={
                  <>
                    <span>Key</span>
                    <CopyButton label="Copy the key" />
                  </>
                }
              >
                <CodeText>{key.secret.replace(/(.{4})(?=.)/g, "$1 ")}</CodeText>
              </CodeFrame>
            </div>
          )}
          <FormField
            label="Code"
            name="code"
            hint="The 6 digits that the app shows now."
            required
            maxLength={20}
            inputMode="numeric"
            autoComplete="one-time-code"
          />
          <CurrentPassword withPassword={has} withCode={false} />
        </ShownOnceForm>
      ) : (
        <Form action={submitPrepare} submit="Continue" busy="Preparing…">
          <p className="text-sm text-text-muted">
            You need an app such as Google Authenticator, 1Password, or Bitwarden.
          </p>
        </Form>
      )}
    </EntryPage>
  );
}
