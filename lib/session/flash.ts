import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { env } from "@/lib/env";
import { FLASH_COOKIE, hostCookie } from "./cookie";
import { authSecret } from "./token";

/** Seconds in which a message must be shown. */
const LIFETIME = 60;
/** Characters of a message, so that the cookie stays below the 4,096 bytes that browsers keep. */
const LONGEST = 500;

const undoNames = [
  ...["articles", "categoryPlace", "color", "deletion", "draft", "invitation", "logo"],
  ...["deactivation", "picture", "readerOptions", "role"],
] as const;
/** The actions that a message can offer, by name: the admin layout knows them. */
export type UndoName = (typeof undoNames)[number];

const Flash = z.object({
  text: z.string(),
  /** Sends `fields` to an action that takes back what the message reports. */
  undo: z.object({ name: z.enum(undoNames), fields: z.record(z.string(), z.string()), label: z.string() }).optional(),
  /** Milliseconds; also tells two messages of the same text apart. */
  at: z.number(),
});
export type Flash = z.output<typeof Flash>;

/** An undo as an action writes it; the button says "Undo" if no label is given. */
export interface Undo {
  name: UndoName;
  fields: Record<string, string>;
  label?: string;
}

/**
 * The cookie that carries a message to the next page of a host.
 * @param host with its port, as the request named it: on another host the message is not shown
 */
export function flashCookie(host: string, text: string, undo?: Undo) {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
  const flash: Flash = { text: shown, undo: undo && { label: "Undo", ...undo }, at: Date.now() };
  const content = Buffer.from(JSON.stringify(flash)).toString("base64url");
  const { name, options } = hostCookie(FLASH_COOKIE, env().baseUrl);
  return { name, value: `${content}.${signature(host, content)}`, ...options, maxAge: LIFETIME };
}

/** The message in such a cookie's value; null for a forged, foreign or old one. */
export function readFlash(host: string, value: string | null): Flash | null {
  const [content = "", signed = ""] = (value ?? "").split(".");
  const [given, right] = [Buffer.from(signed), Buffer.from(signature(host, content))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  const flash = Flash.parse(JSON.parse(Buffer.from(content, "base64url").toString()));
  return Date.now() - flash.at < LIFETIME * 1_000 ? flash : null;
}

function signature(host: string, content: string): string {
  return createHmac("sha256", authSecret())
    .update(JSON.stringify(["flash", host, content]))
    .digest("base64url");
}
