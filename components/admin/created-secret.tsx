import { ButtonLink } from "@/components/ui/button";
import { CodeFrame, CodeText } from "@/components/ui/code-frame";
import { CopyButton } from "@/components/ui/copy-button";

/** A new signing secret of a webhook. @param href the webhook's page */
export function CreatedSecret({ secret, note, href }: { secret: string; note?: string; href: string }) {
  return (
    <div className="grid max-w-[44rem] gap-5" role="status">
      <div className="grid gap-1.5">
        <h2 className="text-base">Copy the signing secret</h2>
        <p className="text-text-muted">Copy it now. You won't see it again.</p>
        {note && <p className="text-text-muted">{note}</p>}
      </div>
      <CodeFrame
        head={
          <>
            <span>Secret</span>
            <CopyButton label="Copy secret" />
          </>
        }
      >
        <CodeText>{secret}</CodeText>
      </CodeFrame>
      <p>
        <ButtonLink href={href} look="plain">
          Done
        </ButtonLink>
      </p>
    </div>
  );
}
