"use client";

import { useCallback, useLayoutEffect, useState } from "react";

/**
 * Focuses an element by its id after the next render, because an element that moves loses the focus.
 * @returns a function to call together with the change
 */
export function useFocus(): (id: string) => void {
  const [wanted, setWanted] = useState<{ id: string } | null>(null);
  useLayoutEffect(() => {
    if (wanted) document.getElementById(wanted.id)?.focus();
  }, [wanted]);
  return useCallback((id: string) => setWanted({ id }), []);
}

/**
 * Keeps the focus in a list when a button removes its item. The focus goes to the next item's button, otherwise to the
 * last one, and in an empty list to the field.
 * @param field the field's id
 */
export function useFocusAfterRemoval(field: string): {
  /** The id of a button, by its position in the list. */
  idOf: (place: number) => string;
  /** Call this together with the change. @param count the number of items before the removal */
  moveOn: (place: number, count: number) => void;
} {
  const focusOn = useFocus();
  const idOf = (place: number) => `${field}-remove-${place}`;
  return { idOf, moveOn: (place, count) => focusOn(count > 1 ? idOf(Math.min(place, count - 2)) : field) };
}
