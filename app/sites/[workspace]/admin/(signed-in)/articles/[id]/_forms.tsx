"use client";

import { type ReactNode, useActionState, useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { FormFrame } from "@/components/ui/form";
import { Toast } from "@/components/ui/toast";
import { type Stayed, submitAddress, submitUnschedule } from "./actions";

// Forms that stay on their page: loading a new page would drop the editor's undo history.

/** Fields that apply immediately, for browsers without scripts. @param here the URL of the page */
export function AddressForm({ here, children }: { here: string; children: ReactNode }) {
  const [state, action, pending] = useActionState(submitAddress, { values: {}, errors: {} });
  return (
    <>
      <FormFrame state={state} action={action} pending={pending} submit="Save details" busy="Saving…" look="plain">
        {children}
      </FormFrame>
      <Report state={state} here={here} />
    </>
  );
}

const looks = {
  line: "flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-border px-4 py-1.5 md:px-6",
  box: "grid justify-items-start gap-3 rounded-md border border-border px-3.5 py-3",
};

/**
 * Cancels the schedule of an article.
 * @param here the URL of the page
 * @param children describe the schedule; without children there is no form
 */
export function ScheduleForm({
  id,
  here,
  look,
  mayCancel = true,
  children,
}: {
  id: string;
  here: string;
  look: keyof typeof looks;
  mayCancel?: boolean;
  children: ReactNode;
}) {
  const [state, action, pending] = useActionState(submitUnschedule, { values: {}, errors: {} });
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // The button disappears, so keyboard focus continues from its position.
    if (state.message && document.activeElement === document.body) place.current?.focus();
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
          {mayCancel && (
            <Button type="submit" look="plain" size="small" aria-disabled={pending}>
              Cancel schedule
            </Button>
          )}
        </form>
      )}
      <Report state={state} here={here} />
    </>
  );
}

function Report({ state: { message, at }, here }: { state: Stayed; here: string }) {
  return message && <Toast key={at} text={message} here={here} />;
}
