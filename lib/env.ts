import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { type LimitSetting, limitSettings } from "@/lib/limits";

const logLevels = ["silent", "fatal", "error", "warn", "info", "debug", "trace"] as const;

const wholeNumber = (name: string, fallback: number, least: number, most: number) =>
  z
    .string()
    .optional()
    .transform((text, context) => {
      const value = text === undefined || text === "" ? fallback : Number(text);
      if (Number.isInteger(value) && value >= least && value <= most) return value;
      context.addIssue(
        `${name} is "${text}". Set a whole number from ${least} to ${most}, or unset it to use ${fallback}.`,
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
      context.addIssue(`${name} is not a valid URL. Set one like ${example}.`);
      return z.NEVER;
    });

function isOrigin(text: string): boolean {
  const { origin, hostname, href } = new URL(text);
  return href === `${origin}/` && !/^[\d.]+$|^\[/.test(hostname);
}

/** An unquoted SMTP address, safe in a header. */
const mailbox = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z0-9-]+(\.[a-z0-9-]+)*$/i;

const sender = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined) return undefined;
    const [, name = "", address = text] = /^ *"?([^"<>\p{Cc}]*?)"? *<([^<>]*)> *$/u.exec(text) ?? [];
    if (isMailbox(address)) return { name, address };
    context.addIssue("MAIL_FROM is not a valid sender. Set one like Lectern <lectern@example.com>.");
    return z.NEVER;
  });

const contact = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined) return undefined;
    if (isMailbox(text)) return `mailto:${text}`;
    if (text.startsWith("https://") && URL.canParse(text)) return new URL(text).href;
    context.addIssue("SECURITY_CONTACT must be an email or a URL that begins with https://.");
    return z.NEVER;
  });

export function isMailbox(text: string): boolean {
  return text.length <= 254 && mailbox.test(text);
}

export interface InBucket {
  name: string;
  /** Without a slash at its start or end. */
  path: string;
}

/** What a URL such as `s3://my-backups/lectern` names. Null for the path of a file or folder. @throws a sentence */
export function inBucket(text: string): InBucket | null {
  if (!/^(s3:|[a-z][a-z\d+.-]*:\/\/)/i.test(text)) return null;
  const [, name, path = ""] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/(?!\.{1,2}(?:\/|$))[\w. -]+)*)\/?$/.exec(text) ?? [];
  if (!name) throw new Error(`${text} is not a bucket URL. Use one like s3://my-backups/lectern.`);
  return { name, path: path.slice(1) };
}

const bucketStore = (name: string) =>
  address(name, ["http:", "https:"], "https://s3.example.com (without bucket)").refine(
    (text) => text === undefined || new URL(text).username + new URL(text).password === "",
    {
      error: `${name} contains a user or password. Remove them, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.`,
    },
  );

function isMailServer(text: string): boolean {
  const { hostname, username, password } = new URL(text);
  try {
    return hostname !== "" && decodeURIComponent(username + password) !== "\0";
  } catch {
    return false;
  }
}

function mapLimits<Value>(valueOf: (name: LimitSetting, fallback: number) => Value): Record<LimitSetting, Value> {
  const entries = Object.entries(limitSettings) as [LimitSetting, number][];
  return Object.fromEntries(entries.map(([name, fallback]) => [name, valueOf(name, fallback)])) as never;
}

const rateLimits = mapLimits((name, fallback) => wholeNumber(name, fallback, 0, 1_000_000));

const Settings = z
  .object({
    NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
    PORT: wholeNumber("PORT", 3000, 1, 65535),
    HOST: z.string().min(1).optional(),
    BASE_URL: address("BASE_URL", ["http:", "https:"], "https://example.com (scheme, base domain, and port)").refine(
      (text) => text === undefined || isOrigin(text),
      {
        error:
          "BASE_URL must be a scheme, a domain, and a port, without an IP address. Workspaces are subdomains of it.",
      },
    ),
    DATA_DIR: z.string().min(1).default(".data"),
    DATABASE_URL: address("DATABASE_URL", ["postgres:", "postgresql:"], "postgresql://user:password@host:5432/lectern"),
    DATABASE_DIRECT_URL: address(
      "DATABASE_DIRECT_URL",
      ["postgres:", "postgresql:"],
      "postgresql://user:password@host:5432/lectern (PostgreSQL itself)",
    ),
    DATABASE_REPLICA_URL: address(
      "DATABASE_REPLICA_URL",
      ["postgres:", "postgresql:"],
      "postgresql://user:password@replica:5432/lectern",
    ),
    DATABASE_POOL: wholeNumber("DATABASE_POOL", 10, 4, 200),
    WORKERS: z
      .string()
      .default("1")
      .transform((text, context) => {
        const value = text === "auto" ? Math.min(availableParallelism(), 64) : Number(text);
        if (Number.isInteger(value) && value >= 1 && value <= 64) return value;
        context.addIssue(`WORKERS is "${text}". Set a whole number from 1 to 64, or auto for one per core.`);
        return z.NEVER;
      }),
    SMTP_URL: address("SMTP_URL", ["smtp:", "smtps:"], "smtps://user:password@mail.example.com:465").refine(
      (text) => text === undefined || isMailServer(text),
      {
        error:
          "SMTP_URL has no host, or its user or password is not percent-encoded. Write @ as %40, / as %2F, % as %25.",
      },
    ),
    MAIL_FROM: sender,
    UPLOAD_IMAGE_MB: wholeNumber("UPLOAD_IMAGE_MB", 10, 1, 100),
    UPLOAD_ATTACHMENT_MB: wholeNumber("UPLOAD_ATTACHMENT_MB", 50, 1, 1000),
    UPLOAD_QUOTA_MB: wholeNumber("UPLOAD_QUOTA_MB", 5_000, 1, 100_000_000),
    IMPORT_MB: wholeNumber("IMPORT_MB", 200, 1, 2_000),
    BACKUP_TO: z
      .string()
      .optional()
      .transform((text, context) => {
        try {
          return text && (inBucket(text) ?? resolve(text));
        } catch {
          context.addIssue("BACKUP_TO is not a valid bucket URL. Use one like s3://my-backups/lectern, or a folder.");
          return z.NEVER;
        }
      }),
    BACKUP_EVERY: wholeNumber("BACKUP_EVERY", 24, 1, 8_760),
    BACKUP_KEEP: wholeNumber("BACKUP_KEEP", 14, 1, 1_000),
    S3_ENDPOINT: address("S3_ENDPOINT", ["http:", "https:"], "https://s3.eu-central-1.amazonaws.com (without bucket)"),
    S3_BUCKET: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
        error: "S3_BUCKET is not a valid bucket name. Use 3 to 63 lowercase letters, digits, dots, and hyphens.",
      })
      .optional(),
    S3_REGION: z.string().min(1).default("us-east-1"),
    S3_KEY: z.string().min(1).optional(),
    S3_SECRET: z.string().min(1).optional(),
    AWS_ACCESS_KEY_ID: z.string().optional(),
    AWS_SECRET_ACCESS_KEY: z.string().optional(),
    AWS_REGION: z.string().default("us-east-1"),
    AWS_SESSION_TOKEN: z.string().optional(),
    AWS_ENDPOINT_URL: bucketStore("AWS_ENDPOINT_URL"),
    AWS_ENDPOINT_URL_S3: bucketStore("AWS_ENDPOINT_URL_S3"),
    AI_BASE_URL: address("AI_BASE_URL", ["http:", "https:"], "https://ai.example.com/v1 (without /embeddings)").refine(
      (text) => text === undefined || new URL(text).username + new URL(text).password === "",
      { error: "AI_BASE_URL contains a user or password. Remove them, and set AI_API_KEY instead." },
    ),
    AI_EMBEDDING_MODEL: z.string().min(1).optional(),
    AI_API_KEY: z.string().min(1).optional(),
    ...rateLimits,
    WORKSPACE_CREATION: z.enum(["on", "off"], { error: () => "WORKSPACE_CREATION must be on or off." }).optional(),
    JOBS: z.enum(["on", "off"], { error: () => "JOBS must be on or off." }).default("on"),
    QUICKSTART: z.string().optional(),
    SECURITY_CONTACT: contact,
    SLOW_QUERY_MS: wholeNumber("SLOW_QUERY_MS", 200, 0, 600_000),
    LOG_LEVEL: z.enum(logLevels, { error: () => `LOG_LEVEL must be one of ${logLevels.join(", ")}.` }).default("info"),
    METRICS_PORT: wholeNumber("METRICS_PORT", 0, 0, 65535),
    METRICS_HOST: z.string().min(1).default("127.0.0.1"),
    SESSION_IDLE_DAYS: wholeNumber("SESSION_IDLE_DAYS", 14, 1, 30),
    AUTH_SECRET: z.string().min(1).optional(),
    TRUST_PROXY: z.stringbool({ error: () => "TRUST_PROXY must be true or false." }).default(false),
  })
  .refine(({ PORT, METRICS_PORT }) => PORT !== METRICS_PORT, {
    path: ["METRICS_PORT"],
    error: "METRICS_PORT is the same as PORT, which is public. Choose another port for metrics.",
  })
  .refine((settings) => settings.DATABASE_URL || !settings.DATABASE_DIRECT_URL, {
    path: ["DATABASE_DIRECT_URL"],
    error: "DATABASE_DIRECT_URL is set, but DATABASE_URL is not. Set DATABASE_URL to the URL of the connection pooler.",
  })
  .refine((settings) => settings.DATABASE_URL || !settings.DATABASE_REPLICA_URL, {
    path: ["DATABASE_REPLICA_URL"],
    error:
      "DATABASE_REPLICA_URL is set, but DATABASE_URL is not. Set DATABASE_URL to the URL of the replica's primary.",
  })
  .refine((settings) => !settings.SMTP_URL || settings.MAIL_FROM, {
    path: ["MAIL_FROM"],
    error:
      "MAIL_FROM is not set, but SMTP_URL needs it. Set a sender that the mail server accepts, such as Lectern <lectern@example.com>.",
  })
  .superRefine((settings, context) => {
    const names = ["S3_ENDPOINT", "S3_BUCKET", "S3_KEY", "S3_SECRET"] as const;
    const absent = names.filter((name) => !settings[name]);
    if (absent.length === 0 || absent.length === names.length) return;
    const message = `${absent.join(", ")} not set, but other S3 settings are. Set all of ${names.join(", ")}, or none of them to keep files in DATA_DIR.`;
    context.addIssue({ code: "custom", path: [absent[0] as string], message });
  })
  .refine(
    ({ BACKUP_TO, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }) =>
      typeof BACKUP_TO !== "object" || (AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY),
    {
      path: ["BACKUP_TO"],
      error: "BACKUP_TO is a bucket, which needs credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
    },
  )
  .refine(({ BACKUP_TO, AWS_SESSION_TOKEN }) => typeof BACKUP_TO !== "object" || !AWS_SESSION_TOKEN, {
    path: ["AWS_SESSION_TOKEN"],
    error: "AWS_SESSION_TOKEN is set, but temporary credentials expire. Unset it, and use a key that doesn't expire.",
  })
  .refine((settings) => Boolean(settings.AI_BASE_URL) === Boolean(settings.AI_EMBEDDING_MODEL), {
    path: ["AI_EMBEDDING_MODEL"],
    error: "AI_EMBEDDING_MODEL and AI_BASE_URL must be set together. Set both, or neither to search by words only.",
  })
  .transform((settings) => ({
    nodeEnv: settings.NODE_ENV,
    port: settings.PORT,
    host: settings.HOST,
    baseUrl: (settings.BASE_URL ?? `http://localhost:${settings.PORT}`).replace(/\/+$/, ""),
    dataDir: resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL,
    /** For what needs a session of its own. Differs from `databaseUrl` if that is a connection pooler in transaction mode. */
    directUrl: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
    /** The setting that `directUrl` comes from. */
    directSetting:
      (settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL) === settings.DATABASE_URL
        ? "DATABASE_URL"
        : "DATABASE_DIRECT_URL",
    /** A streaming replica of that database, for reads that it answers as the primary would. */
    replicaUrl: settings.DATABASE_REPLICA_URL,
    databasePool: settings.DATABASE_POOL,
    /** The number of processes that serve the port (server/processes.ts). */
    processes: settings.NODE_ENV === "production" && settings.QUICKSTART === undefined ? settings.WORKERS : 1,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    /** Bytes per image, per other file, and per workspace. */
    uploads: {
      imageBytes: settings.UPLOAD_IMAGE_MB * 1_000_000,
      attachmentBytes: settings.UPLOAD_ATTACHMENT_MB * 1_000_000,
      quotaBytes: settings.UPLOAD_QUOTA_MB * 1_000_000,
    },
    importBytes: settings.IMPORT_MB * 1_000_000,
    /** The folder or bucket where the server keeps backups, every how many hours it makes one, and how many it keeps. */
    backups: settings.BACKUP_TO
      ? { to: settings.BACKUP_TO, hours: settings.BACKUP_EVERY, kept: settings.BACKUP_KEEP }
      : undefined,
    /** For buckets of backups. */
    aws: {
      endpoint: settings.AWS_ENDPOINT_URL_S3 ?? settings.AWS_ENDPOINT_URL,
      region: settings.AWS_REGION,
      key: settings.AWS_ACCESS_KEY_ID,
      secret: settings.AWS_SECRET_ACCESS_KEY,
    },
    s3:
      settings.S3_ENDPOINT && settings.S3_BUCKET && settings.S3_KEY && settings.S3_SECRET
        ? {
            endpoint: settings.S3_ENDPOINT,
            bucket: settings.S3_BUCKET,
            region: settings.S3_REGION,
            key: settings.S3_KEY,
            secret: settings.S3_SECRET,
          }
        : undefined,
    /** The server that turns texts into vectors (lib/search/embeddings.ts). */
    embeddings:
      settings.AI_BASE_URL && settings.AI_EMBEDDING_MODEL
        ? {
            url: `${settings.AI_BASE_URL.replace(/\/+$/, "")}/embeddings`,
            model: settings.AI_EMBEDDING_MODEL,
            key: settings.AI_API_KEY,
          }
        : undefined,
    /** In production, strangers can create workspaces only if the operator allows it. */
    workspaceCreation: settings.WORKSPACE_CREATION
      ? settings.WORKSPACE_CREATION === "on"
      : settings.NODE_ENV !== "production" || settings.QUICKSTART !== undefined,
    jobs: settings.JOBS === "on",
    /** Whether the workspace `demo` holds the product's manual. */
    quickstart: settings.QUICKSTART !== undefined,
    rateLimits: mapLimits((name) => settings[name]),
    /** The URL for reports of vulnerabilities. */
    securityContact: settings.SECURITY_CONTACT,
    /** Statements this slow are logged, in milliseconds; 0 logs none. */
    slowQueryMs: settings.SLOW_QUERY_MS,
    logLevel: settings.LOG_LEVEL,
    metrics: settings.METRICS_PORT === 0 ? undefined : { port: settings.METRICS_PORT, host: settings.METRICS_HOST },
    /** Days without a request after which a session ends. */
    sessionIdleDays: settings.SESSION_IDLE_DAYS,
    authSecret: settings.AUTH_SECRET,
    trustProxy: settings.TRUST_PROXY,
  }));

export type Env = z.output<typeof Settings>;

/** An empty variable counts as absent. @throws Error with one sentence per setting, each ending in its remedy */
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

/** Read on first use: server.ts and bin/ may complete `process.env` before. */
export function env(): Env {
  current ??= readEnv(process.env);
  return current;
}
