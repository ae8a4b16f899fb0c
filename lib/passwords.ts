import { hash, verify } from "@node-rs/argon2";
import { InvalidError } from "@/lib/errors";

/** OWASP's figures for argon2id, which is the library's default: 19 MiB of memory, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of the same cost that no password has: what is verified when there is nothing to verify. */
const nobodysHash = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/** The fewest characters of a password, and the most, which bound what hashing one costs. */
const SHORTEST = 10;
const LONGEST = 200;

/**
 * What is kept of a password. The same password typed on another keyboard is the same (NFKC).
 * @throws InvalidError for one that is too short, too long, or nothing but blanks
 */
export async function hashPassword(password: string): Promise<string> {
  const length = Array.from(password.trim()).length;
  if (length < SHORTEST || length > LONGEST) {
    const code = length > LONGEST ? "too_long" : password === "" ? "required" : "invalid";
    const message = `A password has ${SHORTEST} to ${LONGEST} characters: choose a longer one, such as four words.`;
    throw new InvalidError([{ field: "password", code, message }]);
  }
  return hash(password.normalize("NFKC"), cost);
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
