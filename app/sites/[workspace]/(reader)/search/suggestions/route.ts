import { takeLimit } from "@/lib/counters";
import { tooManyRequests } from "@/lib/limits";
import { publishedNav } from "@/lib/reader/published-categories";
import { searchPublished } from "@/lib/reader/published-search";
import { readAsVisitor } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";

const MAX_RESULTS = 8;
const MAX_CATEGORIES = 12;

/** `/search/suggestions?q=`: results while typing. ../log logs searches. */
export async function GET(request: Request, context: { params: Promise<{ workspace: string }> }) {
  const workspace = await publicWorkspace((await context.params).workspace);
  const wait = await takeLimit("suggestions", {
    workspace: workspace.id,
    network: request.headers.get("x-forwarded-for"),
  });
  if (wait !== null) {
    const error = `Too many searches from your IP address. Try again in ${wait} seconds.`;
    return answer({ error }, tooManyRequests(wait));
  }
  const typed = new URL(request.url).searchParams.get("q") ?? "";
  const { found, categories } = await readAsVisitor(workspace, async (snapshot) => {
    const found = await searchPublished(snapshot, workspace.id, typed, { limit: MAX_RESULTS, offset: 0 });
    return { found, categories: found.total === 0 ? await publishedNav(snapshot) : [] };
  });
  return answer({
    results: found.articles.map(({ title, titleHtml, sectionHtml, url, excerptHtml, path }) => ({
      title,
      titleHtml,
      sectionHtml,
      url,
      excerptHtml,
      category: path.map(({ name }) => name).join(" › "),
    })),
    total: found.total,
    correctedTerm: found.correctedTerm,
    categories: categories.slice(0, MAX_CATEGORIES).map(({ slug, name }) => ({ name, url: `/categories/${slug}` })),
  });
}

function answer(body: object, { status = 200, headers = {} }: ResponseInit = {}): Response {
  return Response.json(body, { status, headers: { ...headers, "Cache-Control": "no-store" } });
}
