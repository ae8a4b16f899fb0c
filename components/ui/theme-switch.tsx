"use client";

import { useSyncExternalStore } from "react";
import { useHydrated } from "./hydrated";

const themes = { system: "System", light: "Light", dark: "Dark" };

function subscribe(changed: () => void): () => void {
  addEventListener("theme", changed);
  return () => removeEventListener("theme", changed);
}

const chosen = () => document.documentElement.dataset.theme ?? "system";

/** Chooses the system, light or dark theme. ThemeScript applies the choice before the next page is painted. */
export function ThemeSwitch() {
  const hydrated = useHydrated();
  const theme = useSyncExternalStore(subscribe, chosen, () => "system");
  return (
    // Invisible without scripts, so that nothing moves when it appears.
    <fieldset className={`-mx-2.5 flex items-center gap-1 ${hydrated ? "" : "invisible"}`}>
      <legend className="sr-only">Colours</legend>
      {Object.entries(themes).map(([value, name]) => (
        <label
          key={value}
          className="flex min-h-8 cursor-pointer items-center rounded-sm px-2.5 hover:text-text has-checked:bg-highlight has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="theme"
            value={value}
            checked={theme === value}
            onChange={() => chooseTheme(value)}
            className="sr-only"
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}

/** @param theme a key of `themes` */
export function chooseTheme(theme: string): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // Without storage, the choice only applies to this page.
  }
  dispatchEvent(new Event("theme"));
}
