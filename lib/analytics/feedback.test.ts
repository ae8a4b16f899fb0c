import { expect, test } from "vitest";
import { Answer, findArticleToRate, giveFeedback } from "@/lib/analytics/feedback";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { readAs, type Viewer } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace, type TestWorkspace } from "@/testing/workspace";

const reader = { ip: "192.0.2.1", userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };
const no = { helpful: false, choice: null, reason: null };

async function aRead() {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  return { workspace, category, article: await anArticle(workspace, { category, slug: "guide", title: "Guide" }) };
}

const said = ({ id }: TestWorkspace) =>
  readWorkspace(id, (read) => read("SELECT helpful, choice, reason FROM feedback ORDER BY created_at, id"));
const findable = (workspace: TestWorkspace, slug: string, viewer: Viewer = "anyone") =>
  readAs(workspace, viewer, (snapshot) => findArticleToRate(snapshot, slug));

test("a reader says something once a day, and what was said last counts", async () => {
  const { workspace, article } = await aRead();
  const say = (answer: Partial<Answer>, now?: Date) =>
    giveFeedback(workspace.id, article.id, { ...no, ...answer }, reader, now);
  await say({});
  await say({ choice: "missing", reason: "Where is the price?" });
  await say({});
  expect(await said(workspace)).toEqual([{ helpful: false, choice: "missing", reason: "Where is the price?" }]);
  await say({ reason: "Found it." });
  expect(await said(workspace)).toEqual([{ helpful: false, choice: null, reason: "Found it." }]);
  await say({ helpful: true });
  expect(await said(workspace)).toEqual([{ helpful: true, choice: null, reason: null }]);
  await say({}, new Date(Date.now() + 24 * 60 * 60_000));
  await giveFeedback(workspace.id, article.id, no, { ...reader, ip: "192.0.2.2" });
  expect((await said(workspace)).map(({ helpful }: { helpful?: boolean }) => helpful)).toEqual([true, false, false]);
});

test("crawlers say nothing, nor does anybody where feedback is not wanted or the article not published", async () => {
  const { workspace, category, article } = await aRead();
  const draft = await anArticle(workspace, { category, state: "draft" });
  const other = await aRead();
  const wanted = (feedbackEnabled: boolean) =>
    inWorkspace(workspace.id, (db) => db.workspace.updateMany({ data: { feedbackEnabled } }));
  for (const userAgent of [null, "Googlebot/2.1"]) {
    expect(await giveFeedback(workspace.id, article.id, no, { ...reader, userAgent })).toBe(false);
  }
  await giveFeedback(workspace.id, draft.id, no, reader);
  await giveFeedback(workspace.id, other.article.id, no, reader);
  await wanted(false);
  await giveFeedback(workspace.id, article.id, no, reader);
  expect(await said(workspace)).toEqual([]);
  await wanted(true);
  expect(await giveFeedback(workspace.id, article.id, no, reader)).toBe(true);
  expect(await said(workspace)).toHaveLength(1);
  expect(await said(other.workspace)).toEqual([]);
});

test("only what a reader may see can be rated", async () => {
  const { workspace, category, article } = await aRead();
  await anArticle(workspace, { category, slug: "draft", state: "draft" });
  const closed = await aCategory(workspace);
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: closed.id }, data: { visibility: "members" } }),
  );
  const secret = await anArticle(workspace, { category: closed, slug: "secret", title: "Secret" });
  const other = await aRead();
  await anArticle(other.workspace, { category: other.category, slug: "elsewhere" });
  expect(await findable(workspace, "guide")).toEqual(article);
  expect(await findable(workspace, "secret", "member")).toEqual(secret);
  for (const slug of ["secret", "draft", "elsewhere", "nothing", "gui\0de\0", ""]) {
    expect([slug, await findable(workspace, slug)]).toEqual([slug, slug.includes("\0") ? article : null]);
  }
});

test("a form is taken as it is meant, and refused with a sentence", () => {
  expect(Answer.parse({ helpful: "yes" })).toEqual({ helpful: true, choice: null, reason: null });
  expect(Answer.parse({ helpful: "no", choice: "", reason: "  \r\n " })).toEqual(no);
  const long = "🎉".repeat(2_000);
  expect(Answer.parse({ helpful: "no", choice: "other", reason: ` ${long}\r\n` })).toEqual({
    ...{ helpful: false, choice: "other", reason: long },
  });
  expect(Answer.parse({ helpful: "no", reason: "a\0b\ud800\r\nc" }).reason).toBe("ab\nc");
  const problem = (answer: object) => Answer.safeParse(answer).error?.issues.map(({ message }) => message);
  expect(problem({})).toEqual(['Send "helpful" as "yes" or "no".']);
  expect(problem({ helpful: "no", choice: "never" })).toEqual([
    '"choice" must be one of missing, unclear, outdated, other, or absent.',
  ]);
  expect(problem({ helpful: "no", reason: `${long}x` })).toEqual(['"reason" can have up to 2,000 characters.']);
});

test("the longest reason that is taken can be kept", async () => {
  const { workspace, article } = await aRead();
  const answer = Answer.parse({ helpful: "no", reason: "🎉".repeat(2_000) });
  await giveFeedback(workspace.id, article.id, answer, reader);
  expect(await said(workspace)).toEqual([answer]);
});
