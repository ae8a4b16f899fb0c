"use client";

import { type ComponentProps, createContext, type ReactNode, useActionState, useContext, useState } from "react";
import { Button } from "./button";
import { ButtonLink } from "./button-link";
import { Combobox } from "./combobox";
import { Choice, Field, Labelled, TextField } from "./field";
import { Refusal } from "./refusal";
import { useLeaveWarning } from "./use-leave-warning";

export interface FormState {
  /** The typed values, by name. */
  values: Record<string, string>;
  /** Errors by field name. "" holds an error that belongs to no field. */
  errors: Record<string, string>;
}

type Submit<S> = (before: S, form: FormData) => Promise<S>;

const Shown = createContext<FormState>({ values: {}, errors: {} });

/**
 * A form with labeled fields. After a refusal, it keeps the typed values and shows an error beside each field. Works
 * without scripts. With scripts, it prevents double submission. Fields: FormField, FormText, FormChoice, FormCombobox.
 * @param submit the button's label
 * @param busy the button's label while sending
 * @param cancel the page to return to without submitting
 * @param beside alternatives beside the button
 * @param bar keeps the buttons in view on screens that are tall enough, below the bar's children, and hides them while nothing
 *   changed. The form is as wide as the page, and the bar shows errors that belong to no field.
 * @param warns asks before someone leaves the page with changes
 */
export function Form({ action, ...rest }: { action: Submit<FormState> } & Frame) {
  const [state, formAction, pending] = useActionState(action, { values: {}, errors: {} });
  return <FormFrame state={state} action={formAction} pending={pending} {...rest} />;
}

interface Frame {
  submit: string;
  busy: string;
  look?: ComponentProps<typeof Button>["look"];
  size?: ComponentProps<typeof Button>["size"];
  cancel?: string;
  beside?: ReactNode;
  bar?: { isHidden: boolean; children: ReactNode };
  warns?: boolean;
  children?: ReactNode;
}

/** Form for a component that holds the state itself, because it also shows the result. */
export function FormFrame({
  state,
  action,
  pending,
  submit,
  busy,
  look,
  size,
  cancel,
  beside,
  bar,
  warns = false,
  children,
}: { state: FormState; action: (form: FormData) => void; pending: boolean } & Frame) {
  const [isTyped, setTyped] = useState(false);
  useLeaveWarning(warns && !pending && (bar ? !bar.isHidden : isTyped));
  return (
    <form
      action={action}
      onInput={() => setTyped(true)}
      // Submitting without a network would lose the typed text.
      onSubmit={(event) => (pending || !navigator.onLine) && event.preventDefault()}
      className={`grid gap-5 text-sm ${bar ? "" : "max-w-[28rem]"}`}
    >
      <Shown value={state}>
        {!bar && state.errors[""] && <Refusal>{state.errors[""]}</Refusal>}
        {children}
        <div
          className={
            bar
              ? `bottom-0 z-1 grid gap-4 border-t border-border bg-surface py-4 [@media(min-height:36rem)]:sticky ${bar.isHidden ? "hidden noscript:grid" : ""}`
              : "contents"
          }
        >
          {bar?.children}
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" look={look} size={size} aria-disabled={pending}>
              {pending ? busy : submit}
            </Button>
            {cancel && (
              <ButtonLink href={cancel} look="plain" size={size}>
                Cancel
              </ButtonLink>
            )}
            {beside}
          </div>
        </div>
      </Shown>
    </form>
  );
}

type Of<C extends typeof Field | typeof TextField | typeof Choice> = Omit<ComponentProps<C>, "error" | "name"> & {
  name: string;
};

/** A field's value and error. A submitted value takes precedence over the default. */
function useShown(name: string, before: ComponentProps<"input">["defaultValue"]) {
  const { values, errors } = useContext(Shown);
  return { name, defaultValue: values[name] ?? before, error: errors[name] };
}

/** A field's error, for components that show it themselves. */
export function useRefused(name: string): string | undefined {
  return useContext(Shown).errors[name];
}

export function FormField({ name, defaultValue, ...rest }: Of<typeof Field>) {
  return <Field {...rest} {...useShown(name, defaultValue)} />;
}

/** A new password. @param also another consequence, shown after the rules */
export function FormNewPassword({ label = "Password", also = "" }: { label?: string; also?: string }) {
  return (
    <FormField
      label={label}
      name="password"
      type="password"
      hint={`At least 12 characters.${also && ` ${also}`}`}
      required
      maxLength={1000}
      autoComplete="new-password"
    />
  );
}

export function FormText({ name, defaultValue, ...rest }: Of<typeof TextField>) {
  return <TextField {...rest} {...useShown(name, defaultValue)} />;
}

export function FormChoice({ name, defaultValue, ...rest }: Of<typeof Choice>) {
  const shown = useShown(name, defaultValue);
  // React resets a select to its first default, so a new default needs a new element.
  return <Choice key={String(shown.defaultValue)} {...rest} {...shown} />;
}

/** Chooses one of many, by its words. */
export function FormCombobox({
  label,
  hint,
  name,
  defaultValue,
  ...rest
}: Pick<ComponentProps<typeof Labelled>, "label" | "hint"> &
  Omit<ComponentProps<typeof Combobox>, "value" | "name"> & { name: string }) {
  const { error, ...shown } = useShown(name, defaultValue);
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(aria) => <Combobox {...aria} {...rest} name={name} defaultValue={String(shown.defaultValue ?? "")} />}
    </Labelled>
  );
}

/** A hidden field with what the person saw first. A refreshed page keeps it, and a refused form can replace it. */
export function FormSeen({ name, value }: { name: string; value: string }) {
  const [first] = useState(value);
  return <input type="hidden" name={name} value={String(useShown(name, first).defaultValue)} />;
}

/** A named group of fields, with an error for the group. */
export function FormGroup({ name, legend, children }: { name: string; legend: string; children: ReactNode }) {
  const error = useContext(Shown).errors[name];
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium">{legend}</legend>
      {error && <Refusal>{error}</Refusal>}
      {children}
    </fieldset>
  );
}

export function FormCheck({
  name,
  label,
  hint,
  value = "on",
  defaultChecked = false,
}: {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  value?: string;
  defaultChecked?: boolean;
}) {
  const { values, errors } = useContext(Shown);
  const isRefused = Object.keys(errors).length > 0;
  const checked = isRefused ? values[name]?.split("\n").includes(value) === true : defaultChecked;
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-2.5 py-2.5 md:min-h-8 md:py-1.5">
      <input
        key={String(checked)}
        type="checkbox"
        name={name}
        value={value}
        defaultChecked={checked}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0">
        {label}
        {hint && <span className="block text-text-muted">{hint}</span>}
      </span>
    </label>
  );
}
