import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Lets scanners recognize a leaked key, and the API refuse nonsense without a query. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

export function newKeyText(): string {
  const body = `kb_${Array.from({ length: 32 }, () => alphabet[randomInt(62)]).join("")}`;
  return body + checksum(body);
}

export function isKeyText(text: string): boolean {
  return /^kb_[0-9A-Za-z]{38}$/.test(text) && text.slice(-6) === checksum(text.slice(0, -6));
}

/** SHA-256 without salt or stretching, since a key is random. */
export function hashOfKey(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
