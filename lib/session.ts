import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { Actor } from "@/lib/audit/audit";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { currentRequest, outsideRequests } from "@/lib/http/request";
import { returnPath, signInPath } from "@/lib/http/return-path";
import { logSecurity } from "@/lib/log";
import type { Permission } from "@/lib/members/roles";
import { isConcerned, type TwoStepRule } from "@/lib/members/two-step-rule";
import { requestToken, type SessionToken } from "@/lib/session/token";
import { anyWorkspace, type PublicWorkspace, publicWorkspace, requestedSite } from "@/lib/site";
import { readAs, type Snapshot } from "@/lib/visibility";

export interface CurrentMember {
  id: string;
  sessionId: string;
  email: string;
  firstName: string;
  lastName: string;
  timeZone: string;
  pictureUploadId: string | null;
  role: string;
  permissions: Permission[];
  /** Whether the session began, and the member proved who they are, so recently that it proves who is at the keyboard. */
  isFresh: boolean;
  twoStep: {
    isOn: boolean;
    /** Whether the workspace requires it of this member. */
    isRequired: boolean;
  };
}

const SEEN_SECONDS = 5 * 60;
const FRESH_SECONDS = 15 * 60;

/** Includes members who must set up two-step verification first. */
export const signedInMember = cache(async (subdomain: string): Promise<CurrentMember | null> => {
  const workspace = await anyWorkspace(subdomain);
  const token = await requestToken();
  return token?.workspace === workspace.id ? memberOf(token) : null;
});

/** A member who must set up two-step verification first counts as signed out. */
export async function currentMember(subdomain: string): Promise<CurrentMember | null> {
  const member = await signedInMember(subdomain);
  return member && mustSetUp(member) ? null : member;
}

export const mustSetUp = ({ twoStep }: CurrentMember) => twoStep.isRequired && !twoStep.isOn;

/** @param options.isContent whether the answer depends only on the content, so that a replica may answer visitors */
export async function readAsVisitor<T>(
  workspace: PublicWorkspace,
  work: (snapshot: Snapshot) => Promise<T>,
  { isContent = false } = {},
): Promise<T> {
  const viewer = (await currentMember(workspace.subdomain)) ? "member" : "anyone";
  const since = isContent && viewer === "anyone" ? (currentRequest()?.since ?? undefined) : undefined;
  return readAs(workspace, viewer, work, (workspaceId, work) => readWorkspace(workspaceId, work, undefined, since));
}

/**
 * The member's door. Every action opens it too, because an action can be called without its page. Redirects to the sign-in
 * page or to the set-up of two-step verification, and answers 404 if a permission is missing.
 * @param find one page and one action are about a closed workspace
 */
export async function requireMember(
  permission: Permission | Permission[] = [],
  find = publicWorkspace,
): Promise<{ workspace: PublicWorkspace; member: CurrentMember; actor: Actor }> {
  const { workspace, member, actor } = await requireSignedIn(find);
  if (mustSetUp(member)) redirect(TWO_STEP_PATH);
  const needed = [permission].flat();
  if (!needed.every((one) => member.permissions.includes(one))) {
    logSecurity("access.refused", { workspace_id: workspace.id, member_id: member.id, needed: needed.join(" ") });
    notFound();
  }
  return { workspace, member, actor };
}

export const TWO_STEP_PATH = "/admin/two-step";

/** The door to setting up two-step verification, which also opens for a member who must do so first. */
export async function requireSignedIn(
  find = anyWorkspace,
): Promise<{ workspace: PublicWorkspace; member: CurrentMember; actor: Actor }> {
  const site = await requestedSite();
  if (site.kind !== "subdomain") notFound();
  const workspace = await find(site.subdomain);
  const member = (await signedInMember(workspace.subdomain)) ?? (await redirectToSignIn());
  return { workspace, member, actor: await actorOf(member) };
}

/** How the audit log names a member. */
export async function actorOf({ id, email }: CurrentMember): Promise<Actor> {
  return { kind: "member", id, name: email, ...(await requestOrigin()) };
}

export async function redirectToSignIn(): Promise<never> {
  redirect(signInPath(returnPath((await headers()).get("x-requested-path"))));
}

export async function requestOrigin(): Promise<Pick<Actor, "ip" | "requestId">> {
  return { ip: (await headers()).get("x-forwarded-for") ?? undefined, requestId: currentRequest()?.id };
}

/** Null if the member is gone or deactivated. */
async function memberOf(token: SessionToken): Promise<CurrentMember | null> {
  const [row] = await readWorkspace(token.workspace, (read) =>
    read<Omit<CurrentMember, "twoStep"> & { isDue: boolean; rule: TwoStepRule; hasTwoStep: boolean }>(
      `SELECT m.id, s.id AS "sessionId", m.email, m.first_name AS "firstName", m.last_name AS "lastName", m.time_zone AS "timeZone", m.picture_upload_id AS "pictureUploadId",
         r.name AS role, r.permissions, w.two_step_rule AS rule,
         EXISTS (SELECT FROM two_step t WHERE t.workspace_id = m.workspace_id AND t.id = m.id AND t.on_since IS NOT NULL) AS "hasTwoStep",
         s.created_at > now() - make_interval(secs => ${FRESH_SECONDS}) AND COALESCE(s.authenticated_at > now() - make_interval(secs => ${FRESH_SECONDS}), false) AS "isFresh", s.last_seen_at < now() - make_interval(secs => ${SEEN_SECONDS}) AS "isDue"
       FROM sessions s
       JOIN members m ON m.workspace_id = s.workspace_id AND m.id = s.member_id
       JOIN roles r ON r.workspace_id = m.workspace_id AND r.id = m.role_id
       JOIN workspaces w ON w.id = m.workspace_id
       WHERE s.workspace_id = $1 AND s.id = $2 AND s.expires_at > now() AND s.last_seen_at > now() - make_interval(days => $3)
         AND m.active`,
      [token.workspace, token.session, env().sessionIdleDays],
    ),
  );
  if (!row) return null;
  const { isDue, rule, hasTwoStep, ...member } = row;
  if (isDue) noteSeen(token);
  return { ...member, twoStep: { isOn: hasTwoStep, isRequired: isConcerned(rule, member.permissions) } };
}

/** Runs in the background. After a failure, the next click tries again. */
function noteSeen(token: SessionToken): void {
  const write = () =>
    inWorkspace(
      token.workspace,
      (db) => db.$executeRaw`
        UPDATE sessions SET last_seen_at = now()
        WHERE id = ${token.session}::uuid AND last_seen_at < now() - make_interval(secs => ${SEEN_SECONDS})`,
    );
  outsideRequests(() => void write().catch(() => undefined));
}
