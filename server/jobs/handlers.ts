import { workBulkAction } from "@/lib/articles/bulk";
import { publishDue, publishScheduled } from "@/lib/articles/schedule";
import { updateSnippets } from "@/lib/articles/snippet-updates";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { cleanRuns } from "@/lib/import-export/clean-up";
import { enqueue } from "@/lib/jobs";
import { deletionScheduledMail } from "@/lib/mail/deletion-scheduled";
import { emailChangedMail } from "@/lib/mail/email-changed";
import { invitationMail } from "@/lib/mail/invitation";
import type { Deliver } from "@/lib/mail/mail";
import { emailConfirmationMail, passwordChangedMail, passwordResetMail, signInMail } from "@/lib/mail/member-link";
import {
  identityProviderChangedMail,
  keyCreatedMail,
  newSignInMail,
  passkeysChangedMail,
  twoStepChangedMail,
} from "@/lib/mail/security";
import { webhookOffMail } from "@/lib/mail/webhook-off";
import { workspacesMail } from "@/lib/mail/workspaces";
import { findInvitation, INVITATION_DAYS, invitationToken } from "@/lib/members/invitations";
import {
  EMAIL_CHANGE_MINUTES,
  emailChangeToken,
  findLink,
  LINK_MINUTES,
  makeLink,
  mayMailLink,
} from "@/lib/members/sign-in-links";
import { reindexArticlesOf } from "@/lib/search/reindex";
import { embedArticle } from "@/lib/search/vectors";
import { findSettings } from "@/lib/settings/settings";
import { purgeTrash } from "@/lib/trash/trash";
import { cleanUploads } from "@/lib/uploads/clean-up";
import { deliverWebhooks } from "@/lib/webhooks/deliver";
import { deleteWorkspace } from "@/lib/workspaces/deletion";
import { workspacesOf } from "@/lib/workspaces/whereabouts";
import { keepBackups } from "@/server/backup/scheduled";
import type { Handlers } from "@/server/jobs/worker";

/**
 * The work of each task in lib/jobs.ts. A job whose workspace is gone is done.
 * @param baseUrl scheme, base domain, and port of the installation
 */
export function jobHandlers({ deliver, baseUrl }: { deliver: Deliver; baseUrl: string }): Handlers {
  return {
    async email_changed({ id, workspaceId, payload }) {
      const workspace = await readWorkspace(workspaceId, findSettings);
      if (workspace) await deliver({ id, ...emailChangedMail(payload, workspace, baseUrl) });
    },
    async backup({ signal }) {
      await keepBackups(env(), signal);
    },

    async clean_uploads({ workspaceId }) {
      await cleanRuns(workspaceId);
      await cleanUploads(workspaceId);
    },

    async bulk_action({ workspaceId, payload, signal }) {
      await workBulkAction(workspaceId, payload.actionId, signal);
    },

    async transfer({ workspaceId, payload, signal }) {
      // Loaded here, because it loads every parser.
      const { workRun } = await import("@/server/jobs/import-export");
      await workRun(workspaceId, payload.transferId, signal);
    },

    async delete_workspace({ workspaceId }) {
      await deleteWorkspace(workspaceId);
    },

    async deletion_scheduled({ id, workspaceId, payload }) {
      const workspace = await readWorkspace(workspaceId, findSettings);
      if (workspace) await deliver({ id, ...deletionScheduledMail(payload, workspace, baseUrl) });
    },

    async invitation({ id, workspaceId, payload }) {
      const token = invitationToken(payload);
      const { workspace, invitation } = await readWorkspace(workspaceId, async (read) => ({
        workspace: await findSettings(read),
        invitation: await findInvitation(read, token),
      }));
      // Meanwhile it was accepted, revoked or sent again.
      if (!workspace || !invitation) return;
      const { email } = invitation;
      const details = { email, token, invitedBy: payload.invitedBy, days: INVITATION_DAYS };
      await deliver({ id, ...invitationMail(details, workspace, baseUrl) });
    },

    async publish_scheduled({ workspaceId, payload }) {
      await publishScheduled(workspaceId, payload);
    },

    async publish_due({ workspaceId, signal }) {
      await publishDue(workspaceId, signal);
    },

    async purge_trash({ workspaceId }) {
      await purgeTrash(workspaceId);
    },

    async embed_article({ workspaceId, payload, signal }) {
      await embedArticle(workspaceId, payload.articleId, signal);
    },

    async reindex_category({ workspaceId, payload }) {
      await reindexArticlesOf(workspaceId, payload.categoryId);
    },

    async update_snippets({ workspaceId, signal }) {
      await updateSnippets(workspaceId, signal);
    },

    async member_link({ id, workspaceId, payload }) {
      const workspace = await readWorkspace(workspaceId, findSettings);
      const link = workspace && (await inWorkspace(workspaceId, (db) => makeLink(db, payload)));
      if (!link || !(await mayMailLink(workspaceId, link.member.email))) return;
      const details = { ...link, minutes: LINK_MINUTES };
      const mail =
        payload.purpose === "sign_in"
          ? signInMail({ ...details, to: payload.to }, workspace, baseUrl)
          : passwordResetMail(details, workspace, baseUrl);
      await deliver({ id, ...mail });
    },

    async email_confirmation({ id, workspaceId, payload }) {
      const token = emailChangeToken(payload);
      const { workspace, link } = await readWorkspace(workspaceId, async (read) => ({
        workspace: await findSettings(read),
        link: await findLink(read, "email_change", token),
      }));
      if (!workspace || !link?.newEmail) return;
      const details = { member: link, newEmail: link.newEmail, token, minutes: EMAIL_CHANGE_MINUTES };
      await deliver({ id, ...emailConfirmationMail(details, workspace, baseUrl) });
    },

    async password_changed({ id, workspaceId, payload }) {
      const workspace = await readWorkspace(workspaceId, findSettings);
      if (workspace) await deliver({ id, ...passwordChangedMail(payload, workspace, baseUrl) });
    },

    async two_step_changed({ id, workspaceId, payload }) {
      const workspace = await readWorkspace(workspaceId, findSettings);
      if (workspace) await deliver({ id, ...twoStepChangedMail(payload, workspace) });
    },

    async passkeys_changed({ id, workspaceId, payload }) {
      const workspace = await readWorkspace(workspaceId, findSettings);
      if (workspace) await deliver({ id, ...passkeysChangedMail(payload, workspace) });
    },

    async new_sign_in({ id, workspaceId, payload }) {
      const workspace = await readWorkspace(workspaceId, findSettings);
      if (workspace) await deliver({ id, ...newSignInMail(payload, workspace) });
    },

    async key_created({ id, workspaceId, payload }) {
      const workspace = await readWorkspace(workspaceId, findSettings);
      if (workspace) await deliver({ id, ...keyCreatedMail(payload, workspace) });
    },

    async identity_provider_changed({ id, workspaceId, payload }) {
      const workspace = await readWorkspace(workspaceId, findSettings);
      if (workspace) await deliver({ id, ...identityProviderChangedMail(payload, workspace) });
    },

    async webhooks_stored({ workspaceId }) {
      await inWorkspace(workspaceId, (db) => enqueue(db, "deliver_webhooks", {}));
    },

    async deliver_webhooks({ workspaceId, signal }) {
      await deliverWebhooks(workspaceId, signal);
    },

    async webhook_off({ id, workspaceId, payload }) {
      const workspace = await readWorkspace(workspaceId, findSettings);
      if (workspace) await deliver({ id, ...webhookOffMail(payload, workspace) });
    },

    async workspaces_of_address({ id, payload: { address } }) {
      const workspaces = await workspacesOf(address);
      if (workspaces.length > 0) await deliver({ id, ...workspacesMail(address, workspaces, baseUrl) });
    },
  };
}
