import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Secrets {
  /** Signs sessions and tokens. */
  authSecret: string;
}

const REMEDY = "Make one with openssl rand -base64 32 and set AUTH_SECRET to it.";

/**
 * The secrets of this installation: AUTH_SECRET of `env`; where that is unset and this is no production, a generated
 * one that is kept in `dataDir/secrets.json`, readable by this user alone.
 *
 * @param production whether a missing secret is an error
 * @throws a sentence with its remedy when AUTH_SECRET is weak, or missing in production
 */
export async function loadSecrets(options: {
  dataDir: string;
  production: boolean;
  env: Record<string, string | undefined>;
}): Promise<Secrets> {
  const given = options.env.AUTH_SECRET;
  if (given) {
    if (isWeak(given)) throw new Error(`AUTH_SECRET is too easy to guess. ${REMEDY}`);
    return { authSecret: given };
  }
  if (options.production) throw new Error(`AUTH_SECRET is not set, and sessions are signed with it. ${REMEDY}`);
  return generateOnce(options.dataDir);
}

/** Random text of 32 characters never fails here; a short one, a placeholder or a repeated word does. */
function isWeak(secret: string): boolean {
  return secret.length < 32 || new Set(secret).size < 10 || /secret|change|example|password|default/i.test(secret);
}

/** Whoever is first decides, for all processes that start at once. */
async function generateOnce(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, "secrets.json");
  await mkdir(dataDir, { recursive: true });
  const secrets: Secrets = { authSecret: randomBytes(32).toString("base64url") };
  const mine = `${file}.${randomBytes(4).toString("hex")}`;
  await writeFile(mine, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await link(mine, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(mine);
  return read(file);
}

async function read(file: string): Promise<Secrets> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `${file} cannot be read (${error.code}). Start Lectern as the user who made it, or set AUTH_SECRET.`,
    );
  });
  try {
    const { authSecret } = JSON.parse(text) as Partial<Secrets>;
    if (typeof authSecret === "string" && authSecret.length >= 32) return { authSecret };
  } catch {
    // Said below, as for a file without the secret.
  }
  throw new Error(
    `${file} is damaged. Delete it to have a new one made (everyone signs in again), or set AUTH_SECRET.`,
  );
}
