import { useEffect, useState } from "react";

/** Hides the menu and the details until the writer presses Escape or the button again (app/editor.css). */
export function useFocusMode(): { isOn: boolean; toggle: () => void } {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    document.body.dataset.focus = "";
    const onKey = ({ key, target }: KeyboardEvent) => {
      // Escape closes an open menu or box first, and leaves a toolbar or a list of positions.
      const isOpen = document.querySelector(":popover-open, .editor .slash") !== null;
      const isInside = target instanceof Element && target.closest("input, select, nav, [role=toolbar]") !== null;
      if (key === "Escape" && !isOpen && !isInside) setOn(false);
    };
    // Before the text, which takes every Escape for itself.
    addEventListener("keydown", onKey, true);
    return () => {
      removeEventListener("keydown", onKey, true);
      delete document.body.dataset.focus;
    };
  }, [isOn]);
  return { isOn, toggle: () => setOn(!isOn) };
}
