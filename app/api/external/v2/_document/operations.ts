import { GET as article } from "@/app/api/external/v2/articles/[article_id]/route";
import { GET as articles } from "@/app/api/external/v2/articles/route";
import { GET as categories } from "@/app/api/external/v2/categories/route";
import { GET as changes } from "@/app/api/external/v2/changes/route";
import { GET as me } from "@/app/api/external/v2/me/route";
import { GET as search } from "@/app/api/external/v2/search/route";
import { GET as setting } from "@/app/api/external/v2/setting/route";
import { GET as teamMember } from "@/app/api/external/v2/team-members/[team_member_id]/route";
import { GET as teamMembers } from "@/app/api/external/v2/team-members/route";

/** In the order of the reference. */
export const paths = {
  "/categories": categories,
  "/articles": articles,
  "/articles/{article_id}": article,
  "/changes": changes,
  "/search": search,
  "/team-members": teamMembers,
  "/team-members/{team_member_id}": teamMember,
  "/setting": setting,
  "/me": me,
};
