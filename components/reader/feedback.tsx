import type { Words } from "@/lib/reader/words";
import { type Contact, ContactLine } from "./contact";
import { FeedbackReason, feedbackAction } from "./feedback-reason";
import type { FeedbackWords } from "./scripts/feedback";
import { asWords } from "./scripts/words";

/** Works as a plain form without scripts. After "No", it offers a person. */
export function Feedback({
  slug,
  words,
  prompt,
  contact,
}: {
  slug: string;
  words: Words["feedback"];
  prompt: string;
  contact: Contact | null;
}) {
  const { thanks, sent, failed, better } = words;
  return (
    <section
      id="_feedback"
      data-feedback=""
      {...asWords({ thanks, sent, failed, better } satisfies FeedbackWords)}
      className="mt-12 border-y border-border py-5 print:hidden"
    >
      <form action={feedbackAction(slug)} method="post">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
          <h2 tabIndex={-1} className="text-base font-semibold outline-none">
            {words.question}
          </h2>
          <div className="flex gap-2">
            {["yes", "no"].map((value) => (
              <button
                key={value}
                name="helpful"
                value={value}
                className="h-11 min-w-16 cursor-pointer rounded-sm border border-border-field bg-surface-raised px-4 text-sm font-medium hover:border-text-muted aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-accent-text md:h-9"
              >
                {value === "yes" ? words.yes : words.no}
              </button>
            ))}
          </div>
        </div>
      </form>
      <p role="status" className="mt-3 text-sm text-text-muted empty:mt-0" />
      <div data-after="" className="[&>form]:mt-4" />
      <template>
        <FeedbackReason slug={slug} helpful={false} words={words} />
        <ContactLine contact={contact} prompt={prompt} />
      </template>
    </section>
  );
}
