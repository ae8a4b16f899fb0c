/** Data that requests refer to. The same world, seed and index give the same request. */
export interface World {
  /** The base domain and port, such as "localhost:3000". */
  domain: string;
  /** Workspaces whose keys are ours to use; the first holds nearly everything. */
  own: Workspace[];
  /** The workspace nothing of which may ever be seen. */
  rival: Rival;
  /** Addresses of the first workspace whose answers do not change, and their tags. */
  tags: { path: string; tag: string }[];
  /** Whether members may be changed. */
  writes: boolean;
  /** Whether a limit may be reached anywhere, so that 429 is always an answer. */
  hasLimits: boolean;
}

export interface Workspace {
  subdomain: string;
  /** Keys that are good; null where there is none. */
  keys: { read: string | null; readWrite: string | null };
  /** Keys that were good once. */
  formerKeys: string[];
  categoryIds: string[];
  /** Ids, slugs and permalinks. */
  articles: string[];
  memberIds: string[];
  emails: string[];
  roles: string[];
  /** Words that its articles hold. */
  words: string[];
}

export interface Rival {
  subdomain: string;
  /** In each of its texts, and nowhere else. */
  word: string;
  key: string | null;
  ids: { articles: string[]; categoryIds: string[]; memberIds: string[] };
}
