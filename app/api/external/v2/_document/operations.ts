import { GET as draft } from "@/app/api/external/v2/articles/[article_id]/draft/route";
import { POST as publish } from "@/app/api/external/v2/articles/[article_id]/publish/route";
import { POST as restore } from "@/app/api/external/v2/articles/[article_id]/restore/route";
import { GET as article } from "@/app/api/external/v2/articles/[article_id]/route";
import { POST as unpublish } from "@/app/api/external/v2/articles/[article_id]/unpublish/route";
import { POST as restoreVersion } from "@/app/api/external/v2/articles/[article_id]/versions/[number]/restore/route";
import { GET as version } from "@/app/api/external/v2/articles/[article_id]/versions/[number]/route";
import { GET as versions } from "@/app/api/external/v2/articles/[article_id]/versions/route";
import { POST as bulk } from "@/app/api/external/v2/articles/bulk/route";
import { PUT as byExternalId } from "@/app/api/external/v2/articles/by-external-id/[external_id]/route";
import { GET as articles } from "@/app/api/external/v2/articles/route";
import { GET as auditEntries } from "@/app/api/external/v2/audit-entries/route";
import { POST as mergeCategory } from "@/app/api/external/v2/categories/[category_id]/merge/route";
import { GET as category } from "@/app/api/external/v2/categories/[category_id]/route";
import { PUT as orderCategories } from "@/app/api/external/v2/categories/order/route";
import { GET as categories } from "@/app/api/external/v2/categories/route";
import { GET as changes } from "@/app/api/external/v2/changes/route";
import { GET as articleInsights } from "@/app/api/external/v2/insights/articles/route";
import { GET as feedbackInsights } from "@/app/api/external/v2/insights/feedback/route";
import { GET as searchInsights } from "@/app/api/external/v2/insights/searches/route";
import { POST as resendInvitation } from "@/app/api/external/v2/invitations/[invitation_id]/resend/route";
import { GET as invitation } from "@/app/api/external/v2/invitations/[invitation_id]/route";
import { GET as invitations } from "@/app/api/external/v2/invitations/route";
import { GET as me } from "@/app/api/external/v2/me/route";
import { GET as redirect } from "@/app/api/external/v2/redirects/[redirect_id]/route";
import { POST as redirectsBulk } from "@/app/api/external/v2/redirects/bulk/route";
import { GET as redirects } from "@/app/api/external/v2/redirects/route";
import { GET as search } from "@/app/api/external/v2/search/route";
import { GET as setting } from "@/app/api/external/v2/setting/route";
import { GET as synonym } from "@/app/api/external/v2/synonyms/[synonym_id]/route";
import { GET as synonyms } from "@/app/api/external/v2/synonyms/route";
import { POST as mergeTag } from "@/app/api/external/v2/tags/[tag_id]/merge/route";
import { GET as tag } from "@/app/api/external/v2/tags/[tag_id]/route";
import { GET as tags } from "@/app/api/external/v2/tags/route";
import { GET as teamMember } from "@/app/api/external/v2/team-members/[team_member_id]/route";
import { GET as teamMembers } from "@/app/api/external/v2/team-members/route";
import { POST as uploads } from "@/app/api/external/v2/uploads/route";
import { POST as resendDelivery } from "@/app/api/external/v2/webhooks/[webhook_id]/deliveries/[delivery_id]/resend/route";
import { GET as deliveries } from "@/app/api/external/v2/webhooks/[webhook_id]/deliveries/route";
import { POST as rotateSecret } from "@/app/api/external/v2/webhooks/[webhook_id]/rotate-secret/route";
import { GET as webhook } from "@/app/api/external/v2/webhooks/[webhook_id]/route";
import { POST as testWebhook } from "@/app/api/external/v2/webhooks/[webhook_id]/test/route";
import { GET as webhooks } from "@/app/api/external/v2/webhooks/route";

/** In the order of the reference. */
export const paths = {
  "/categories": categories,
  "/categories/{category_id}": category,
  "/categories/{category_id}/merge": mergeCategory,
  "/categories/order": orderCategories,
  "/articles": articles,
  "/articles/{article_id}": article,
  "/articles/{article_id}/publish": publish,
  "/articles/{article_id}/unpublish": unpublish,
  "/articles/{article_id}/restore": restore,
  "/articles/{article_id}/draft": draft,
  "/articles/{article_id}/versions": versions,
  "/articles/{article_id}/versions/{number}": version,
  "/articles/{article_id}/versions/{number}/restore": restoreVersion,
  "/articles/by-external-id/{external_id}": byExternalId,
  "/articles/bulk": bulk,
  "/uploads": uploads,
  "/changes": changes,
  "/tags": tags,
  "/tags/{tag_id}": tag,
  "/tags/{tag_id}/merge": mergeTag,
  "/search": search,
  "/redirects": redirects,
  "/redirects/{redirect_id}": redirect,
  "/redirects/bulk": redirectsBulk,
  "/synonyms": synonyms,
  "/synonyms/{synonym_id}": synonym,
  "/webhooks": webhooks,
  "/webhooks/{webhook_id}": webhook,
  "/webhooks/{webhook_id}/rotate-secret": rotateSecret,
  "/webhooks/{webhook_id}/test": testWebhook,
  "/webhooks/{webhook_id}/deliveries": deliveries,
  "/webhooks/{webhook_id}/deliveries/{delivery_id}/resend": resendDelivery,
  "/team-members": teamMembers,
  "/team-members/{team_member_id}": teamMember,
  "/invitations": invitations,
  "/invitations/{invitation_id}": invitation,
  "/invitations/{invitation_id}/resend": resendInvitation,
  "/insights/articles": articleInsights,
  "/insights/searches": searchInsights,
  "/insights/feedback": feedbackInsights,
  "/audit-entries": auditEntries,
  "/setting": setting,
  "/me": me,
};
