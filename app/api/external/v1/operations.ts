import { GET as article } from "./articles/[article_id]/route";
import { GET as articles } from "./articles/route";
import { GET as categories } from "./categories/route";
import { GET as me } from "./me/route";
import { GET as search } from "./search/route";
import { GET as setting } from "./setting/route";
import { GET as teamMember } from "./team_members/[team_member_id]/route";
import { GET as teamMembers } from "./team_members/route";

/** Every path of the version, in the order of its reference. */
export const paths = {
  "/categories": categories,
  "/articles": articles,
  "/articles/{article_id}": article,
  "/search": search,
  "/team_members": teamMembers,
  "/team_members/{team_member_id}": teamMember,
  "/setting": setting,
  "/me": me,
};
