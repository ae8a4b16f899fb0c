import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";
import { type PeriodName, periodOf, type Span, spanOf } from "@/lib/insights/period";
import type { Permission } from "@/lib/members/roles";
import type { CurrentMember } from "@/lib/session";
import type { PublicWorkspace } from "@/lib/site";

/** The period and the member that insights are for. */
export interface InsightRequest {
  period: PeriodName;
  /** Views are counted by the day in UTC. Everything else uses the member's time zone. */
  utc: Span;
  local: Span;
  timeZone: string;
  now: Date;
  /** The origin of the workspace's own site. */
  origin: string;
  permissions: Permission[];
}

export function insightRequest(
  workspace: PublicWorkspace,
  { timeZone, permissions }: CurrentMember,
  period: string | string[] | undefined,
): InsightRequest {
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
