import { createHash } from "node:crypto";
import { signatureOf } from "@/lib/secrets";

/** An HMAC that the mail's job derives again from its payload: the database holds only the token's hash. */
export function mailedToken(...parts: string[]): string {
  return signatureOf(...parts).toString("base64url");
}

/** SHA-256 without salt or stretching, since a token is as good as random. */
export function hashOfToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token).digest());
}
