import { hash, verify } from "@node-rs/argon2";
import { InvalidError, type InvalidField } from "@/lib/errors";

/** OWASP's figures for argon2id, which is the library's default: 19 MiB of memory, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of the same cost that no password has: what is verified when there is nothing to verify. */
const nobodysHash = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/** The fewest characters of a password, and the most, which bound what hashing one costs. */
const SHORTEST = 12;
const LONGEST = 200;

/** What long passwords that many people have are made of, once or again and again, with digits before and after. */
const commonest = new Set(
  `password passwort passw0rd qwerty qwertyuiop qwertz qwertzuiop asdfghjkl azerty abc abcdefghijkl admin administrator root
  letmein welcome iloveyou iloveyouso changeme secret monkey dragon football baseball superman princess sunshine
  passwordpassword 1q2w3e4r5t6y 1q2w3e4r5t6z qazwsxedc lectern knowledgebase`.split(/\s+/),
);

/**
 * What is kept of a password. The same password typed on another keyboard is the same (NFKC).
 * @param not what it may not be: the person's address, the workspace's name
 * @throws InvalidError for one that is too short, too long, nothing but blanks, or among the first that anybody would try
 */
export async function hashPassword(password: string, not: string[] = []): Promise<string> {
  const invalid = checkPassword(password, not);
  if (invalid.length > 0) throw new InvalidError(invalid);
  return hash(password.normalize("NFKC"), cost);
}

/**
 * What is wrong with a password, if anything: known at once, where hashing it takes its time.
 * @param not as of hashPassword
 */
export function checkPassword(password: string, not: string[] = []): InvalidField[] {
  const refused = (code: InvalidField["code"], message: string) => [{ field: "password", code, message }];
  const length = Array.from(password.trim()).length;
  if (length > LONGEST)
    return refused("too_long", `A password has at most ${LONGEST} characters: choose a shorter one.`);
  if (length < SHORTEST) {
    const message = `A password has ${SHORTEST} to ${LONGEST} characters: choose a longer one, such as four words.`;
    return refused(password === "" ? "required" : "invalid", message);
  }
  if (!isGuessed(password, not)) return [];
  return refused(
    "not_allowed",
    "This password is among the first that anybody would try: choose another, such as four words.",
  );
}

function isGuessed(password: string, not: string[]): boolean {
  const bare = (text: string) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, "");
  const whole = bare(password);
  // Of "passwordpassword12" the "password", of "123123123123" nothing.
  const word = whole.replace(/^\p{N}+|\p{N}+$/gu, "").replace(/^(.+?)\1+$/u, "$1");
  const known = not.flatMap((text) => [bare(text), bare(text.split("@")[0] ?? "")]);
  return (
    word === "" || new Set(whole).size < 5 || [whole, word].some((text) => commonest.has(text) || known.includes(text))
  );
}

/**
 * Whether a password is the one that was hashed. Takes the same time whether there is a hash or not, so that an
 * answer's time does not tell who has an account.
 * @param passwordHash null for people who are unknown or have no password
 */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const same = await verify(passwordHash ?? nobodysHash, password.slice(0, 2 * LONGEST).normalize("NFKC"));
  return same && passwordHash !== null && password !== "";
}
