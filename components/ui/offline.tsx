"use client";

import { useSyncExternalStore } from "react";

function subscribe(changed: () => void): () => void {
  addEventListener("online", changed);
  addEventListener("offline", changed);
  return () => {
    removeEventListener("online", changed);
    removeEventListener("offline", changed);
  };
}

/** Warns at the top of the page that nothing can be saved while there is no network. */
export function Offline() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    // Always rendered, because screen readers only announce changes of an existing status.
    <div role="status" className="sticky top-0 z-10">
      {!isOnline && (
        <p className="offline border-b border-border bg-surface-raised px-4 py-2.5 font-medium text-caution md:px-8">
          You're offline. Changes can't be saved until you reconnect.
        </p>
      )}
    </div>
  );
}
