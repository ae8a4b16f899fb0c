import { clampChroma, formatHex, modeLrgb, modeOklch, modeRgb, useMode, wcagContrast } from "culori/fn";

// culori converts only between modes that are in use.
for (const mode of [modeRgb, modeLrgb]) useMode(mode);
const oklchOf = useMode(modeOklch);

/** As in CSS oklch(): lightness 0 to 1, chroma, hue in degrees. */
type Oklch = readonly [lightness: number, chroma: number, hue: number];
type Theme = keyof typeof themes;

/** WCAG 2.2, 1.4.3. */
const READABLE = 4.5;

/** The grounds in app/globals.css. A test compares them. */
export const themes = {
  light: { surface: [0.985, 0.003, 85], raised: [1, 0, 0], highlight: [0.955, 0.012], text: [0.99, 0.005] },
  dark: { surface: [0.19, 0.005, 70], raised: [0.23, 0.006, 70], highlight: [0.27, 0.018], text: [0.18, 0.03] },
} as const;

export const tokens: Record<
  Theme,
  Record<"text" | "muted" | "border" | "accent" | "accentText" | "highlight", Oklch>
> = {
  light: {
    text: [0.25, 0.008, 70],
    muted: [0.48, 0.01, 70],
    border: [0.9, 0.006, 80],
    accent: [0.43, 0.08, 190],
    accentText: [0.99, 0.005, 190],
    highlight: [0.955, 0.012, 190],
  },
  dark: {
    text: [0.92, 0.006, 80],
    muted: [0.72, 0.01, 75],
    border: [0.31, 0.008, 70],
    accent: [0.75, 0.085, 190],
    accentText: [0.21, 0.03, 190],
    highlight: [0.27, 0.018, 190],
  },
};

/** The chosen hue (`#rrggbb`), with the lightness moved until it is readable on every ground of the theme. */
export function accentFor(hex: string, theme: Theme) {
  const { text, highlight } = themes[theme];
  const { l, c, h = 0 } = oklchOf(hex) ?? { l: 0, c: 0 };
  const at = (lightness: number, most = c) => hexOfOklch([lightness, Math.min(c, most), h]);
  const ground = at(highlight[0], highlight[1]);
  const grounds = groundsOf(theme, ground);
  const away = theme === "light" ? -1 : 1;
  let moved = l;
  while (leastContrast(at(moved), grounds) < READABLE && (theme === "light" ? moved > 0 : moved < 1)) {
    moved += 0.005 * away;
  }
  // At the end of the range the hover moves back, where the contrast is ample.
  const hasRoom = theme === "light" ? moved > 0.3 : moved < 0.9;
  return {
    accent: at(moved),
    accentHover: at(moved + (hasRoom ? 0.06 : -0.15) * away),
    accentText: at(text[0], text[1]),
    highlight: ground,
  };
}

/** The lowest contrast with the theme's grounds, from 1 to 21, of the chosen color and of the shown one. */
export function contrastsOf(hex: string, theme: Theme): { chosen: number; shown: number } {
  const { accent, highlight } = accentFor(hex, theme);
  const grounds = groundsOf(theme, highlight);
  return { chosen: leastContrast(hex, grounds), shown: leastContrast(accent, grounds) };
}

export const contrastOf: (one: string, other: string) => number = wcagContrast;

function groundsOf(theme: Theme, highlight: string): string[] {
  return [hexOfOklch(themes[theme].surface), hexOfOklch(themes[theme].raised), highlight];
}

function leastContrast(hex: string, grounds: string[]): number {
  return Math.min(...grounds.map((ground) => wcagContrast(hex, ground)));
}

/** Overrides the variables of app/globals.css. */
export function accentStyle(hex: string): string {
  const light = accentFor(hex, "light");
  const dark = accentFor(hex, "dark");
  const variables = [
    ["--accent", "accent"],
    ["--accent-hover", "accentHover"],
    ["--accent-text", "accentText"],
    ["--highlight", "highlight"],
  ] as const;
  return `html:root{${variables.map(([name, key]) => `${name}:light-dark(${light[key]},${dark[key]})`).join(";")}}`;
}

/** Reads three or six hex digits, with or without "#", as `#rrggbb`, or null for other text. */
export function parseColor(text: string): string | null {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/.exec(text.trim().toLowerCase())?.[1];
  if (!digits) return null;
  return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
}

/** As `#rrggbb`, with as much of its chroma as sRGB has. */
export function hexOfOklch([lightness, c, h]: Oklch): string {
  return formatHex(clampChroma({ mode: "oklch", l: Math.min(1, Math.max(0, lightness)), c, h }, "oklch"));
}
