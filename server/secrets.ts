import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Secrets {
  authSecret: string;
}

const REMEDY = "Generate one with openssl rand -base64 32.";

/**
 * The secrets of this installation: AUTH_SECRET, or outside production one generated into `dataDir/secrets.json`.
 * @throws a sentence with its remedy if AUTH_SECRET is weak, or missing in production
 */
export async function loadSecrets(options: {
  dataDir: string;
  production: boolean;
  env: Record<string, string | undefined>;
}): Promise<Secrets> {
  const authSecret = options.env.AUTH_SECRET;
  if (authSecret) {
    if (isWeak(authSecret)) throw new Error(`AUTH_SECRET is too easy to guess. ${REMEDY}`);
    return { authSecret };
  }
  if (options.production) throw new Error(`AUTH_SECRET is not set, but sessions need it. ${REMEDY}`);
  return generateOnce(options.dataDir);
}

export interface KnownSecret {
  authSecret: string;
  /** Whether it is in `secrets.json`. Otherwise an operator set it. */
  isGenerated: boolean;
}

/** AUTH_SECRET, or the one generated earlier. Null if there is none yet. Generates nothing. */
export async function knownSecret(dataDir: string, authSecret?: string): Promise<KnownSecret | null> {
  const file = fileIn(dataDir);
  const stored = existsSync(file) ? (await read(file)).authSecret : null;
  const known = authSecret ?? stored;
  return known === null ? null : { authSecret: known, isGenerated: known === stored };
}

/** Stores a generated secret of another installation, unless this one has its own. */
export async function keepSecret(dataDir: string, authSecret: string): Promise<void> {
  await storeOnce(dataDir, { authSecret });
}

const fileIn = (dataDir: string) => join(dataDir, "secrets.json");

/** 32 random characters always pass. */
function isWeak(secret: string): boolean {
  return secret.length < 32 || new Set(secret).size < 10 || /secret|change|example|password|default/i.test(secret);
}

async function generateOnce(dataDir: string): Promise<Secrets> {
  return storeOnce(dataDir, { authSecret: randomBytes(32).toString("base64url") });
}

/** The first of several starting processes decides. */
async function storeOnce(dataDir: string, secrets: Secrets): Promise<Secrets> {
  const file = fileIn(dataDir);
  await mkdir(dataDir, { recursive: true });
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
      `${file} can't be read (${error.code}). Start Lectern as the user who created it, or set AUTH_SECRET.`,
    );
  });
  try {
    const { authSecret } = JSON.parse(text) as Partial<Secrets>;
    if (typeof authSecret === "string" && authSecret.length >= 32) return { authSecret };
  } catch {}
  throw new Error(`${file} is damaged. Delete it to generate a new one, which signs everyone out, or set AUTH_SECRET.`);
}
