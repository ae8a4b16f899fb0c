import { createRoot } from "react-dom/client";
import type { Callable } from "./call";
import { TryForm } from "./form";

/** Replaces the button with the form. Only this form needs React, so React loads with it. */
export function tryIt(button: HTMLElement): void {
  const operation = JSON.parse(button.dataset.try ?? "{}") as Callable;
  const place = document.createElement("div");
  button.hidden = true;
  button.after(place);
  const root = createRoot(place);
  root.render(
    <TryForm
      operation={operation}
      onClose={() => {
        root.unmount();
        place.remove();
        button.hidden = false;
        button.focus();
      }}
    />,
  );
}
