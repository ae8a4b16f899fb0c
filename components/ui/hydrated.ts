"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether scripts run here: false while the server renders and until the page is alive, so that both agree. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
