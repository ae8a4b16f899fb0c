"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether scripts run. False on the server and during hydration, so that both render the same. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
