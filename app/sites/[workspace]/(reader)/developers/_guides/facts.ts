/** The variable parts of the guides. */
export interface GuideFacts {
  subdomain: string;
  /** The workspace's URL, without a slash at the end. */
  base: string;
  /** Requests per minute; 0 when there is no limit. */
  limits: { key: number; search: number; write: number; failed: number };
}
