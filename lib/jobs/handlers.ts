import { readWorkspace } from "@/lib/db";
import type { Handlers } from "@/lib/jobs/worker";
import type { Deliver } from "@/lib/mail";
import { emailChangedMail } from "@/lib/mail/email-changed";
import { findSettings } from "@/lib/settings";

/**
 * What is done for each task of lib/jobs.ts. A job of a workspace that is gone is done: nobody waits for it.
 * @param baseUrl scheme, base domain and port of the installation
 */
export function jobHandlers({ deliver, baseUrl }: { deliver: Deliver; baseUrl: string }): Handlers {
  return {
    async email_changed({ id, workspaceId, payload }) {
      const workspace = await readWorkspace(workspaceId, findSettings);
      if (workspace) await deliver({ id, ...emailChangedMail(payload, workspace, baseUrl) });
    },
  };
}
