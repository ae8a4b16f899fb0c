"use client";

import { type ComponentProps, type ReactNode, useActionState } from "react";
import { ButtonLink } from "@/components/ui/button-link";
import { CodeFrame, CodeText } from "@/components/ui/code-frame";
import { CopyButton } from "@/components/ui/copy-button";
import { FormFrame, type FormState } from "@/components/ui/form";

export interface ShownOnceState extends FormState {
  shown?: ShownOnce;
}

/** A secret that a form created and can't show again, such as a key. */
export interface ShownOnce {
  title: string;
  advice?: string;
  note?: string;
  /** `copy` names the button that copies the text. */
  texts: { name: string; text: string; copy: string }[];
  /** The page to continue with, if it is a new one. */
  href?: string;
}

/**
 * A form that creates a secret, then shows it instead of the form.
 * @param instead shown instead of the form when nothing is left to do
 * @param next the page to continue with
 */
export function ShownOnceForm({
  action,
  instead,
  next,
  ...rest
}: {
  action: (before: ShownOnceState, form: FormData) => Promise<ShownOnceState>;
  instead?: ReactNode;
  next: { href: string; name: string };
} & Pick<ComponentProps<typeof FormFrame>, "submit" | "busy" | "cancel" | "children">) {
  const [state, formAction, pending] = useActionState(action, { values: {}, errors: {} });
  if (!state.shown && instead) return instead;
  if (!state.shown) return <FormFrame state={state} action={formAction} pending={pending} {...rest} />;
  const { title, advice = "Copy it now. You won't see it again.", note, texts, href = next.href } = state.shown;
  return (
    <div className="grid max-w-[44rem] gap-5 text-sm" role="status">
      <div className="grid gap-1.5">
        <h2 className="text-base">{title}</h2>
        <p className="text-text-muted">{advice}</p>
        {note && <p className="text-text-muted">{note}</p>}
      </div>
      {texts.map(({ name, text, copy }) => (
        <CodeFrame
          key={name}
          head={
            <>
              <span>{name}</span>
              <CopyButton label={copy} />
            </>
          }
        >
          <CodeText>{text}</CodeText>
        </CodeFrame>
      ))}
      <p>
        <ButtonLink href={href} look="plain">
          {next.name}
        </ButtonLink>
      </p>
    </div>
  );
}
