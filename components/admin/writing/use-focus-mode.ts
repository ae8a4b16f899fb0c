import { useEffect, useState } from "react";

/** Hides the menu and the details until the writer presses Escape or the button again (app/editor.css). */
export function useFocusMode(): { isOn: boolean; toggle: () => void } {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    document.body.dataset.focus = "";
    const onKey = ({ key, target }: KeyboardEvent) => {
      // Escape first closes an open menu or popover, or leaves a toolbar, field or navigation.
      const isOpen = document.querySelector(":popover-open, .editor .slash") !== null;
      const isInside = target instanceof Element && target.closest("input, select, nav, [role=toolbar]") !== null;
      if (key === "Escape" && !isOpen && !isInside) setOn(false);
    };
    // Capture the event, because the text editor handles every Escape itself.
    addEventListener("keydown", onKey, true);
    return () => {
      removeEventListener("keydown", onKey, true);
      delete document.body.dataset.focus;
    };
  }, [isOn]);
  return { isOn, toggle: () => setOn(!isOn) };
}
