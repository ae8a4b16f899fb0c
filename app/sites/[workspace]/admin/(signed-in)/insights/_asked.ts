import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/host";
import { type PeriodName, periodOf, type Span, spanOf } from "@/lib/insights/period";
import type { Permission } from "@/lib/roles";
import type { CurrentMember } from "@/lib/session";
import type { PublicWorkspace } from "@/lib/site";

/** What insights are asked about, and by whom. */
export interface Asked {
  period: PeriodName;
  /** Views are known by the day in UTC; everything else by the moment, and shown in the member's days. */
  utc: Span;
  local: Span;
  timeZone: string;
  now: Date;
  /** Of the workspace's own site. */
  origin: string;
  permissions: Permission[];
}

export function askedBy(
  workspace: PublicWorkspace,
  { timeZone, permissions }: CurrentMember,
  period: string | string[] | undefined,
): Asked {
  const now = new Date();
  const name = periodOf(period);
  return {
    period: name,
    utc: spanOf(name, "UTC", now),
    local: spanOf(name, timeZone, now),
    timeZone,
    now,
    origin: new URL(workspaceUrl(workspace.subdomain, env().baseUrl)).origin,
    permissions,
  };
}
