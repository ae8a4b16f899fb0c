"use client";

import { chooseTheme, followTheme } from "./theme";

const themes = ["system", "light", "dark"] as const;
const inEnglish = { label: "Theme", system: "System", light: "Light", dark: "Dark" };

/** Chooses the system, light or dark theme. Invisible without scripts. */
export function ThemeSwitch({ words = inEnglish }: { words?: typeof inEnglish }) {
  return (
    <fieldset ref={followTheme} data-theme-switch="" className="-mx-2.5 flex items-center gap-1 noscript:invisible">
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
            defaultChecked={value === "system"}
            onChange={() => chooseTheme(value)}
            className="sr-only"
          />
          {words[value]}
        </label>
      ))}
    </fieldset>
  );
}
