const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** 0 turns off the limits that name the setting. */
export const limitSettings = {
  RATE_LIMIT_KEY: 600,
  RATE_LIMIT_SEARCH: 120,
  RATE_LIMIT_WRITE: 120,
  RATE_LIMIT_FAILED: 30,
  RATE_LIMIT_TYPING: 240,
  RATE_LIMIT_PAGES: 600,
  RATE_LIMIT_FEEDBACK: 30,
  RATE_LIMIT_PICTURES: 60,
  RATE_LIMIT_WORKSPACES: 10,
  RATE_LIMIT_UPLOADS: 60,
  RATE_LIMIT_INVITATIONS: 2_000,
};

export type LimitSetting = keyof typeof limitSettings;

/** A client counts by its network, and an email by its hash. */
export type SubjectPart = "key" | "workspace" | "member" | "network" | "email" | "article";

export interface RateLimit {
  per: readonly SubjectPart[];
  most: number | LimitSetting;
  seconds: number;
  /** A setting that turns the limit off when it is 0. */
  offWith?: LimitSetting;
}

const perReader = { per: ["workspace", "network"], seconds: MINUTE } as const;
const perMember = { per: ["workspace", "member"], seconds: MINUTE } as const;

/** A use counts against all entries of its name (lib/counters.ts). */
export const rateLimits = {
  // The external API (contract 55). `RateLimit-Policy` shows the names "key", "search" and "write".
  key: [{ per: ["key"], most: "RATE_LIMIT_KEY", seconds: MINUTE }],
  search: [{ per: ["key"], most: "RATE_LIMIT_SEARCH", seconds: MINUTE }],
  write: [{ per: ["key"], most: "RATE_LIMIT_WRITE", seconds: MINUTE }],
  invalidKey: [{ per: ["network"], most: "RATE_LIMIT_FAILED", seconds: MINUTE }],

  // Pages that are rendered for the request. Kept pages are free.
  page: [{ ...perReader, most: "RATE_LIMIT_PAGES" }],
  suggestions: [{ ...perReader, most: "RATE_LIMIT_TYPING" }],
  resultPage: [{ ...perReader, most: "RATE_LIMIT_TYPING" }],
  // Counts apart from searches, so that broken links of a site use up nobody's searches.
  similarPages: [{ ...perReader, most: "RATE_LIMIT_TYPING" }],
  searchLog: [{ ...perReader, most: "RATE_LIMIT_TYPING" }],
  feedback: [{ ...perReader, most: "RATE_LIMIT_FEEDBACK" }],
  // A reader is identified by network and browser, and a script can claim to be any browser.
  feedbackOnArticle: [
    { per: ["workspace", "article", "network"], most: 20, seconds: DAY, offWith: "RATE_LIMIT_FEEDBACK" },
  ],
  // Drawing one takes a tenth of a second.
  socialImage: [{ ...perReader, most: "RATE_LIMIT_PICTURES" }],

  palette: [{ ...perMember, most: "RATE_LIMIT_TYPING" }],
  download: [{ ...perMember, most: 30 }],
  // Autosave sends 40 a minute at most.
  save: [{ ...perMember, most: 120 }],
  upload: [{ ...perMember, most: "RATE_LIMIT_UPLOADS" }],

  changeSubdomain: [{ per: ["workspace"], most: 10, seconds: DAY }],
  // Each invited email counts.
  invite: [
    { per: ["workspace"], most: 1_000, seconds: DAY, offWith: "RATE_LIMIT_INVITATIONS" },
    { per: ["network"], most: 1_000, seconds: DAY, offWith: "RATE_LIMIT_INVITATIONS" },
  ],
  // Counted separately, so that someone over the limits above doesn't use up everyone's invitations.
  inviteAnywhere: [{ per: [], most: "RATE_LIMIT_INVITATIONS", seconds: DAY }],
  // Strangers can request links: these count apart from mails that members send, so they cannot block an invitation.
  linkMail: [
    { per: ["email"], most: 12, seconds: HOUR },
    { per: ["workspace", "email"], most: 4, seconds: 15 * MINUTE },
    { per: ["workspace", "network"], most: 60, seconds: HOUR },
  ],
  // Sign-in links to emails that nobody confirmed. They count as inviteAnywhere too.
  unconfirmedMail: [{ per: ["workspace"], most: 100, seconds: DAY, offWith: "RATE_LIMIT_INVITATIONS" }],
  // Invitations sent again, and notices of a changed email: both go to an address that a member typed.
  memberMail: [
    { per: ["workspace", "email"], most: 4, seconds: 15 * MINUTE },
    { per: ["workspace", "network"], most: 60, seconds: HOUR },
    { per: ["workspace"], most: 200, seconds: DAY },
  ],

  // A sign-in through an identity provider. Each step waits for the provider for up to ten seconds. A network over its limit uses up
  // nothing of the workspace's, and strangers who start sign-ins don't keep anyone from finishing one.
  providerStart: [{ per: ["workspace", "network"], most: 120, seconds: MINUTE }],
  providerStarts: [{ per: ["workspace"], most: 600, seconds: MINUTE }],
  providerAnswer: [{ per: ["workspace", "network"], most: 120, seconds: MINUTE }],
  providerAnswers: [{ per: ["workspace"], most: 600, seconds: MINUTE }],
  joinByProvider: [{ per: ["workspace"], most: 1_000, seconds: DAY, offWith: "RATE_LIMIT_INVITATIONS" }],
  testIdentityProvider: [{ per: ["workspace"], most: 60, seconds: HOUR }],

  checkSubdomain: [{ per: ["network"], most: "RATE_LIMIT_TYPING", seconds: MINUTE }],
  createWorkspace: [{ per: ["network"], most: "RATE_LIMIT_WORKSPACES", seconds: HOUR }],
  findWorkspaces: [{ per: ["network"], most: "RATE_LIMIT_WORKSPACES", seconds: HOUR }],
  findWorkspacesMail: [{ per: ["email"], most: 3, seconds: HOUR, offWith: "RATE_LIMIT_WORKSPACES" }],
} as const satisfies Record<string, readonly RateLimit[]>;

export type LimitName = keyof typeof rateLimits;

/** Limits of one text, name or list stand with its fields. */
export const workspaceLimits = {
  /** Every page reads and draws the whole tree. */
  categories: 10_000,
  /** Contract 48. */
  categoryLevels: 6,
  /** Every search reads them all. */
  synonyms: 1_000,
  /** The editor loads all their names. */
  snippets: 500,
  searchesWithPins: 1_000,
  roles: 100,
  webhookEndpoints: 20,
  invitationsAtOnce: 200,
  /** Bounds the names that a workspace can reserve by changing its subdomain again and again. */
  formerSubdomains: 20,
};

export function tooManyRequests(seconds: number): { status: 429; headers: { "Retry-After": string } } {
  return { status: 429, headers: { "Retry-After": String(seconds) } };
}
