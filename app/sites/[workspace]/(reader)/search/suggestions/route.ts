import { publishedNav } from "@/lib/published-categories";
import { searchPublished } from "@/lib/published-search";
import { countOfReader } from "@/lib/reader-limits";
import { readAsVisitor } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";

const MOST = 8;
/** How many categories are offered where nothing is found. */
const FEW = 12;

/** `/search/suggestions?q=`: what is found for a text that is being typed. Nothing of it is remembered: see ../log. */
export async function GET(request: Request, context: { params: Promise<{ workspace: string }> }) {
  const workspace = await publicWorkspace((await context.params).workspace);
  const wait = await countOfReader("typing", workspace.id, request.headers.get("x-forwarded-for"));
  if (wait !== null) {
    return answer(
      { error: `Too many searches came from this address: go on in ${wait} seconds.` },
      { status: 429, headers: { "Retry-After": String(wait) } },
    );
  }
  const typed = new URL(request.url).searchParams.get("q") ?? "";
  const { found, categories } = await readAsVisitor(workspace, async (sight) => {
    const found = await searchPublished(sight, workspace.id, typed, { limit: MOST, offset: 0 });
    return { found, categories: found.total === 0 ? await publishedNav(sight) : [] };
  });
  return answer({
    results: found.articles.map(({ slug, title, titleHtml, excerptHtml, path }) => ({
      title,
      titleHtml,
      url: `/articles/${slug}`,
      excerptHtml,
      category: path.map(({ name }) => name).join(" › "),
    })),
    total: found.total,
    correctedTerm: found.correctedTerm,
    // Where else to look, when nothing was found.
    categories: categories.slice(0, FEW).map(({ slug, name }) => ({ name, url: `/categories/${slug}` })),
  });
}

function answer(body: object, { status = 200, headers = {} }: ResponseInit = {}): Response {
  return Response.json(body, { status, headers: { ...headers, "Cache-Control": "no-store" } });
}
