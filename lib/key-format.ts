import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Six characters that let a scanner recognise a leaked key, and nonsense be refused without a query. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new API key: `kb_`, 32 random base62 characters (190 bits), and the checksum of all that. */
export function newKeyText(): string {
  const body = `kb_${Array.from({ length: 32 }, () => alphabet[randomInt(62)]).join("")}`;
  return body + checksum(body);
}

/** Whether a text has the shape of a key and its checksum is right. */
export function isKeyText(text: string): boolean {
  return /^kb_[0-9A-Za-z]{38}$/.test(text) && text.slice(-6) === checksum(text.slice(0, -6));
}

/** What is kept of a key: its SHA-256. A key is random, so that neither salt nor stretching would add anything. */
export function hashOfKey(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
