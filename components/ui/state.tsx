import type { ReactNode } from "react";

const tones = { good: "text-success", bad: "text-danger", quiet: "text-text-muted" };

/** A status in one word. The color says nothing that the word does not. */
export function State({ tone, children }: { tone: keyof typeof tones; children: ReactNode }) {
  return <span className={`font-medium whitespace-nowrap ${tones[tone]}`}>{children}</span>;
}
