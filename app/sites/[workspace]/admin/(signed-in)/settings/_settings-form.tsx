"use client";

import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useActionState,
  useEffect,
  useRef,
  useState,
} from "react";
import { CurrentPassword } from "@/components/admin/current-password";
import { Button } from "@/components/ui/button";
import { FormFrame, type FormState } from "@/components/ui/form";
import { Refusal } from "@/components/ui/refusal";

type Saved = Record<string, string>;

interface Props {
  action: (before: FormState, form: FormData) => Promise<FormState>;
  saved: Saved;
  confirmed: readonly string[];
  confirmation: ComponentProps<typeof CurrentPassword>;
  children: ReactNode;
}

/**
 * The settings as one form. Its save bar appears when something changed.
 * @param saved the saved values, by field
 * @param confirmed the fields whose change the member has to confirm
 */
export function SettingsForm(props: Props) {
  const [discarded, setDiscarded] = useState(0);
  return (
    <Fields
      key={`${discarded} ${JSON.stringify(props.saved)}`}
      {...props}
      isDiscarded={discarded > 0}
      discard={() => setDiscarded((count) => count + 1)}
    />
  );
}

function Fields({
  action,
  saved,
  confirmed,
  confirmation,
  isDiscarded,
  discard,
  children,
}: Props & { isDiscarded: boolean; discard: () => void }) {
  const [state, submit, pending] = useActionState(action, { values: {}, errors: {} });
  const frame = useRef<HTMLDivElement>(null);
  // Without scripts, only a refused form shows what changed.
  const changed = useTyped(frame, saved) ?? changedIn(saved, state.values);
  const { entries, ips } = state.values;
  const losses = state.errors.confirmed;
  useEffect(() => {
    // The button that had the focus is gone.
    if (isDiscarded) frame.current?.focus({ preventScroll: true });
  }, [isDiscarded]);
  useEffect(() => {
    // The button is always in view, but the field with the error may not be.
    if (Object.keys(state.errors).length > 0) frame.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [state]);
  return (
    <div ref={frame} tabIndex={-1} className="outline-none">
      <FormFrame
        state={state}
        action={submit}
        pending={pending}
        submit={losses ? "Delete and save" : "Save changes"}
        busy="Saving…"
        look={losses ? "danger" : "primary"}
        warns
        beside={
          <span className="noscript:hidden">
            <Button type="button" look="plain" onClick={discard}>
              Discard
            </Button>
          </span>
        }
        bar={{
          isHidden: changed.length === 0,
          children: (
            <>
              {[state.errors[""], losses].map((error) => error && <Refusal key={error}>{error}</Refusal>)}
              {changed.some((name) => confirmed.includes(name)) && (
                <div className="grid max-w-[28rem] gap-4 empty:hidden">
                  <CurrentPassword {...confirmation} />
                </div>
              )}
            </>
          ),
        }}
      >
        {/* Fields that the keyboard reaches stay clear of the bar. */}
        <div className="**:scroll-mb-88">{children}</div>
        {Object.entries(saved).map(([name, value]) => (
          <input key={name} type="hidden" name={`seen-${name}`} value={value} />
        ))}
        <input type="hidden" name="confirmed" value={losses ? `${entries} ${ips}` : (state.values.confirmed ?? "")} />
      </FormFrame>
    </div>
  );
}

/** The fields that differ from what is saved. Null before hydration. */
function useTyped(frame: RefObject<HTMLDivElement | null>, saved: Saved): string[] | null {
  const [typed, setTyped] = useState<string[] | null>(null);
  useEffect(() => {
    const form = frame.current?.querySelector("form");
    const look = () => {
      const next = changedIn(saved, form ? Object.fromEntries(new FormData(form)) : {});
      setTyped((now) => (now?.join() === next.join() ? now : next));
    };
    // Something may have been typed before hydration.
    look();
    form?.addEventListener("input", look);
    return () => form?.removeEventListener("input", look);
  });
  return typed;
}

function changedIn(saved: Saved, values: Record<string, FormDataEntryValue>): string[] {
  return Object.entries(saved)
    .filter(([name, before]) => {
      const value = values[name] ?? before;
      return typeof value === "string" && value.trim() !== before;
    })
    .map(([name]) => name);
}
