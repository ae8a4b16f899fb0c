"use client";

import { type SubmitEvent, useRef, useState } from "react";
import type { Words } from "@/lib/reader/words";
import { type Contact, ContactLine } from "./contact";
import { FeedbackReason, feedbackAction } from "./feedback-reason";

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
  const [helpful, setHelpful] = useState<boolean | null>(null);
  const [message, setMessage] = useState({ text: "", times: 0 });
  const [wantsReason, setWantsReason] = useState(false);
  const sending = useRef(false);
  const head = useRef<HTMLHeadingElement>(null);

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending.current) return;
    sending.current = true;
    const isReason = "reason" in event.currentTarget.elements;
    const form = new FormData(event.currentTarget, event.nativeEvent.submitter);
    const problem = await sent(slug, form, words);
    sending.current = false;
    const say = (text: string) => setMessage(({ times }) => ({ text, times: times + 1 }));
    if (problem) return say(problem);
    setHelpful(form.get("helpful") === "yes");
    setWantsReason(!isReason);
    say(isReason ? words.sent : words.thanks);
    // The focused field has been removed.
    if (isReason) head.current?.focus();
  }

  return (
    <section id="_feedback" className="mt-12 border-y border-border py-5 print:hidden">
      <form action={feedbackAction(slug)} method="post" onSubmit={(event) => void send(event)}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
          <h2 ref={head} tabIndex={-1} className="text-base font-semibold outline-none">
            {words.question}
          </h2>
          <div className="flex gap-2">
            {[true, false].map((value) => (
              <button
                key={String(value)}
                name="helpful"
                value={value ? "yes" : "no"}
                aria-pressed={helpful === null ? undefined : helpful === value}
                className={`h-11 min-w-16 cursor-pointer rounded-sm border px-4 text-sm font-medium md:h-9 ${helpful === value ? "border-accent bg-accent text-accent-text" : "border-border-field bg-surface-raised hover:border-text-muted"}`}
              >
                {value ? words.yes : words.no}
              </button>
            ))}
          </div>
        </div>
      </form>
      {/* A new key makes screen readers repeat the same message. */}
      <p role="status" className={message.text ? "mt-3 text-sm text-text-muted" : ""}>
        <span key={message.times}>{message.text}</span>
      </p>
      {wantsReason && helpful !== null && (
        <div className="mt-4">
          <FeedbackReason
            key={String(helpful)}
            slug={slug}
            helpful={helpful}
            words={words}
            onSubmit={(event: SubmitEvent<HTMLFormElement>) => void send(event)}
          />
        </div>
      )}
      {helpful === false && <ContactLine contact={contact} prompt={prompt} />}
    </section>
  );
}

/** @returns an error message, or null */
async function sent(slug: string, form: FormData, words: Words["feedback"]): Promise<string | null> {
  try {
    const response = await fetch(feedbackAction(slug), {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams([...form] as [string, string][]),
    });
    if (response.ok) return null;
    const { error } = (await response.json()) as { error?: string };
    return error ?? words.failed;
  } catch {
    return words.failed;
  }
}
