import { Button } from "@/components/ui/button";
import type { SaveState } from "./use-autosave";

/** Shows whether the server has the text. */
export function SaveLine({
  state,
  timeZone,
  isLeaving,
  onRetry,
}: {
  state: SaveState;
  timeZone: string;
  isLeaving: boolean;
  onRetry: () => void;
}) {
  return (
    <div className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
      <p role="status" className={state.kind === "failed" ? "max-w-[40rem] text-danger" : "text-text-muted"}>
        {isLeaving ? "Saving …" : wordsOf(state, timeZone)}
      </p>
      {state.kind === "failed" && state.isRetried && (
        <Button type="button" look="plain" size="small" onClick={onRetry}>
          Save now
        </Button>
      )}
    </div>
  );
}

function wordsOf(state: SaveState, timeZone: string): string {
  switch (state.kind) {
    case "saved":
      return `Saved ${timeOf(state.at, timeZone)}`;
    case "unsaved":
    case "saving":
      return "Saving …";
    case "failed":
      return state.why;
    case "conflict":
      return state.isOwn
        ? "Not saved: you have saved in another tab or window meanwhile."
        : "Not saved: somebody else has saved meanwhile.";
  }
}

/** The time of day, with the date unless it is today. */
export function timeOf(at: string | number, timeZone: string): string {
  const day = (date: Date) => new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone }).format(date);
  const time = new Intl.DateTimeFormat("en", { timeStyle: "short", timeZone }).format(new Date(at));
  return day(new Date(at)) === day(new Date()) ? `at ${time}` : `on ${day(new Date(at))} at ${time}`;
}
