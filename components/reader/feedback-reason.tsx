import { Button } from "@/components/ui/button";
import type { Choice } from "@/lib/analytics/feedback";
import type { Words } from "@/lib/reader/words";

const choices = ["missing", "unclear", "outdated", "other"] as const satisfies readonly Choice[];

export const feedbackAction = (slug: string) => `/articles/${slug}/feedback/send`;

export function FeedbackReason({ slug, helpful, words }: { slug: string; helpful: boolean; words: Words["feedback"] }) {
  return (
    <form action={feedbackAction(slug)} method="post" className="grid max-w-[32rem] gap-4 text-sm">
      <input type="hidden" name="helpful" value={helpful ? "yes" : "no"} />
      {!helpful && (
        <fieldset>
          <legend className="mb-1.5 font-medium">{words.wrong}</legend>
          {choices.map((value) => (
            <label key={value} className="flex min-h-11 cursor-pointer items-center gap-2.5 md:min-h-8">
              <input type="radio" name="choice" value={value} className="size-4 accent-accent" />
              {words[value === "other" ? "different" : value]}
            </label>
          ))}
        </fieldset>
      )}
      <label className="grid gap-1.5">
        <span className="font-medium">{helpful ? words.better : words.improve}</span>
        <textarea
          name="reason"
          rows={3}
          maxLength={2000}
          className="w-full rounded-sm border border-border-field bg-surface-raised px-3 py-2 text-base md:text-sm"
        />
        <span className="text-text-muted">{words.optional}</span>
      </label>
      <div>
        <Button type="submit">{words.send}</Button>
      </div>
    </form>
  );
}
