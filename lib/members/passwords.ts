import { hash, verify } from "@node-rs/argon2";
import { dictionary } from "@zxcvbn-ts/language-common";
import { InvalidError, type InvalidField } from "@/lib/errors";

/** OWASP's figures for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of the same cost that no password has. */
const nobodysHash = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

const SHORTEST = 12;
const LONGEST = 200;

/** The most common passwords and a few of our own. A password that only pads or repeats one of them is refused. */
const common = new Set([
  ...dictionary["passwords-common"],
  ..."passwort qwertz qwertzuiop abcdefghijkl iloveyouso changeme lectern knowledgebase 1q2w3e4r5t6z".split(" "),
  "correcthorsebatterystaple",
]);

/** The letters that digits and symbols stand for, as in "P@ssw0rd". */
const letters: Record<string, string> = { "@": "a", "4": "a", "3": "e", "0": "o", $: "s", "5": "s", "7": "t" };

/** Hashes a password as NFKC, so every keyboard types the same one. It must be none of the texts in `not`. */
export async function hashPassword(password: string, not: string[] = []): Promise<string> {
  const invalid = checkPassword(password, not);
  if (invalid.length > 0) throw new InvalidError(invalid);
  return hash(password.normalize("NFKC"), cost);
}

export function checkPassword(password: string, not: string[] = []): InvalidField[] {
  const refused = (code: InvalidField["code"], message: string) => [{ field: "password", code, message }];
  const length = Array.from(password.trim()).length;
  if (length > LONGEST) return refused("too_long", `Use up to ${LONGEST} characters.`);
  if (length < SHORTEST) {
    const message = `Use at least ${SHORTEST} characters, such as four words.`;
    return refused(password === "" ? "required" : "invalid", message);
  }
  if (!isGuessed(password, not)) return [];
  return refused("not_allowed", "This password is easy to guess. Choose another, such as four unrelated words.");
}

function isGuessed(password: string, not: string[]): boolean {
  const bare = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "");
  const folded = (text: string) => text.normalize("NFKC").toLowerCase();
  const typed = folded(password);
  const whole = bare(typed);
  const word = whole.replace(/^\p{N}+|\p{N}+$/gu, "").replace(/^(.+?)\1+$/u, "$1");
  const inside = typed.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "").replace(/[@430$57]/g, (sign) => letters[sign] ?? "");
  const meant = ["i", "l"].map((one) => bare(inside.replace(/[1!|]/g, one)));
  const known = not.flatMap((text) => [text, text.split("@")[0] ?? ""]).map((text) => bare(folded(text)));
  const isCommon = (text: string) => known.includes(text) || (text.length > 3 && common.has(text));
  return word === "" || new Set(whole).size < 5 || [whole, word, ...meant].some(isCommon);
}

/** Takes the same time with and without a hash, so an answer's time does not reveal who has an account. */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const same = await verify(passwordHash ?? nobodysHash, password.slice(0, 2 * LONGEST).normalize("NFKC"));
  return same && passwordHash !== null && password !== "";
}
