// The chosen theme. ThemeScript applies it before the first paint.

const NAME = "theme";

/** "light", "dark", or "system" while nothing is chosen. */
const chosenTheme = () => document.documentElement.dataset.theme ?? "system";

/** @param theme "system", "light" or "dark" */
export function chooseTheme(theme: string): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, theme);
  } catch {
    // Without storage, the choice only applies to this page.
  }
  dispatchEvent(new Event(NAME));
}

/**
 * Keeps a ThemeSwitch in sync with the chosen theme.
 * @returns a function that stops it
 */
export function followTheme(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return;
  const follow = () => {
    for (const radio of element.querySelectorAll("input")) radio.checked = radio.value === chosenTheme();
  };
  follow();
  addEventListener(NAME, follow);
  return () => removeEventListener(NAME, follow);
}
