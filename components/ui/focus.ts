"use client";

import { useCallback, useLayoutEffect, useState } from "react";

/**
 * Moves the focus to an element by its id, after what is shown has changed: an element that moves loses it.
 * @returns to be called together with the change
 */
export function useFocus(): (id: string) => void {
  const [wanted, setWanted] = useState<{ id: string } | null>(null);
  useLayoutEffect(() => {
    if (wanted) document.getElementById(wanted.id)?.focus();
  }, [wanted]);
  return useCallback((id: string) => setWanted({ id }), []);
}
