import { randomBytes } from "node:crypto";
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

/** 32 random characters always pass. */
function isWeak(secret: string): boolean {
  return secret.length < 32 || new Set(secret).size < 10 || /secret|change|example|password|default/i.test(secret);
}

/** The first of several starting processes decides. */
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
      `${file} cannot be read (${error.code}). Start Lectern as the user who created it, or set AUTH_SECRET.`,
    );
  });
  try {
    const { authSecret } = JSON.parse(text) as Partial<Secrets>;
    if (typeof authSecret === "string" && authSecret.length >= 32) return { authSecret };
  } catch {}
  throw new Error(`${file} is damaged. Delete it to generate a new one, which signs everyone out, or set AUTH_SECRET.`);
}
