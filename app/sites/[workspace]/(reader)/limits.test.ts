import { expect, test } from "vitest";
import { takeLimit } from "@/lib/counters";
import { env } from "@/lib/env";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";
import { wantedWithinLimit } from "./_similar";
import { POST as feedback } from "./articles/[slug]/feedback/send/route";
import { GET as image } from "./og/articles/[file]/route";
import { POST as log } from "./search/log/route";
import { GET as suggestions } from "./search/suggestions/route";

const client = "2001:db8:1:2::1";
const neighbor = "2001:db8:1:2::ffff";
type Name = "suggestions" | "searchLog" | "feedback" | "socialImage";

/** Uses a limit up. */
async function useUp(name: Name, { id }: TestWorkspace, limit: number) {
  const waits = await Promise.all(
    Array.from({ length: limit }, () => takeLimit(name, { workspace: id, network: client })),
  );
  expect(new Set(waits)).toEqual(new Set([null]));
}

function ask(
  handler: (request: Request, context: any) => Promise<Response>,
  workspace: TestWorkspace,
  path: string,
  body?: object,
) {
  const init = {
    method: body ? "POST" : "GET",
    headers: { "x-forwarded-for": neighbor, "content-type": "application/json" },
  };
  const params = Promise.resolve({ workspace: workspace.subdomain, slug: "guide", file: path.split("/").at(-1) });
  return handler(
    new Request(`http://${workspace.subdomain}.localhost:3000${path}`, { ...init, body: body && JSON.stringify(body) }),
    { params },
  );
}

async function expectTooMany(answer: Response) {
  const seconds = Number(answer.headers.get("retry-after"));
  expect([answer.status, seconds >= 1 && seconds <= 60]).toEqual([429, true]);
  return answer.text();
}

test("a network over the limit learns when to retry, and other workspaces are not limited", async () => {
  const { RATE_LIMIT_TYPING: typing, RATE_LIMIT_FEEDBACK: answers, RATE_LIMIT_PICTURES: pictures } = env().rateLimits;
  const [workspace, other] = await Promise.all([aWorkspace(), aWorkspace()]);
  await anArticle(workspace, { category: await aCategory(workspace), slug: "guide" });
  await anArticle(workspace, { category: await aCategory(workspace), slug: "second" });

  // Drawing the first picture counts. Later requests for it are free.
  await useUp("socialImage", workspace, pictures - 1);
  expect((await ask(image, workspace, "/og/articles/guide.png")).status).toBe(200);
  const sentence = await expectTooMany(await ask(image, workspace, "/og/articles/second.png"));
  expect(sentence).toMatch(/^Too many requests\. Try again in \d+ seconds\.\n$/);
  expect((await ask(image, workspace, "/og/articles/guide.png")).status).toBe(200);

  await useUp("suggestions", workspace, typing);
  expect(JSON.parse(await expectTooMany(await ask(suggestions, workspace, "/search/suggestions?q=a")))).toEqual({
    error: expect.stringMatching(/^You’re searching too fast\. Try again in \d+ seconds\.$/),
  });
  // Log entries have a limit of their own.
  const said = { search: crypto.randomUUID(), text: "a", opened: "/articles/guide" };
  expect((await ask(log, workspace, "/search/log", said)).status).toBe(204);
  await useUp("searchLog", workspace, typing - 1);
  await expectTooMany(await ask(log, workspace, "/search/log", said));

  await useUp("feedback", workspace, answers);
  expect(await expectTooMany(await ask(feedback, workspace, "/articles/guide/feedback/send", {}))).toMatch(
    /^Too much feedback in a short time\. Try again in \d+ seconds\./,
  );
  for (const name of ["suggestions", "feedback", "socialImage"] as const)
    expect(await takeLimit(name, { workspace: other.id, network: client })).toBeNull();
});

test("feedback on one article is limited per network and day, whatever browsers it comes from", async () => {
  const workspace = await aWorkspace();
  for (let use = 0; use < 20; use++)
    expect(
      await takeLimit("feedbackOnArticle", { workspace: workspace.id, article: "guide", network: client }),
    ).toBeNull();
  const refused = await ask(feedback, workspace, "/articles/guide/feedback/send", {});
  expect([refused.status, Number(refused.headers.get("retry-after")) > 3_600]).toEqual([429, true]);
});

test("a network that tries too many unknown URLs gets no suggestions for a while, and can search", async () => {
  const { RATE_LIMIT_TYPING: most } = env().rateLimits;
  const workspace = await aWorkspace();
  const wanted = (path: string) => wantedWithinLimit(workspace, path, neighbor);
  await Promise.all(Array.from({ length: most + 5 }, () => wanted("/nothing/of-an-article")));
  const all = await Promise.all(Array.from({ length: most }, () => wanted("/articles/old-name")));
  expect(new Set(all)).toEqual(new Set(["old name"]));
  expect(await wanted("/articles/old-name")).toBeNull();
  expect(await takeLimit("resultPage", { workspace: workspace.id, network: neighbor })).toBeNull();
});
