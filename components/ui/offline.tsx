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

/** Says over the page that nothing can be saved, for as long as there is no network. */
export function Offline() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    // There before there is something to say: only then do screen readers listen.
    <div role="status" className="sticky top-0 z-10">
      {!isOnline && (
        <p className="offline border-b border-border bg-surface-raised px-4 py-2.5 font-medium text-caution md:px-8">
          You are offline: nothing is saved until you are connected again.
        </p>
      )}
    </div>
  );
}
