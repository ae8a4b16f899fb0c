// A workspace's colour, made readable: in OKLCH, whose lightness is the one that is seen, and hex, which is what is shown.

/** Lightness 0 to 1, chroma, hue in degrees: as CSS writes oklch(). */
type Oklch = readonly [lightness: number, chroma: number, hue: number];
type Rgb = readonly [red: number, green: number, blue: number];

/** What is drawn in a workspace's colour, each as `#rrggbb`. The names are those of app/globals.css. */
interface Accent {
  accent: string;
  accentHover: string;
  /** On the two before. */
  accentText: string;
  /** The ground of what is current. */
  highlight: string;
}

/** The least contrast of text (WCAG 2.2, 1.4.3). */
const READABLE = 4.5;

/** The grounds of app/globals.css, where the accent has to be read, and what is fitting beside them. */
export const themes = {
  light: { surface: [0.985, 0.003, 85], raised: [1, 0, 0], highlight: [0.955, 0.012], text: [0.99, 0.005] },
  dark: { surface: [0.19, 0.005, 70], raised: [0.23, 0.006, 70], highlight: [0.27, 0.018], text: [0.18, 0.03] },
} as const;

/** What else of app/globals.css a drawing of a page needs; the last three are drawn where a workspace chose no colour. */
export const tokens: Record<
  keyof typeof themes,
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

/**
 * The colour of a workspace for one theme: its hue, as much of its chroma as screens show, and its lightness moved as
 * far as contrast wants, which is 4.5 against every ground of the theme and against the text on it.
 * @param hex `#rrggbb`
 */
export function accentFor(hex: string, theme: keyof typeof themes): Accent {
  const { text, highlight } = themes[theme];
  const [lightness, chroma, hue] = oklchOf(rgbOf(hex));
  const at = (l: number, most = chroma) => inGamut([l, Math.min(chroma, most), hue]);
  const ground = at(highlight[0], highlight[1]);
  const grounds = groundsOf(theme, ground);
  const away = theme === "light" ? -1 : 1;
  let moved = lightness;
  const isReadable = () => grounds.every((one) => contrast(at(moved), one) >= READABLE);
  while (!isReadable() && (theme === "light" ? moved > 0 : moved < 1)) moved += 0.005 * away;
  // Where no room is left at the end, the hover comes back a little: there it is readable by far.
  const room = theme === "light" ? moved > 0.3 : moved < 0.9;
  return {
    accent: hexOf(at(moved)),
    accentHover: hexOf(at(moved + (room ? 0.06 : -0.15) * away)),
    accentText: hexOf(at(text[0], text[1])),
    highlight: hexOf(ground),
  };
}

function groundsOf(theme: keyof typeof themes, highlight: Rgb): Rgb[] {
  return [inGamut(themes[theme].surface), inGamut(themes[theme].raised), highlight];
}

/**
 * How well a workspace's colour can be read in one theme: the least contrast against any ground, from 1 to 21.
 * @param hex `#rrggbb`
 * @returns of the colour as it was chosen, and of the one that is shown
 */
export function contrastsOf(hex: string, theme: keyof typeof themes): { chosen: number; shown: number } {
  const { accent, highlight } = accentFor(hex, theme);
  const least = (colour: string) =>
    Math.min(...groundsOf(theme, rgbOf(highlight)).map((ground) => contrast(rgbOf(colour), ground)));
  return { chosen: least(hex), shown: least(accent) };
}

/** The colour of a workspace as the variables of app/globals.css, stronger than those. */
export function accentStyle(hex: string): string {
  const light = accentFor(hex, "light");
  const dark = accentFor(hex, "dark");
  const variables = [
    ["--accent", "accent"],
    ["--accent-hover", "accentHover"],
    ["--accent-text", "accentText"],
    ["--highlight", "highlight"],
  ] as const;
  return `html:root{${variables.map(([name, of]) => `${name}:light-dark(${light[of]},${dark[of]})`).join(";")}}`;
}

/**
 * A colour that somebody wrote, as `#rrggbb` in lowercase.
 * @param text with or without "#", in three or six digits; null when it is none
 */
export function colourOf(text: string): string | null {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/.exec(text.trim().toLowerCase())?.[1];
  if (!digits) return null;
  return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
}

/** How well two colours of `#rrggbb` are told apart, from 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  return contrast(rgbOf(one), rgbOf(other));
}

/** A colour of CSS's oklch() as `#rrggbb`, with as much of its chroma as screens show. */
export function hexOfOklch(colour: Oklch): string {
  return hexOf(inGamut(colour));
}

function rgbOf(hex: string): Rgb {
  const part = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16) / 255;
  return [part(1), part(3), part(5)];
}

function hexOf(colour: Rgb): string {
  return `#${colour
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map(linear) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function curved(part: number): number {
  return part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
}

// The matrices are those of CSS Color 4, which takes them from Björn Ottosson's "A perceptual color space".

function oklchOf(colour: Rgb): Oklch {
  const [red, green, blue] = colour.map(linear) as unknown as Rgb;
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  return [lightness, Math.hypot(a, b), (Math.atan2(b, a) * 180) / Math.PI];
}

function linearOf([lightness, chroma, hue]: Oklch): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** The colour with the most chroma, up to its own, that a screen shows, as it is written in hex. */
function inGamut([lightness, chroma, hue]: Oklch): Rgb {
  const bounded = Math.min(1, Math.max(0, lightness));
  const fits = (c: number) => linearOf([bounded, c, hue]).every((part) => part > -0.0005 && part < 1.0005);
  let [most, least] = [chroma, 0];
  if (fits(chroma)) least = chroma;
  else
    for (let step = 0; step < 16; step++) {
      const middle = (most + least) / 2;
      if (fits(middle)) least = middle;
      else most = middle;
    }
  const shown = linearOf([bounded, least, hue]).map((part) => curved(Math.min(1, Math.max(0, part))));
  return rgbOf(hexOf(shown as unknown as Rgb));
}
