import { z } from "zod";
import { Pagination, Paging, paginationOf, windowOf } from "@/lib/api/input";
import { created, readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { addRedirect, listRedirects } from "@/lib/redirects/redirects";
import { aPage, aRedirect } from "../_shapes/examples";
import { RedirectAnswer, RedirectDetails, redirectShape } from "../_shapes/redirect";
import { RedirectTarget, requestedTarget } from "../_shapes/redirect-target";
import { SearchTerm } from "../_shapes/search-term";
import { urlsOf } from "../_shapes/urls";

const listOperation = readOperation({
  operationId: "listRedirects",
  tag: "Redirects",
  summary: "List redirects",
  description:
    "Lists the redirects of the knowledge base, newest first. The list includes automatic redirects and redirects to pages that visitors can't see.",
  returns: "One page of redirects.",
  example: { redirects: [aRedirect], pagination: aPage },
  scope: "redirects",
  noStore: true,
  params: z.object({}),
  query: Paging.extend({
    search_term: SearchTerm.optional().meta({
      description: "Only redirects with this text in the old path, or in the title, name, or URL of the destination.",
      examples: ["/help/"],
    }),
  }),
  response: z
    .object({ redirects: z.array(RedirectDetails).describe("The redirects of this page."), pagination: Pagination })
    .meta({ id: "RedirectList", description: "One page of redirects." }),
  async handle({ read, query, workspace }) {
    const urls = urlsOf(workspace);
    const { redirects, total } = await listRedirects(read, { search: query.search_term, ...windowOf(query) });
    return {
      redirects: redirects.map((redirect) => redirectShape(redirect, urls)),
      pagination: paginationOf(query, total),
    };
  },
});

const createOperation = writeOperation({
  operationId: "createRedirect",
  tag: "Redirects",
  summary: "Create a redirect",
  description:
    "Redirects an old path of the knowledge base to an article, a category, another path, or another site. If the destination is a former URL itself, the redirect points to the current URL. A redirect to an article or category keeps working when the slug changes.",
  returns: "The new redirect.",
  example: { redirect: aRedirect },
  invalid: {
    field: "from",
    code: "taken",
    message: "/help/billing already has a redirect. Edit that redirect instead.",
  },
  scope: "redirects",
  noStore: true,
  creates: "always",
  params: z.object({}),
  query: z.object({}),
  body: z
    .object({
      from: z.string({ error: "from must be text." }).meta({
        description:
          "The old path or full URL, without a query string or fragment. URLs of existing pages can't be redirected.",
        examples: ["/help/password"],
      }),
      to: RedirectTarget.nullable().meta({
        description: "The destination. Null makes the old URL return 410.",
        examples: [{ article_id: "c1a5f0b2-3d4e-4f60-8a9b-0c1d2e3f4a5b" }],
      }),
    })
    .meta({ id: "NewRedirect", description: "A new redirect." }),
  response: RedirectAnswer,
  async handle({ db, body, workspace, actor }) {
    const urls = urlsOf(workspace);
    const input = { from: body.from, to: requestedTarget(body.to) };
    const redirect = redirectShape(await addRedirect(db, input, urls.home, actor), urls);
    return created({ redirect }, `/redirects/${redirect.id}`);
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: listOperation, POST: createOperation });
