import { z } from "zod";
import { notFound } from "@/lib/api/errors";
import { readOperation, writeOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { readingOf } from "@/lib/db";
import { InvalidError } from "@/lib/errors";
import { cleanedFrom } from "@/lib/redirects/addresses";
import { changeRedirect, findRedirect, type Redirect, removeRedirect } from "@/lib/redirects/redirects";
import { aRedirect } from "../../_shapes/examples";
import { RedirectAnswer, RedirectDetails, redirectShape } from "../../_shapes/redirect";
import { RedirectTarget, requestedTarget } from "../../_shapes/redirect-target";
import { urlsOf } from "../../_shapes/urls";

const params = z.object({
  redirect_id: z.guid().meta({ description: "The redirect's ID.", examples: [aRedirect.id] }),
});

const getRedirect = readOperation({
  operationId: "getRedirect",
  tag: "Redirects",
  summary: "Get a redirect",
  description: "Returns one redirect.",
  returns: "The redirect.",
  example: { redirect: aRedirect },
  scope: "redirects",
  noStore: true,
  params,
  query: z.object({}),
  response: RedirectAnswer,
  async handle({ read, params, workspace }) {
    const redirect = await findRedirect(read, params.redirect_id);
    if (!redirect) throw notFound();
    return { redirect: redirectShape(redirect, urlsOf(workspace)) };
  },
});

const updateOperation = writeOperation({
  operationId: "updateRedirect",
  tag: "Redirects",
  summary: "Update a redirect",
  description:
    "Changes the destination of a redirect. To change the old path, delete the redirect and create a new one.",
  returns: "The redirect as it is now.",
  example: {
    redirect: { ...aRedirect, to: { path: "https://example.com/sign-in" }, to_url: "https://example.com/sign-in" },
  },
  invalid: { field: "to", code: "not_found", message: "This destination was deleted. Choose another one." },
  scope: "redirects",
  noStore: true,
  params,
  query: z.object({}),
  body: z
    .object({
      from: z.string({ error: "from must be text." }).meta({
        description: "The old path, which can't be changed. Another path is refused.",
        examples: [aRedirect.from],
      }),
      to: RedirectTarget.nullable().meta({
        description: "The destination. Null makes the old URL return 410.",
        examples: [{ path: "https://example.com/sign-in" }],
      }),
    })
    .partial()
    .meta({ id: "RedirectChanges", description: "The fields to change." }),
  ignored: RedirectDetails,
  response: RedirectAnswer,
  async handle({ db, params, body, workspace, actor, ifMatch }) {
    const urls = urlsOf(workspace);
    const answer = (redirect: Redirect) => ({ redirect: redirectShape(redirect, urls) });
    const agree = (before: Redirect) => {
      ifMatch(answer(before));
      if (body.from !== undefined) refuseOtherFrom(body.from, before, urls.home);
    };
    if (body.to !== undefined) {
      return answer(await changeRedirect(db, params.redirect_id, requestedTarget(body.to), urls.home, actor, agree));
    }
    const redirect = await findRedirect(readingOf(db), params.redirect_id);
    if (!redirect) throw notFound();
    agree(redirect);
    return answer(redirect);
  },
});

function refuseOtherFrom(sent: string, { fromPath }: Redirect, home: string): void {
  const cleaned = cleanedFrom(sent, home);
  if ("path" in cleaned && cleaned.path === fromPath) return;
  const message = "To change the old path, delete the redirect and create a new one.";
  throw new InvalidError([{ field: "from", code: "not_allowed", message }]);
}

const deleteRedirect = writeOperation({
  operationId: "deleteRedirect",
  tag: "Redirects",
  summary: "Delete a redirect",
  description:
    "Deletes a redirect. Its old URL then returns 404. Members can restore the redirect from the trash for 30 days.",
  returns: "The deleted redirect.",
  example: { deleted: aRedirect },
  scope: "redirects",
  noStore: true,
  params,
  query: z.object({}),
  response: z
    .object({ deleted: RedirectDetails.describe("The deleted redirect.") })
    .meta({ id: "DeletedRedirect", description: "A redirect that was deleted." }),
  async handle({ db, params, workspace, actor, ifMatch }) {
    const urls = urlsOf(workspace);
    const agree = (before: Redirect) => ifMatch({ redirect: redirectShape(before, urls) }, RedirectAnswer);
    return { deleted: redirectShape(await removeRedirect(db, params.redirect_id, actor, agree), urls) };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({
  GET: getRedirect,
  PATCH: updateOperation,
  DELETE: deleteRedirect,
});
