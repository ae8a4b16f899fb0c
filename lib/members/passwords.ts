import { hash, verify } from "@node-rs/argon2";
import { InvalidError, type InvalidField } from "@/lib/errors";

/** OWASP's figures for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of the same cost that no password has. */
const nobodysHash = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

const SHORTEST = 12;
const LONGEST = 200;

/** Long passwords are refused if they only repeat one of these, with digits before or after. */
const commonest = new Set(
  `password passwort passw0rd qwerty qwertyuiop qwertz qwertzuiop asdfghjkl azerty abc abcdefghijkl admin administrator root
  letmein welcome iloveyou iloveyouso changeme secret monkey dragon football baseball superman princess sunshine
  passwordpassword 1q2w3e4r5t6y 1q2w3e4r5t6z qazwsxedc lectern knowledgebase`.split(/\s+/),
);

/** Hashes a password as NFKC, so every keyboard types the same one. It must be none of the texts in `not`. */
export async function hashPassword(password: string, not: string[] = []): Promise<string> {
  const invalid = checkPassword(password, not);
  if (invalid.length > 0) throw new InvalidError(invalid);
  return hash(password.normalize("NFKC"), cost);
}

export function checkPassword(password: string, not: string[] = []): InvalidField[] {
  const refused = (code: InvalidField["code"], message: string) => [{ field: "password", code, message }];
  const length = Array.from(password.trim()).length;
  if (length > LONGEST) return refused("too_long", `Use at most ${LONGEST} characters.`);
  if (length < SHORTEST) {
    const message = `Use at least ${SHORTEST} characters, such as four words.`;
    return refused(password === "" ? "required" : "invalid", message);
  }
  if (!isGuessed(password, not)) return [];
  return refused("not_allowed", "This password is easy to guess. Choose another one, such as four words.");
}

function isGuessed(password: string, not: string[]): boolean {
  const bare = (text: string) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, "");
  const whole = bare(password);
  const word = whole.replace(/^\p{N}+|\p{N}+$/gu, "").replace(/^(.+?)\1+$/u, "$1");
  const known = not.flatMap((text) => [bare(text), bare(text.split("@")[0] ?? "")]);
  return (
    word === "" || new Set(whole).size < 5 || [whole, word].some((text) => commonest.has(text) || known.includes(text))
  );
}

/** Takes the same time with and without a hash, so an answer's time does not reveal who has an account. */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const same = await verify(passwordHash ?? nobodysHash, password.slice(0, 2 * LONGEST).normalize("NFKC"));
  return same && passwordHash !== null && password !== "";
}
