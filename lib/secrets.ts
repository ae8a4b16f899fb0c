import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/env";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

export function authSecret(): string {
  const { authSecret } = env();
  if (!authSecret) throw new Error("AUTH_SECRET is not set. Start with `npm start` or `npm run dev`.");
  return authSecret;
}

/** A keyed hash of these parts. Nobody can make or check it without AUTH_SECRET. */
export function signatureOf(...parts: string[]): Buffer {
  return createHmac("sha256", authSecret()).update(JSON.stringify(parts)).digest();
}

/**
 * Encrypts a text to be stored, with a key derived from AUTH_SECRET.
 * @param purpose what the text is and whose, such as "two_step" and ids. It decrypts for the same purpose only
 */
export function encrypt(text: string, ...purpose: string[]): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyFor(purpose), iv);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return new Uint8Array(Buffer.concat([iv, cipher.getAuthTag(), body]));
}

/** @throws Error if the text was changed, is for another purpose, or was encrypted with another AUTH_SECRET */
export function decrypt(stored: Uint8Array, ...purpose: string[]): string {
  const bytes = Buffer.from(stored);
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(CIPHER, keyFor(purpose), iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}

function keyFor(purpose: string[]): Buffer {
  return Buffer.from(hkdfSync("sha256", authSecret(), "", JSON.stringify(["encrypt", ...purpose]), 32));
}
