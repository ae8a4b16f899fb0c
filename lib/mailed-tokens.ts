import { createHash, createHmac } from "node:crypto";
import { env } from "@/lib/env";

/**
 * The token of a link that is sent by mail: 256 bits that nobody can guess who does not know AUTH_SECRET. It is made again
 * from what the job carries when the mail is written, so that it waits nowhere: the database has its hash alone.
 * @param parts what the link is for, whose it is, and something drawn at random for each new link
 */
export function mailedToken(...parts: string[]): string {
  const { authSecret } = env();
  if (!authSecret) throw new Error("AUTH_SECRET is not set: start through `npm start` or `npm run dev`.");
  return createHmac("sha256", authSecret).update(JSON.stringify(parts)).digest("base64url");
}

/** What is kept of a token: its SHA-256. It is as good as random, so that neither salt nor stretching would add anything. */
export function hashOfToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token).digest());
}
