import { resolve } from "node:path";
import { z } from "zod";

const wholeNumber = (name: string, fallback: number, least: number, most: number) =>
  z
    .string()
    .optional()
    .transform((text, context) => {
      const value = text === undefined || text === "" ? fallback : Number(text);
      if (Number.isInteger(value) && value >= least && value <= most) return value;
      context.addIssue(
        `${name} is "${text}": give a whole number from ${least} to ${most}, or leave it out for ${fallback}.`,
      );
      return z.NEVER;
    });

const address = (name: string, protocols: readonly string[], example: string) =>
  z
    .string()
    .optional()
    .transform((text, context) => {
      if (!text) return undefined;
      if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
      context.addIssue(`${name} is not an address that can be used: give one like ${example}.`);
      return z.NEVER;
    });

/** Whether names can be put in front of an address's host, and nothing stands behind it. */
function isOrigin(text: string): boolean {
  const { origin, hostname, href } = new URL(text);
  return href === `${origin}/` && !/^[\d.]+$|^\[/.test(hostname);
}

const Settings = z
  .object({
    NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
    PORT: wholeNumber("PORT", 3000, 1, 65535),
    HOST: z.string().min(1).optional(),
    BASE_URL: address("BASE_URL", ["http:", "https:"], "https://example.com (scheme, base domain and port)").refine(
      (text) => text === undefined || isOrigin(text),
      {
        error:
          "BASE_URL is scheme, domain and port alone, and no IP address: workspaces are names in front of the domain.",
      },
    ),
    DATA_DIR: z.string().min(1).default(".data"),
    DATABASE_URL: address("DATABASE_URL", ["postgres:", "postgresql:"], "postgresql://user:password@host:5432/lectern"),
    DATABASE_POOL: wholeNumber("DATABASE_POOL", 10, 2, 200),
    AUTH_SECRET: z.string().min(1).optional(),
    TRUST_PROXY: z
      .stringbool({ error: () => "TRUST_PROXY is neither true nor false: set one of the two." })
      .default(false),
  })
  .transform((settings) => ({
    nodeEnv: settings.NODE_ENV,
    port: settings.PORT,
    /** The address to listen on; every interface when absent. */
    host: settings.HOST,
    /** Scheme, base domain and port of every absolute address; never ends in a slash. */
    baseUrl: (settings.BASE_URL ?? `http://localhost:${settings.PORT}`).replace(/\/+$/, ""),
    dataDir: resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL,
    /** The most connections one process opens. */
    databasePool: settings.DATABASE_POOL,
    authSecret: settings.AUTH_SECRET,
    /** Whether X-Forwarded-* is believed. */
    trustProxy: settings.TRUST_PROXY,
  }));

export type Env = z.output<typeof Settings>;

/**
 * Checks the settings of a process. An empty variable counts as absent.
 * @throws Error with one sentence a setting, each ending in its remedy
 */
export function readEnv(variables: Record<string, string | undefined>): Env {
  const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const result = Settings.safeParse(present);
  if (result.success) return result.data;
  throw new Error(
    result.error.issues
      .map((issue) => `${issue.path.join(".")}: ${issue.message}`.replace(/^(\w+): \1/, "$1"))
      .join("\n"),
  );
}

let current: Env | undefined;

/** Every setting of this process, read once on first use: server.ts and bin/ may complete `process.env` before that. */
export function env(): Env {
  current ??= readEnv(process.env);
  return current;
}
