import type { ReactNode } from "react";

const tones = {
  good: "bg-success",
  bad: "bg-danger",
  caution: "bg-caution",
  info: "bg-accent",
  quiet: "bg-border-field",
};

/** A status in one or two words. The color says nothing that the words do not. */
export function Badge({ tone, children }: { tone: keyof typeof tones; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 rounded-full border border-border bg-surface-raised px-2 text-code leading-5 font-medium whitespace-nowrap">
      <span aria-hidden="true" className={`size-1.5 shrink-0 rounded-full ${tones[tone]}`} />
      {children}
    </span>
  );
}
