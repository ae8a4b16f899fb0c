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

/**
 * Keeps the focus in a list of things that are taken away by their buttons: it goes to the button of the one that moves up,
 * of the last where none does, and to the field of the list where nothing is left.
 * @param field its id
 */
export function useFocusAfterRemoval(field: string): {
  /** The id of a button, by its place in the list. */
  idOf: (place: number) => string;
  /** To be called together with the change. @param count of the things that there were */
  moveOn: (place: number, count: number) => void;
} {
  const focusOn = useFocus();
  const idOf = (place: number) => `${field}-remove-${place}`;
  return { idOf, moveOn: (place, count) => focusOn(count > 1 ? idOf(Math.min(place, count - 2)) : field) };
}
