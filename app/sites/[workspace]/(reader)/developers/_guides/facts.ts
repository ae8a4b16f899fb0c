import type { Reference } from "@/lib/reference/document";

/** What the guides say of this workspace, this installation and the document. */
export interface GuideFacts {
  subdomain: string;
  /** The workspace's address, without a slash at the end. */
  base: string;
  /** Requests a minute; 0 where a limit is turned off. */
  limits: { key: number; search: number; failed: number };
  statuses: Reference["statuses"];
  /** The paths of both versions, below each version's own address. */
  paths: { v1: string; v2: string }[];
}
