"use client";

import { type ReactNode, useActionState, useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { FormFrame } from "@/components/ui/form";
import { Toast } from "@/components/ui/toast";
import { type Stayed, submitAddress, submitUnschedule } from "./actions";

// Forms that do not lead away and back: the page would be drawn anew, and a text that is being written on it would lose its
// undo.

/** What acts at once, beside the text. @param here the address of the page */
export function AddressForm({ here, children }: { here: string; children: ReactNode }) {
  const [state, action, pending] = useActionState(submitAddress, { values: {}, errors: {} });
  return (
    <>
      <FormFrame state={state} action={action} pending={pending} submit="Change" busy="Changing …" look="plain">
        {children}
      </FormFrame>
      <Done state={state} here={here} />
    </>
  );
}

const looks = {
  line: "flex flex-wrap items-center gap-2",
  box: "grid justify-items-start gap-3 rounded-md border border-border px-3.5 py-3",
};

/**
 * Ends the schedule of an article.
 * @param here the address of the page
 * @param children what is said of the schedule while there is one
 */
export function ScheduleForm({
  id,
  here,
  look,
  children,
}: {
  id: string;
  here: string;
  look: keyof typeof looks;
  children: ReactNode;
}) {
  const [state, action, pending] = useActionState(submitUnschedule, { values: {}, errors: {} });
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // The button is gone: Tab goes on from where it was.
    if (state.told && document.activeElement === document.body) place.current?.focus();
  }, [state]);
  return (
    <>
      <span ref={place} tabIndex={-1} className="sr-only" />
      {children && (
        <form
          action={action}
          onSubmit={(event) => (pending || !navigator.onLine) && event.preventDefault()}
          className={looks[look]}
        >
          <input type="hidden" name="id" value={id} />
          {children}
          <Button type="submit" look="plain" size="small" aria-disabled={pending}>
            End the schedule
          </Button>
        </form>
      )}
      <Done state={state} here={here} />
    </>
  );
}

/** What has come of a form. @param here the address of the page */
function Done({ state: { told, at }, here }: { state: Stayed; here: string }) {
  return told && <Toast key={at} text={told} close={here} />;
}
