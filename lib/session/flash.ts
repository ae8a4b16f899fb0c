import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { env } from "@/lib/env";
import { signatureOf } from "@/lib/secrets";
import { FLASH_COOKIE, hostCookie } from "./cookie";

/** Seconds. */
const LIFETIME = 60;
/** Characters, so that the cookie stays below the 4,096 bytes that browsers keep. */
const LONGEST = 500;

const undoNames = [
  "articles",
  "categoryPlace",
  "color",
  "deletion",
  "draft",
  "invitation",
  "logo",
  "deactivation",
  "picture",
  "readerOptions",
  "role",
] as const;
export type UndoName = (typeof undoNames)[number];

const Flash = z.object({
  text: z.string(),
  undo: z.object({ name: z.enum(undoNames), fields: z.record(z.string(), z.string()), label: z.string() }).optional(),
  /** Milliseconds. Also tells apart two messages with the same text. */
  at: z.number(),
});
export type Flash = z.output<typeof Flash>;

export interface Undo {
  name: UndoName;
  fields: Record<string, string>;
  label?: string;
}

/** @param host with its port, as the request named it: on another host the message is not shown */
export function flashCookie(host: string, text: string, undo?: Undo) {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
  const flash: Flash = { text: shown, undo: undo && { label: "Undo", ...undo }, at: Date.now() };
  const content = Buffer.from(JSON.stringify(flash)).toString("base64url");
  const { name, options } = hostCookie(FLASH_COOKIE, env().baseUrl);
  return { name, value: `${content}.${signature(host, content)}`, ...options, maxAge: LIFETIME };
}

/** Null for a forged, foreign or expired value. */
export function readFlash(host: string, value: string | null): Flash | null {
  const [content = "", signed = ""] = (value ?? "").split(".");
  const [actual, expected] = [Buffer.from(signed), Buffer.from(signature(host, content))];
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
  const flash = Flash.parse(JSON.parse(Buffer.from(content, "base64url").toString()));
  return Date.now() - flash.at < LIFETIME * 1_000 ? flash : null;
}

function signature(host: string, content: string): string {
  return signatureOf("flash", host, content).toString("base64url");
}
