import type { SubmitEventHandler } from "react";
import { Button } from "@/components/ui/button";
import type { Choice } from "@/lib/analytics/feedback";

const choices = {
  missing: "Something I looked for is missing",
  unclear: "It is hard to understand",
  outdated: "It is wrong or out of date",
  other: "Something else",
} satisfies Record<Choice, string>;

export const feedbackAction = (slug: string) => `/articles/${slug}/feedback/send`;

export function FeedbackReason({
  slug,
  helpful,
  onSubmit,
}: {
  slug: string;
  helpful: boolean;
  onSubmit?: SubmitEventHandler<HTMLFormElement>;
}) {
  return (
    <form action={feedbackAction(slug)} method="post" onSubmit={onSubmit} className="grid max-w-[32rem] gap-4 text-sm">
      <input type="hidden" name="helpful" value={helpful ? "yes" : "no"} />
      {!helpful && (
        <fieldset>
          <legend className="mb-1.5 font-medium">What is wrong with it?</legend>
          {Object.entries(choices).map(([value, label]) => (
            <label key={value} className="flex min-h-11 cursor-pointer items-center gap-2.5 md:min-h-8">
              <input type="radio" name="choice" value={value} className="size-4 accent-accent" />
              {label}
            </label>
          ))}
        </fieldset>
      )}
      <label className="grid gap-1.5">
        <span className="font-medium">
          {helpful ? "What helped you, or what would be better still?" : "What would have helped you?"}
        </span>
        <textarea
          name="reason"
          rows={3}
          maxLength={2000}
          className="w-full rounded-sm border border-border-field bg-surface-raised px-3 py-2 text-base md:text-sm"
        />
        <span className="text-text-muted">You do not have to write anything. Leave out names and passwords.</span>
      </label>
      <div>
        <Button type="submit">Send</Button>
      </div>
    </form>
  );
}
