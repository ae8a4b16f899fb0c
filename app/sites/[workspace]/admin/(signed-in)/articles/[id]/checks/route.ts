import { z } from "zod";
import { checkLinks, isTitleTaken } from "@/lib/articles/link-checks";
import { readWorkspace } from "@/lib/db";
import { UnavailableError } from "@/lib/errors";
import { currentMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { checkSnippets } from "@/lib/snippets/snippets";

// The checks of an article that need the database: targets of links, other articles' titles, and snippets.

/** The database refuses a NUL. */
const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => !value.includes("\0"));

const Input = z.object({
  title: text(1_000),
  links: z.array(z.object({ path: text(500).startsWith("/"), places: z.array(z.string().max(200)).max(20) })).max(200),
  // Editors that were opened before an upgrade send none.
  snippets: z.array(text(60)).max(200).default([]),
});

/** Checks the title, the links, and the snippets of an article. Changes nothing, but is no GET because a URL could not hold its input. */
export async function POST(
  request: Request,
  context: { params: Promise<{ workspace: string; id: string }> },
): Promise<Response> {
  const { workspace: subdomain, id } = await context.params;
  const workspace = await publicWorkspace(subdomain);
  const member = await currentMember(workspace.subdomain);
  if (!member) return answer(401, { error: "You've been signed out. Sign in again in another tab." });
  if (!member.permissions.includes("articles.write")) {
    return answer(403, { error: "Your role can't write articles. Ask an administrator for permission." });
  }
  const input = Input.safeParse(await request.json().catch(() => null));
  if (!input.success || !z.guid().safeParse(id).success) {
    return answer(422, { error: "Reload the page and try again." });
  }
  const { title, links, snippets } = input.data;
  try {
    return answer(
      200,
      await readWorkspace(workspace.id, async (read) => ({
        isTitleTaken: await isTitleTaken(read, id, title),
        links: await checkLinks(read, id, links),
        snippets: await checkSnippets(read, snippets),
      })),
    );
  } catch (error) {
    if (error instanceof UnavailableError)
      return answer(503, { error: "The database isn't responding. Try again in a moment." });
    throw error;
  }
}

function answer(status: number, body: object): Response {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store" } });
}
