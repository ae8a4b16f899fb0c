"use client";

import { ChevronDown } from "lucide-react";
import { type RefObject, useActionState, useEffect, useEffectEvent, useRef, useState } from "react";
import { Issues, type Lack } from "@/components/admin/articles/issues";
import { ActionsMenu } from "@/components/ui/actions-menu";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import type { FormState } from "@/components/ui/form";
import { Popover } from "@/components/ui/popover";
import { Refusal } from "@/components/ui/refusal";
import type { ComparedTexts } from "@/lib/content/compare";
import { Comparison, type OtherChange, OtherChanges } from "./comparison";

/** The answer of the review route. */
interface Review {
  revision: number;
  lack: Lack | null;
  /** Null if readers see nothing yet. */
  changes: (ComparedTexts & { others: OtherChange[]; isSame: boolean }) | null;
}

export interface Published extends FormState {
  message?: string;
}

/** Publishes now or later, below the button in the head of the page. */
export function PublishBox({
  articleId,
  title,
  html,
  hasDraft,
  path,
  timeZone,
  beside,
  publish,
  onClose,
}: {
  articleId: string;
  title: string;
  html: string;
  hasDraft: boolean;
  /** The URL of the article for readers. */
  path: string;
  timeZone: string;
  beside: RefObject<HTMLElement | null>;
  publish: (before: Published, form: FormData) => Promise<Published>;
  /** @param message what happened, if anything */
  onClose: (message?: string) => void;
}) {
  const [isLater, setLater] = useState(false);
  const [state, action, isPending] = useActionState(publish, { values: {}, errors: {} });
  const [answer, setAnswer] = useState<{ to: Published; review: Review | "failed" } | null>(null);
  // Read again after a refusal, because another save may be the reason.
  const review = answer?.to === state ? answer.review : null;
  const isReady = review !== null && review !== "failed" && !isPending;
  const [menu, setMenu] = useState<DOMRect | null>(null);
  const split = useRef<HTMLSpanElement>(null);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (state.message) close(state.message);
  }, [state]);
  useEffect(() => {
    let isOver = false;
    if (!hasDraft || state.message) return;
    void reviewOf(articleId).then((answer) => isOver || setAnswer({ to: state, review: answer }));
    return () => {
      isOver = true;
    };
  }, [articleId, hasDraft, state]);

  const errors = Object.entries(state.errors).flatMap(([field, why]) => (field === "at" ? [] : [why]));
  const changes = review !== "failed" && review?.changes;
  return (
    <Popover label="Publish" beside={beside} onClose={() => onClose()}>
      {hasDraft ? (
        <form action={action} onSubmit={(event) => isReady || event.preventDefault()} className="grid gap-4">
          <input type="hidden" name="id" value={articleId} />
          <input type="hidden" name="stay" value="on" />
          {review && review !== "failed" && <input type="hidden" name="revision" value={review.revision} />}
          {isLater && <input type="hidden" name="when" value="later" />}
          {errors.length > 0 && <Refusal>{errors.join(" ")}</Refusal>}
          {review === "failed" && <Refusal>Can't reach the server. Close this panel and try again.</Refusal>}
          {review !== "failed" && (
            <Issues articleId={articleId} title={title} html={html} lack={review?.lack ?? null} />
          )}
          {changes && <Changes changes={changes} />}
          <Field
            label="Release note (optional)"
            name="summary"
            hint="Only your team sees the note, under Versions."
            defaultValue={state.values.summary ?? ""}
            maxLength={300}
            autoComplete="off"
          />
          {isLater && (
            <Field
              label={`Date and time (${timeZone.replaceAll("_", " ")})`}
              name="at"
              type="datetime-local"
              hint="Lectern publishes the draft as it is at that time."
              defaultValue={state.values.at ?? ""}
              error={state.errors.at}
              required
            />
          )}
          <div className="flex items-center justify-end gap-2">
            {isLater && (
              <Button type="button" look="plain" size="small" onClick={() => setLater(false)}>
                Back
              </Button>
            )}
            <span ref={split} className="flex gap-px">
              <Button type="submit" size="small" aria-disabled={!isReady}>
                {isLater ? (isPending ? "Scheduling…" : "Schedule") : isPending ? "Publishing…" : "Publish"}
              </Button>
              {!isLater && (
                <Button
                  type="button"
                  size="small"
                  aria-label="Other ways to publish"
                  aria-haspopup="menu"
                  onClick={() => setMenu(split.current?.getBoundingClientRect() ?? null)}
                >
                  <ChevronDown aria-hidden="true" className="size-4" />
                </Button>
              )}
            </span>
          </div>
          {menu && (
            <ActionsMenu
              label="Other ways to publish"
              at={menu}
              entries={[{ name: "Schedule…", does: () => setLater(true) }]}
              onClose={() => setMenu(null)}
              link={() => null}
            />
          )}
        </form>
      ) : (
        <div className="grid gap-3">
          <p>Readers see this version. There are no changes to publish.</p>
          <p>
            <a href={path}>View live</a>
          </p>
        </div>
      )}
    </Popover>
  );
}

function Changes({ changes }: { changes: NonNullable<Review["changes"]> }) {
  if (changes.isSame) return <p className="text-text-muted">Readers won't see a difference.</p>;
  return (
    <details>
      <summary className="min-h-8 cursor-pointer py-1 font-medium">Changes</summary>
      <div className="mt-2 grid max-h-80 gap-3 overflow-y-auto" tabIndex={0} role="region" aria-label="Changes">
        <OtherChanges changes={changes.others} />
        <Comparison texts={changes} label="Changes in the text" />
      </div>
    </details>
  );
}

/** Timeout in milliseconds. */
const PATIENCE = 15_000;

async function reviewOf(articleId: string): Promise<Review | "failed"> {
  const answer = await fetch(`/admin/articles/${articleId}/review`, { signal: AbortSignal.timeout(PATIENCE) }).catch(
    () => null,
  );
  if (!answer?.ok || answer.redirected) return "failed";
  return (await answer.json().catch(() => "failed")) as Review | "failed";
}
