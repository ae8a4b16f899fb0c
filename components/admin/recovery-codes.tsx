"use client";

import { type ComponentProps, type ReactNode, useActionState } from "react";
import { ButtonLink } from "@/components/ui/button";
import { CodeFrame, CodeText } from "@/components/ui/code-frame";
import { CopyButton } from "@/components/ui/copy-button";
import { FormFrame, type FormState } from "@/components/ui/form";

export interface CodesState extends FormState {
  /** New recovery codes. They are shown only once. */
  codes?: string[];
}

/**
 * A form that makes recovery codes, and then shows them in its position.
 * @param instead shown instead of the form when nothing is left to do
 * @param next the page to continue with
 */
export function CodesForm({
  action,
  instead,
  next,
  ...rest
}: {
  action: (before: CodesState, form: FormData) => Promise<CodesState>;
  instead?: ReactNode;
  next: { href: string; name: string };
} & Pick<ComponentProps<typeof FormFrame>, "submit" | "busy" | "beside" | "children">) {
  const [state, formAction, pending] = useActionState(action, { values: {}, errors: {} });
  if (!state.codes && instead) return instead;
  if (!state.codes) return <FormFrame state={state} action={formAction} pending={pending} {...rest} />;
  return (
    <div className="grid max-w-[28rem] gap-5 text-sm" role="status">
      <div className="grid gap-1.5">
        <h2 className="text-base">Save your recovery codes</h2>
        <p className="text-text-muted">
          Each one signs you in once if you lose your phone. Keep them safe. You won't see them again.
        </p>
      </div>
      <CodeFrame
        head={
          <>
            <span>Recovery codes</span>
            <CopyButton label="Copy the recovery codes" />
          </>
        }
      >
        <CodeText>{state.codes.join("\n")}</CodeText>
      </CodeFrame>
      <p>
        <ButtonLink href={next.href}>{next.name}</ButtonLink>
      </p>
    </div>
  );
}
