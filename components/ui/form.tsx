"use client";

import { type ComponentProps, createContext, type ReactNode, useActionState, useContext } from "react";
import { Button } from "./button";
import { Choice, Field, TextField } from "./field";
import { Refusal } from "./refusal";

/** The form's state after a refusal. */
export interface FormState {
  /** As they were typed, by name. */
  values: Record<string, string>;
  /** Why not, by name; "" is about no field that the form has. */
  errors: Record<string, string>;
}

type Submit<S> = (before: S, form: FormData) => Promise<S>;

const Shown = createContext<FormState>({ values: {}, errors: {} });

/**
 * A form of labelled fields, which keeps what was typed and says beside each field why it was refused. Works without
 * scripts; with them, it is sent once however often the button is pressed. Fields of it: FormField, FormText, FormChoice.
 * @param submit what the button says
 * @param busy what it says meanwhile
 * @param beside other ways to leave, beside the button
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
  beside?: ReactNode;
  children?: ReactNode;
}

/** The same for a component that holds the state itself, because it also shows what came of it. */
export function FormFrame({
  state,
  action,
  pending,
  submit,
  busy,
  look,
  size,
  beside,
  children,
}: { state: FormState; action: (form: FormData) => void; pending: boolean } & Frame) {
  return (
    <form
      action={action}
      // Sent without a network, what was typed would be gone.
      onSubmit={(event) => (pending || !navigator.onLine) && event.preventDefault()}
      className="grid max-w-[28rem] gap-5 text-sm"
    >
      <Shown value={state}>
        {state.errors[""] && <Refusal>{state.errors[""]}</Refusal>}
        {children}
      </Shown>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look={look} size={size} aria-disabled={pending}>
          {pending ? busy : submit}
        </Button>
        {beside}
      </div>
    </form>
  );
}

type Of<C extends typeof Field | typeof TextField | typeof Choice> = Omit<ComponentProps<C>, "error" | "name"> & {
  name: string;
};

/** The value and the error of a field: a sent value comes before the default. */
function useShown(name: string, before: ComponentProps<"input">["defaultValue"]) {
  const { values, errors } = useContext(Shown);
  return { name, defaultValue: values[name] ?? before, error: errors[name] };
}

/** Why the form was refused for a field, for what is said beside it otherwise. */
export function useRefused(name: string): string | undefined {
  return useContext(Shown).errors[name];
}

export function FormField({ name, defaultValue, ...rest }: Of<typeof Field>) {
  return <Field {...rest} {...useShown(name, defaultValue)} />;
}

/** A new password. @param also a further consequence, after the rules */
export function FormNewPassword({ label = "Password", also = "" }: { label?: string; also?: string }) {
  return (
    <FormField
      label={label}
      name="password"
      type="password"
      hint={`At least 12 characters, such as four words.${also && ` ${also}`}`}
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
  // React sets a choice back to the first that it had: another one is another element.
  return <Choice key={String(shown.defaultValue)} {...rest} {...shown} />;
}

/** Fields that belong together, under a name of their own, with why what they say together was refused. */
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

/** A choice of yes or no. */
export function FormCheck({
  name,
  label,
  hint,
  value = "on",
  defaultChecked = false,
}: {
  name: string;
  label: string;
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
