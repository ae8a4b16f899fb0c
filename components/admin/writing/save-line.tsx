"use client";

import { type ReactNode, useSyncExternalStore } from "react";
import { KEPT_HERE, type SaveState } from "./use-autosave";

/** Shows in few words whether the server has everything. `SaveNotice` explains why not. */
export function SaveLine({
  state,
  isBusy,
  timeZone,
}: {
  state: SaveState;
  /** Whether something besides the text is being saved. */
  isBusy: boolean;
  timeZone: string;
}) {
  const isSaving = isBusy || state.kind === "unsaved" || state.kind === "saving";
  const isSaved = !isSaving && state.kind === "saved";
  return (
    <p role="status" className={`min-w-0 truncate ${isSaving || isSaved ? "text-text-muted" : "text-danger"}`}>
      {isSaving ? (
        "Saving…"
      ) : isSaved ? (
        <>
          Saved<span className="max-lg:hidden"> {timeOf(state.at, timeZone)}</span>
        </>
      ) : (
        "Not saved"
      )}
    </p>
  );
}

/** Explains why nothing is saved, and offers what helps. */
export function SaveNotice({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  const isFailed = state.kind === "failed";
  if (!isOnline) return <Notice>{`You're offline. ${KEPT_HERE}`}</Notice>;
  if (!isFailed) return null;
  return (
    <Notice>
      {state.why}{" "}
      {state.isSignedOut ? (
        <a href="/admin/sign-in" target="_blank" rel="noopener">
          Sign in again
        </a>
      ) : (
        state.isRetried && (
          <button type="button" onClick={onRetry} className="min-h-11 cursor-pointer underline md:min-h-0">
            Save now
          </button>
        )
      )}
    </Notice>
  );
}

/** A line below the head of the page, in view wherever the writer has scrolled to. */
export function Notice({ children }: { children: ReactNode }) {
  return <p className="border-t border-border px-4 py-2 font-medium text-caution md:px-6">{children}</p>;
}

function subscribe(changed: () => void): () => void {
  addEventListener("online", changed);
  addEventListener("offline", changed);
  return () => {
    removeEventListener("online", changed);
    removeEventListener("offline", changed);
  };
}

/** The time of day, with the date unless it is today. */
export function timeOf(at: string | number, timeZone: string): string {
  const day = (date: Date) => new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone }).format(date);
  const time = new Intl.DateTimeFormat("en", { timeStyle: "short", timeZone }).format(new Date(at));
  return day(new Date(at)) === day(new Date()) ? `at ${time}` : `on ${day(new Date(at))} at ${time}`;
}
