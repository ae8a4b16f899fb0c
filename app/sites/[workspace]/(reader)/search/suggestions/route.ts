import { takeLimit } from "@/lib/counters";
import { tooManyRequests } from "@/lib/limits";
import { popularArticles, publishedNav } from "@/lib/reader/published-categories";
import { searchPublished } from "@/lib/reader/published-search";
import { wordsFor } from "@/lib/reader/words";
import { say } from "@/lib/say";
import { readAsVisitor } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import type { Snapshot } from "@/lib/visibility";

const MAX_RESULTS = 8;
const MAX_CATEGORIES = 12;
const MAX_FIRST = 6;

/** `/search/suggestions?q=`: results while typing, and where to begin without a text. ../log logs searches. */
export async function GET(request: Request, context: { params: Promise<{ workspace: string }> }) {
  const workspace = await publicWorkspace((await context.params).workspace);
  const wait = await takeLimit("suggestions", {
    workspace: workspace.id,
    network: request.headers.get("x-forwarded-for"),
  });
  if (wait !== null) {
    const { language, search } = wordsFor(workspace.language);
    return answer({ error: say(language, search.tooFast, { count: wait }) }, tooManyRequests(wait));
  }
  const typed = new URL(request.url).searchParams.get("q") ?? "";
  if (typed.trim() === "") {
    const start = await readAsVisitor(workspace, async (snapshot) => ({
      popular: await popularArticles(snapshot, MAX_FIRST),
      categories: (await publishedNav(snapshot)).slice(0, MAX_FIRST),
    }));
    return answer({
      popular: start.popular.map(({ title, slug }) => ({ name: title, url: `/articles/${slug}` })),
      categories: start.categories.map(linkTo),
    });
  }
  const find = async (snapshot: Snapshot) => {
    const found = await searchPublished(snapshot, workspace.id, typed, { limit: MAX_RESULTS, offset: 0 });
    return { found, categories: found.total === 0 ? await publishedNav(snapshot) : [] };
  };
  const { found, categories } = await readAsVisitor(workspace, find, { isContent: true });
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
    categories: categories.slice(0, MAX_CATEGORIES).map(linkTo),
  });
}

function linkTo({ slug, name }: { slug: string; name: string }) {
  return { name, url: `/categories/${slug}` };
}

function answer(body: object, { status = 200, headers = {} }: ResponseInit = {}): Response {
  return Response.json(body, { status, headers: { ...headers, "Cache-Control": "no-store" } });
}
