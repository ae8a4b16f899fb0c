import { Answer, findArticleToRate, giveFeedback } from "@/lib/analytics/feedback";
import { HttpError } from "@/lib/api/errors";
import { bytesOf } from "@/lib/api/input";
import { takeLimit } from "@/lib/counters";
import { tooManyRequests } from "@/lib/limits";
import { wordsFor } from "@/lib/reader/words";
import { say } from "@/lib/say";
import { readAsVisitor } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";

class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

interface Context {
  params: Promise<{ workspace: string; slug: string }>;
}

/** Takes the form of components/reader/feedback. Scripts get JSON, other browsers a redirect. */
export async function POST(request: Request, context: Context): Promise<Response> {
  const { workspace: subdomain, slug } = await context.params;
  const asJson = request.headers.get("accept")?.includes("application/json") ?? false;
  try {
    const answer = await keep(request, subdomain, slug);
    if (asJson) return Response.json({ helpful: answer.helpful }, { headers: { "Cache-Control": "no-store" } });
    const query = `helpful=${answer.helpful ? "yes" : "no"}${answer.reason || answer.choice ? "&reason=given" : ""}`;
    return new Response(null, { status: 303, headers: { Location: `/articles/${slug}/feedback?${query}` } });
  } catch (error) {
    if (!(error instanceof Refused || error instanceof HttpError)) throw error;
    const { status, message } = error;
    const headers = { ...error.headers, "Cache-Control": "no-store" };
    if (asJson) return Response.json({ error: message }, { status, headers });
    const type = { "Content-Type": "text/plain; charset=utf-8" };
    return new Response(`${message}\nGo back to change it.\n`, { status, headers: { ...headers, ...type } });
  }
}

async function keep(request: Request, subdomain: string, slug: string): Promise<Answer> {
  const workspace = await publicWorkspace(subdomain);
  const { feedback, language } = wordsFor(workspace.language);
  const client = { ip: request.headers.get("x-forwarded-for"), userAgent: request.headers.get("user-agent") };
  const network = client.ip;
  const refuseOver = (wait: number | null) => {
    if (wait === null) return;
    throw new Refused(429, say(language, feedback.tooMany, { count: wait }), tooManyRequests(wait).headers);
  };
  refuseOver(await takeLimit("feedback", { workspace: workspace.id, network }));
  refuseOver(await takeLimit("feedbackOnArticle", { workspace: workspace.id, article: slug, network }));
  const article = workspace.feedbackEnabled
    ? await readAsVisitor(workspace, (snapshot) => findArticleToRate(snapshot, slug))
    : null;
  if (!article) throw new Refused(404, "There is no article here that takes feedback.");
  const form = new URLSearchParams((await bytesOf(request)).toString("utf8"));
  const answer = Answer.safeParse(Object.fromEntries(form));
  if (!answer.success) throw new Refused(422, answer.error.issues.map(({ message }) => message).join(" "));
  if (!(await giveFeedback(workspace.id, article.id, answer.data, client))) {
    throw new Refused(403, feedback.unsaved);
  }
  return answer.data;
}
