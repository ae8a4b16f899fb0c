import type { ReactNode } from "react";
import type { Reference } from "@/lib/reference/document";
import { guideSamples } from "@/lib/reference/guide-samples";
import type { Sample } from "@/lib/reference/samples";
import { Conditional, Errors, Limits, Paging, Repeated, Search } from "./calls";
import type { GuideFacts } from "./facts";
import { FirstCall, Keys, Versions } from "./start";

interface Guide {
  anchor: string;
  title: string;
  Text: (facts: GuideFacts) => ReactNode;
  sample?: (api: string) => Sample;
  /** Selects an example answer from the document. */
  answer?: { operation: string; status: string; field?: string };
}

export const guides: Guide[] = [
  {
    anchor: "first-call",
    title: "Quickstart",
    Text: FirstCall,
    sample: guideSamples.firstCall,
    answer: { operation: "get-me", status: "200" },
  },
  { anchor: "keys", title: "Authentication", Text: Keys, answer: { operation: "get-me", status: "401" } },
  {
    anchor: "errors",
    title: "Errors",
    Text: Errors,
    sample: guideSamples.readAnError,
    answer: { operation: "get-article", status: "404" },
  },
  {
    anchor: "paging",
    title: "Pagination",
    Text: Paging,
    sample: guideSamples.everyPage,
    answer: { operation: "list-articles", status: "200", field: "pagination" },
  },
  {
    anchor: "search",
    title: "Search",
    Text: Search,
    sample: guideSamples.search,
    answer: { operation: "search-articles", status: "200", field: "matches" },
  },
  { anchor: "limits", title: "Rate limits", Text: Limits, sample: guideSamples.backOff },
  { anchor: "conditional-requests", title: "Conditional requests", Text: Conditional, sample: guideSamples.askAgain },
  { anchor: "idempotency", title: "Idempotency", Text: Repeated },
  { anchor: "versions", title: "From v1 to v2", Text: Versions },
];

/** A guide's example answer, or the one field of it that the guide is about. */
export function exampleFor({ answer }: Guide, { groups }: Reference): unknown {
  if (!answer) return undefined;
  const operations = groups.flatMap(({ operations }) => operations);
  const found = operations
    .find(({ anchor }) => anchor === answer.operation)
    ?.answers.find(({ status }) => status === answer.status)?.example;
  if (!answer.field) return found;
  return { [answer.field]: (found as Record<string, unknown> | undefined)?.[answer.field] };
}
