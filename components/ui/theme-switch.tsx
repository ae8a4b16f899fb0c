"use client";

import { SunMoon } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useHydrated } from "./hydrated";

const themes = ["system", "light", "dark"] as const;
const inEnglish = { label: "Theme", system: "System", light: "Light", dark: "Dark" };

function subscribe(changed: () => void): () => void {
  addEventListener("theme", changed);
  return () => removeEventListener("theme", changed);
}

const chosen = () => document.documentElement.dataset.theme ?? "system";

/** Chooses the system, light or dark theme. ThemeScript applies the choice before the next page is painted. */
export function ThemeSwitch({ words = inEnglish }: { words?: typeof inEnglish }) {
  const hydrated = useHydrated();
  const theme = useSyncExternalStore(subscribe, chosen, () => "system");
  return (
    // Invisible without scripts, so that nothing moves when it appears.
    <fieldset className={`-mx-2.5 flex items-center gap-1 ${hydrated ? "" : "invisible"}`}>
      <legend className="sr-only">{words.label}</legend>
      {themes.map((value) => (
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
          {words[value]}
        </label>
      ))}
    </fieldset>
  );
}

/** Changes between light and dark. */
export function ThemeButton({ label }: { label: string }) {
  const hydrated = useHydrated();
  return (
    <button
      type="button"
      aria-label={label}
      onClick={() => chooseTheme(isDark() ? "light" : "dark")}
      className={`hidden size-9 shrink-0 cursor-pointer items-center justify-center rounded-sm text-text-muted hover:bg-highlight hover:text-text md:flex ${hydrated ? "" : "invisible"}`}
    >
      <SunMoon aria-hidden="true" className="size-4.5" />
    </button>
  );
}

function isDark(): boolean {
  const theme = chosen();
  return theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
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
