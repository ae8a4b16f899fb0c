import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Font } from "satori";
import { contrastOf } from "@/lib/settings/colors";

const alphabets = ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese"];
const weights = [400, 600] as const;
export const FONT_FAMILY = alphabets.map((alphabet) => `Inter ${alphabet}`).join(", ");

export const GROUND = "#faf9f7";
export const INK = "#23201d";
/** Of workspaces without a color. */
export const ACCENT = "#155e63";

let loading: Promise<Font[]> | undefined;

export function fonts(): Promise<Font[]> {
  return (loading ??= readFonts());
}

async function readFonts(): Promise<Font[]> {
  try {
    return await Promise.all(alphabets.flatMap((alphabet) => weights.map((weight) => font(alphabet, weight))));
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

async function font(alphabet: string, weight: 400 | 600): Promise<Font> {
  const file = `node_modules/@fontsource/inter/files/inter-${alphabet}-${weight}-normal.woff`;
  return { name: `Inter ${alphabet}`, weight, style: "normal", data: await readFile(join(process.cwd(), file)) };
}

/** An element that satori draws. */
export interface Box {
  type: "div";
  props: { style: Record<string, string | number>; children?: (Box | string)[] | string };
}

export function box(style: Record<string, string | number>, children?: (Box | string)[] | string): Box {
  return { type: "div", props: { style: { display: "flex", ...style }, children } };
}

/** A letter in the middle of a colored square. */
export function letterBox(letter: string, color: string, size: number, style: Box["props"]["style"] = {}): Box {
  const centered = { alignItems: "center", justifyContent: "center", fontSize: size / 2, fontWeight: 600 };
  return box({ width: size, height: size, background: color, color: inkOn(color), ...centered, ...style }, letter);
}

/** The dark or light ink that reads better on a color. */
export function inkOn(color: string): string {
  return contrastOf(color, INK) > contrastOf(color, GROUND) ? INK : GROUND;
}
