import { createHash, createHmac } from "node:crypto";
import { env } from "@/lib/env";

/** An HMAC that the mail's job derives again from its payload: the database holds only the token's hash. */
export function mailedToken(...parts: string[]): string {
  const { authSecret } = env();
  if (!authSecret) throw new Error("AUTH_SECRET is not set. Start with `npm start` or `npm run dev`.");
  return createHmac("sha256", authSecret).update(JSON.stringify(parts)).digest("base64url");
}

/** SHA-256 without salt or stretching, since a token is as good as random. */
export function hashOfToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token).digest());
}
