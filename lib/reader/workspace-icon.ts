import { createHash } from "node:crypto";

/** The contents of a workspace's icon. */
export interface WorkspaceFace {
  name: string;
  accentColor: string | null;
  logo: { path: string; width: number; height: number } | null;
}

export const iconFiles = ["favicon.ico", "96.png", "180.png"] as const;
export type IconFile = (typeof iconFiles)[number];

/** Increase this when the drawing changes. */
const DRAWING = 1;

/** A hash of the contents, which makes an icon's URL cacheable. */
export function iconVersion({ name, accentColor, logo }: WorkspaceFace): string {
  const contents = [DRAWING, firstLetter(name), accentColor, logo?.path];
  return createHash("sha256").update(JSON.stringify(contents)).digest("base64url").slice(0, 16);
}

export function firstLetter(name: string): string {
  return Array.from(name.trim())[0]?.toUpperCase() ?? "";
}
