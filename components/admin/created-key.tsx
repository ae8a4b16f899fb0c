import { ButtonLink } from "@/components/ui/button";
import { CodeFrame, CodeText } from "@/components/ui/code-frame";
import { CopyButton } from "@/components/ui/copy-button";

/** A new key, and a call to test it. */
export function CreatedKey({ text, curl, note }: { text: string; curl: string; note?: string }) {
  return (
    <div className="grid max-w-[44rem] gap-5" role="status">
      <div className="grid gap-1.5">
        <h2 className="text-base">Copy your API key</h2>
        <p className="text-text-muted">Copy it now. You won't see it again.</p>
        {note && <p className="text-text-muted">{note}</p>}
      </div>
      <CodeFrame
        head={
          <>
            <span>Key</span>
            <CopyButton label="Copy key" />
          </>
        }
      >
        <CodeText>{text}</CodeText>
      </CodeFrame>
      <CodeFrame
        head={
          <>
            <span>Try it</span>
            <CopyButton label="Copy command" />
          </>
        }
      >
        <CodeText>{curl}</CodeText>
      </CodeFrame>
      <p>
        <ButtonLink href="/admin/keys" look="plain">
          Done
        </ButtonLink>
      </p>
    </div>
  );
}
