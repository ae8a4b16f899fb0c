/** Data that requests refer to. The same world, seed and index give the same request. */
export interface World {
  /** The base domain and port, such as "localhost:3000". */
  domain: string;
  /** Workspaces whose keys we may use. The first contains nearly everything. */
  own: Workspace[];
  /** The workspace whose articles and webhooks are written, so that the answers of the others stay known. Null where nothing may be written. */
  written: Workspace | null;
  /** The workspace that must never leak. */
  rival: Rival;
  /** Paths of the first workspace with stable answers, and their tags. */
  tags: { path: string; tag: string }[];
  /** Whether members may be changed. */
  writes: boolean;
  /** Whether limits apply anywhere, so that 429 is always a valid answer. */
  hasLimits: boolean;
}

export interface Workspace {
  subdomain: string;
  /** Valid keys. Null where there is none. */
  keys: { read: string | null; readWrite: string | null };
  /** Formerly valid keys. */
  formerKeys: string[];
  categoryIds: string[];
  /** Ids, slugs and permalinks. */
  articles: string[];
  memberIds: string[];
  emails: string[];
  roles: string[];
  /** Words that its articles contain. */
  words: string[];
}

export interface Rival {
  subdomain: string;
  /** A word in each of its texts, and nowhere else. */
  word: string;
  key: string | null;
  ids: { articles: string[]; categoryIds: string[]; memberIds: string[] };
}
