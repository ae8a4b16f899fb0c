import { expect, test } from "vitest";
import { inWorkspace } from "@/lib/db";
import { aWriter, saveAsMember } from "@/testing/articles";
import { aCategory, anArticle } from "@/testing/workspace";

const fieldsOf = ({ status, body }: { status: number; body: any }) => [
  status,
  ...(body.details ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
];

test("POST creates a draft and returns its URL, and GET has everything that was sent", async () => {
  const { workspace, create, get, draft } = await aWriter();
  const made = await create({
    title: "Refunds",
    html_content: "<h2>Ask</h2><p>Us.</p><script>1</script><script>2</script><svg></svg>",
    tags: ["Money"],
    keywords: ["cash"],
    page_title: "Money back",
    meta_description: "How to get money back.",
    show_table_of_contents: false,
    external_id: "docs/refunds.md",
  });
  expect(made.status).toBe(201);
  const { article, ...rest } = made.body;
  expect(made.headers.get("location")).toMatch(new RegExp(`/api/external/v2/articles/${article.id}$`));
  expect(article).toMatchObject({
    title: "Refunds",
    slug: "refunds",
    state: "draft",
    html_content: '<h2 id="ask">Ask</h2>\n<p>Us.</p>',
    tags: [{ name: "Money" }],
    keywords: ["cash"],
    author: { name: "Ada Admin" },
    category: { name: "Guides" },
    show_table_of_contents: false,
  });
  expect(rest).toMatchObject({
    meta: { page_title: "Money back", meta_description: "How to get money back." },
    revision: 1,
    has_draft: true,
    external_id: "docs/refunds.md",
    changed: true,
    warnings: [
      { code: "element_removed", message: "2 script elements were removed." },
      { code: "element_removed", message: "A svg element was removed." },
    ],
  });
  expect((await get(article.id)).body.article.html_content).toBe(article.html_content);
  expect(await draft(article.id)).toMatchObject({ draft: { changed_by: "API key “Website sync”" }, has_draft: true });
  const versions = await inWorkspace(workspace.id, (db) => db.articleVersion.findMany());
  expect(versions).toMatchObject([{ kind: "autosave", createdVia: "api", createdBy: null }]);
});

test("Markdown becomes the same article, and own image URLs are stored without the host", async () => {
  const { workspace, create, update, get } = await aWriter();
  const { body } = await create({
    title: "Refunds",
    markdown_content: "## Ask\n\nUs: ![](/uploads/5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d)",
    state: "published",
  });
  const { article } = (await get(body.article.id)).body;
  expect(article.html_content).toContain(`src="http://${workspace.subdomain}.`);
  const again = await update(article.id, { html_content: article.html_content, publish: true });
  expect(again.body).toMatchObject({ changed: false, revision: body.revision });
});

test("a refused request names every invalid field", async () => {
  const { create, update, put } = await aWriter();
  expect(fieldsOf(await create({ title: " ", html_content: 1, tags: "Money" }))).toEqual([
    422,
    "title required",
    "html_content invalid",
    "tags invalid",
  ]);
  expect(fieldsOf(await create({ title: "A" }))).toEqual([422, "html_content required"]);
  expect(fieldsOf(await create({ title: "A", html_content: "", markdown_content: "" }))).toEqual([
    422,
    "markdown_content not_allowed",
  ]);
  const text = { title: "A", html_content: "<p>A</p>" };
  const none = { category_id: undefined };
  expect(fieldsOf(await create({ ...text, ...none }))).toEqual([422, "category_id required"]);
  expect(fieldsOf(await create({ ...text, category_path: ["B"] }))).toEqual([422, "category_path not_allowed"]);
  expect(fieldsOf(await create({ ...text, ...none, category_path: ["B"] }))).toEqual([422, "category_path not_found"]);
  const unknown = "5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d";
  expect(fieldsOf(await create({ ...text, category_id: unknown }))).toEqual([422, "category_id not_found"]);
  expect(fieldsOf(await create({ ...text, related_article_ids: [unknown] }))).toEqual([
    422,
    "related_article_ids not_found",
  ]);
  expect(fieldsOf(await create({ ...text, author_email: "nobody@example.com" }))).toEqual([
    422,
    "author_email not_found",
  ]);
  expect(fieldsOf(await create({ ...text, title: "A".repeat(301) }))).toEqual([422, "title too_long"]);
  expect(fieldsOf(await create({ ...text, slug: "!" }))).toEqual([422, "slug invalid"]);
  expect(fieldsOf(await create({ ...text, html_content: "", state: "published" }))).toEqual([
    422,
    "html_content required",
  ]);
  expect(fieldsOf(await create({ ...text, publish_at: "2020-01-01T00:00:00Z" }))).toEqual([422, "publish_at invalid"]);
  const both = { ...text, publish: true, publish_at: "2099-01-01T00:00:00Z" };
  for (const html_content of ["<p>New.</p>", "<p>Live.</p>"]) {
    expect(fieldsOf(await put("both", { ...both, html_content }))).toEqual([422, "publish_at not_allowed"]);
    await put("both", { ...text, html_content: "<p>Live.</p>", publish: true });
  }
  await create({ ...text, slug: "taken", external_id: "taken" });
  expect(fieldsOf(await create({ ...text, slug: "taken" }))).toEqual([422, "slug taken"]);
  expect(fieldsOf(await create({ ...text, external_id: "taken" }))).toEqual([422, "external_id taken"]);
  const { body } = await create({ ...text, title: "B" });
  expect(fieldsOf(await update(body.article.id, { external_id: "taken" }))).toEqual([422, "external_id taken"]);
  expect(fieldsOf(await put("x", { title: "C" }))).toEqual([422, "html_content required"]);
  for (const publish of [false, true]) {
    expect(fieldsOf(await put("x", { title: "C", publish, ...none }))).toEqual([
      422,
      "html_content required",
      "category_id required",
    ]);
  }
});

test("a field that a request doesn't have is refused, with the field that was meant", async () => {
  const { create, update, put } = await aWriter();
  const text = { title: "A", html_content: "<p>A</p>" };
  const said = async (answer: Promise<{ status: number; body: any }>) => {
    const { status, body } = await answer;
    return [status, body.details?.[0]?.field, body.error];
  };
  const { id } = (await create(text)).body.article;
  const refusals = [
    await said(create({ ...text, publish: true })),
    await said(update(id, { state: "published" })),
    await said(put("a", { ...text, state: "published" })),
    await said(update(id, { markdown_contnet: "A" })),
    await said(update(id, { workspace: "x" })),
  ];
  expect(refusals).toEqual([
    [422, "publish", "publish is not a field of this request. Did you mean state?"],
    [422, "state", "state is not a field of this request. Did you mean publish?"],
    [422, "state", "state is not a field of this request. Did you mean publish?"],
    [422, "markdown_contnet", "markdown_contnet is not a field of this request. Did you mean markdown_content?"],
    [422, "workspace", "workspace is not a field of this request."],
  ]);
  expect(await said(create({ html_content: 1, shade: 1 }))).toEqual([
    422,
    "title",
    "title is required. html_content must be text. shade is not a field of this request.",
  ]);
});

test("PUT says what is wrong with an external id", async () => {
  const { put } = await aWriter();
  const body = { title: "Refunds", markdown_content: "Ask us." };
  const refused = [await put("x".repeat(201), body), await put("a\u0007b", body), await put(" ", body)];
  expect(refused.map(({ status, body: { error, details } }) => [status, details[0].field, error])).toEqual([
    [422, "external_id", "external_id can have up to 200 characters."],
    [422, "external_id", "external_id can't contain control characters."],
    [422, "external_id", "external_id must have at least one character."],
  ]);
  expect((await put("x".repeat(200), body)).status).toBe(201);
});

test("PUT creates once, then updates, and says when there is nothing to change", async () => {
  const { workspace, put, get } = await aWriter();
  const body = { title: "Refunds", markdown_content: "Ask us.", tags: ["Money"], publish: true };
  const first = await put("docs/refunds.md", body);
  const second = await put("docs/refunds.md", body);
  const third = await put("docs/refunds.md", { ...body, markdown_content: "Ask them." });
  expect([first, second, third].map(({ status, body: { changed } }) => [status, changed])).toEqual([
    [201, true],
    [200, false],
    [200, true],
  ]);
  expect(second.body.revision).toBe(first.body.revision);
  expect((await get(first.body.article.id)).body).toMatchObject({
    article: { state: "published", html_content: "<p>Ask them.</p>" },
    has_draft: false,
    external_id: "docs/refunds.md",
  });
  expect(await inWorkspace(workspace.id, (db) => db.article.count())).toBe(1);
  for (const seen of [{ revision: 1 }, { tag: 'W/"seen"' }, { tag: "*" }]) {
    const { tag, ...fields } = { tag: undefined, ...seen };
    const answer = await put("gone.md", { ...body, ...fields }, tag === undefined ? {} : { "if-match": tag });
    expect([answer.status, answer.body.code]).toEqual([412, "revision_conflict"]);
  }
  expect((await put("docs/refunds.md", body, { "if-match": "*" })).status).toBe(200);
  // A word of another path.
  expect((await put("publish", body)).status).toBe(201);
});

test("a new article gets the next slug if someone takes its slug meanwhile", async () => {
  const { workspace, create } = await aWriter();
  const other = await create({ title: "Other", html_content: "<p>Other.</p>" });
  const blocked = `SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
  let waiting: ReturnType<typeof create> | undefined;
  // Like an import, this doesn't lock the workspace.
  await inWorkspace(workspace.id, async (db) => {
    await db.article.update({
      where: { workspaceId_id: { workspaceId: workspace.id, id: other.body.article.id } },
      data: { slug: "refunds" },
    });
    waiting = create({ title: "Refunds", html_content: "<p>Us.</p>" });
    await expect.poll(() => db.$queryRawUnsafe<unknown[]>(blocked), { interval: 20 }).toHaveLength(1);
  });
  const made = await waiting;
  expect([made?.status, made?.body.article.slug]).toEqual([201, "refunds-2"]);
});

test("PUT without text or category leaves those of an article that exists, and publishes its draft", async () => {
  const { put, get } = await aWriter();
  const none = { category_id: undefined };
  await put("refunds", { title: "Refunds", html_content: "<p>Ask us.</p>", tags: ["Money"] });
  const renamed = await put("refunds", { title: "Money back", ...none });
  expect(renamed).toMatchObject({ status: 200, body: { changed: true, article: { state: "draft" } } });
  const published = await put("refunds", { title: "Money back", publish: true, ...none });
  expect([published.status, published.body.changed]).toEqual([200, true]);
  const { body } = await get(renamed.body.article.id);
  expect(body).toMatchObject({
    has_draft: false,
    article: {
      ...{ title: "Money back", state: "published", html_content: "<p>Ask us.</p>" },
      ...{ tags: [{ name: "Money" }], category: { name: "Guides" } },
    },
  });
  const again = await put("refunds", { title: "Money back", publish: true, ...none });
  expect([again.body.changed, again.body.revision]).toEqual([false, published.body.revision]);
});

test("a category is created from its names where the key may publish, and moving an article keeps its URL", async () => {
  const writer = await aWriter();
  const path = { category_id: undefined, category_path: ["Guides", "Billing"], create_categories: true };
  const made = await writer.put("one", { title: "One", html_content: "<p>1</p>", ...path });
  expect(made.body.article.category).toMatchObject({ name: "Billing", ancestors: [{ name: "Guides" }] });
  const other = await aCategory(writer.workspace, { name: "Other" });
  const moved = await writer.update("one", { category_id: other.id });
  expect(moved.body).toMatchObject({ changed: true, article: { slug: "one", category: { name: "Other" } } });
  const drafts = await aWriter(["content.draft"]);
  const refused = await drafts.put("one", { title: "One", html_content: "<p>1</p>", ...path });
  expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining("content.publish")]);
});

test("without the scope to publish, a key writes drafts and changes nothing that readers see", async () => {
  const { workspace, category, create, update, put, get } = await aWriter(["content.draft"]);
  const { id } = await anArticle(workspace, { category, title: "Refunds", html: "<p>Live.</p>" });
  const before = await get(id);
  expect((await update(id, { title: "New", html_content: "<p>New.</p>", tags: ["New"] })).status).toBe(200);
  const text = { title: "A", html_content: "<p>A</p>" };
  for (const refused of [
    await create({ ...text, state: "published" }),
    await create({ ...text, publish_at: "2099-01-01T00:00:00Z" }),
    await put("a", { ...text, publish: true }),
    await update(id, { publish: true }),
    await update(id, { slug: "elsewhere" }),
    await update(id, { publish_at: null }),
  ]) {
    expect([refused.status, refused.body.error]).toEqual([403, expect.stringContaining("content.publish")]);
  }
  const after = await get(id);
  expect(after.body).toEqual({ ...before.body, revision: before.body.revision + 1, has_draft: true });
});

test("a draft that a member saved last is not replaced, unless the key has seen it or keeps it", async () => {
  const { workspace, create, update, draft, put, send } = await aWriter();
  const { body } = await create({ title: "Refunds", html_content: "<p>Program.</p>", external_id: "refunds" });
  const { id } = body.article;
  await saveAsMember(workspace, id, { html: "<p>Ada.</p>" });
  const { revision } = await draft(id);
  const mine = { html_content: "<p>Again.</p>" };
  for (const refused of [await update(id, mine), await put("refunds", { title: "Refunds", ...mine })]) {
    expect(refused).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/^Ada Admin changed this draft/) },
    });
    expect(refused.body.error).toContain(`revision, ${revision}, or send on_conflict`);
  }
  const unread = await send("POST", "/articles/{article_id}/publish", [id]);
  expect([unread.status, unread.body.error]).toEqual([
    409,
    expect.stringMatching(`send its revision, ${revision}\\.$`),
  ]);
  // These requests have no text of their own, so they would publish a member's draft unseen.
  for (const unread of [
    { publish: true },
    { publish_at: "2099-01-01T00:00:00Z" },
    { title: "Money back", publish: true },
    { tags: ["Money"], publish_at: "2099-01-01T00:00:00Z" },
  ]) {
    const refused = await update(id, { ...unread, on_conflict: "keep_version" });
    expect([refused.status, refused.body.error]).toEqual([
      409,
      expect.stringMatching(`send its revision, ${revision}\\.$`),
    ]);
  }
  const stale = await update(id, { ...mine, revision: body.revision });
  expect(stale).toMatchObject({ status: 412, body: { error: expect.stringContaining("Ada Admin") } });
  expect((await draft(id)).draft.html_content).toBe("<p>Ada.</p>");
  expect((await update(id, { ...mine, on_conflict: "keep_version" })).status).toBe(200);
  await saveAsMember(workspace, id, { html: "<p>Ada, later.</p>" });
  expect((await update(id, { html_content: "<p>Seen.</p>", revision: (await draft(id)).revision })).status).toBe(200);
  const kept = await inWorkspace(workspace.id, (db) => db.articleVersion.findMany({ where: { articleId: id } }));
  expect(kept.map(({ html }) => html)).toEqual(expect.arrayContaining(["<p>Ada.</p>", "<p>Ada, later.</p>"]));
});

test("a refused change says whose text is in its way, also where it is published and no draft is left", async () => {
  const { workspace, create, update, draft, send } = await aWriter();
  const { body } = await create({ title: "Refunds", html_content: "<p>One.</p>", state: "published" });
  const { id } = body.article;
  const stale = async () => (await update(id, { title: "Late", revision: 1 })).body;
  await update(id, { html_content: "<p>Two.</p>", publish: true });
  const ours = await stale();
  expect(ours.error).toContain("API key “Website sync” last changed its text on");
  expect(ours.current).toMatchObject({ changed_by: "API key “Website sync”", changed_at: expect.any(String) });
  expect((await draft(id)).draft).toMatchObject({ changed_by: "API key “Website sync”" });
  // A discarded draft is not the text that is live.
  await saveAsMember(workspace, id, { html: "<p>Ada.</p>" });
  expect((await stale()).current.changed_by).toBe("Ada Admin");
  const seen = await send("GET", "/articles/{article_id}/draft", [id]);
  const tag = { "if-match": seen.headers.get("etag")! };
  expect((await send("DELETE", "/articles/{article_id}/draft", [id], undefined, tag)).status).toBe(200);
  expect((await stale()).current).toEqual({ ...ours.current, revision: expect.any(Number) });
});

test("If-Match takes the ETag of the article and of its draft", async () => {
  const { create, update, get, send } = await aWriter();
  const { body } = await create({ title: "Refunds", html_content: "<p>One.</p>" });
  const { id } = body.article;
  const tags = async () => [
    (await get(id)).headers.get("etag")!,
    (await send("GET", "/articles/{article_id}/draft", [id])).headers.get("etag")!,
  ];
  for (const index of [0, 1]) {
    const [tag = ""] = (await tags()).slice(index);
    const change = (html: string) => update(id, { html_content: html }, { "if-match": tag });
    expect((await change(`<p>Two ${index}.</p>`)).status).toBe(200);
    expect((await change("<p>Three.</p>")).status).toBe(412);
  }
});

test("If-Match is not refused after changes to other articles, which If-None-Match notices", async () => {
  const { workspace, create, update, get, send } = await aWriter();
  const text = { html_content: "<p>One.</p>", state: "published", tags: ["money"] };
  const { id } = (await create({ title: "Refunds", ...text })).body.article;
  const tagOf = async () => (await get(id)).headers.get("etag")!;
  const first = await tagOf();
  const { id: neighbor } = (await create({ title: "Invoices", ...text })).body.article;
  await update(neighbor, { title: "Bills", publish: true });
  const { next_article, related_articles } = (await get(id)).body.article;
  expect([next_article.title, related_articles[0].title]).toEqual(["Bills", "Bills"]);
  const again = await send("GET", "/articles/{article_id}", [id], undefined, { "if-none-match": first });
  expect([again.status, (await tagOf()) === first]).toEqual([200, false]);
  expect((await update(id, { title: "Money back", publish: true }, { "if-match": first })).status).toBe(200);
  const second = await tagOf();
  await saveAsMember(workspace, id, { title: "Ada's" });
  expect((await update(id, { title: "Late" }, { "if-match": second })).body).toMatchObject({
    code: "revision_conflict",
    error: expect.stringContaining("Ada Admin last changed its text on"),
  });
  const third = await tagOf();
  await update(id, { slug: "elsewhere" });
  expect((await update(id, { slug: "nowhere" }, { "if-match": third })).status).toBe(412);
});

test("20 writers of one article lose no text, and a refused one gets the current revision", async () => {
  const { workspace, create, update, draft } = await aWriter();
  const { body } = await create({ title: "Log", html_content: "<p>Start.</p>" });
  const { id } = body.article;
  const accepted: string[] = [];
  const write = async (writer: number) => {
    for (const round of [1, 2, 3]) {
      const html = `<p>Writer ${writer}, round ${round}.</p>`;
      const { revision } = await draft(id);
      const answer = await update(id, { html_content: html, revision });
      if (answer.status === 200) accepted.push(html);
      else if (answer.status === 412) expect(answer.body.error).toMatch(/its revision is \d+\./);
      else expect(answer.status).toBe(503);
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, writer) => write(writer)));
  const versions = await inWorkspace(workspace.id, (db) => db.articleVersion.findMany({ where: { articleId: id } }));
  const kept = [(await draft(id)).draft.html_content, ...versions.map(({ html }) => html)];
  expect(accepted.length).toBeGreaterThan(2);
  expect(accepted.filter((html) => !kept.includes(html))).toEqual([]);
});

test("articles with one title that are created at the same time get different slugs, and one of them a chosen slug", async () => {
  const { create, put } = await aWriter();
  const text = { title: "Refunds", html_content: "<p>Ask us.</p>" };
  const made = await Promise.all([
    ...[1, 2, 3].map(() => create(text)),
    ...[1, 2].map((one) => put(`refunds-${one}`, { ...text, publish: true })),
  ]);
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  expect(new Set(made.map(({ body }) => body.article.slug)).size).toBe(5);
  const chosen = await Promise.all([1, 2, 3].map(() => create({ ...text, slug: "money" })));
  expect(chosen.map(fieldsOf).sort()).toEqual([[201], [422, "slug taken"], [422, "slug taken"]]);
});

/** On a busy machine, the last of many requests may have waited too long. */
const patiently =
  <Given extends unknown[], Answer extends { status: number }>(send: (...given: Given) => Promise<Answer>) =>
  async (...given: Given): Promise<Answer> => {
    for (;;) {
      const answer = await send(...given);
      if (answer.status !== 503) return answer;
    }
  };

test("articles that are created at the same time with missing categories share them", async () => {
  const { workspace, put } = await aWriter();
  const paths = [["New", "A"], ["new", "A"], ["New", "B"], ["New"]];
  const answers = await Promise.all(
    [...paths, ...paths].map((path, number) =>
      patiently(put)(`id-${number}`, {
        ...{ title: `Number ${number}`, html_content: "<p>x</p>" },
        ...{ category_id: undefined, category_path: path, create_categories: true },
      }),
    ),
  );
  expect(answers.map(({ status, body }) => [status, body.article?.category.name])).toEqual(
    ["A", "A", "B", "New", "A", "A", "B", "New"].map((name) => [
      201,
      expect.stringMatching(new RegExp(`^${name}$`, "i")),
    ]),
  );
  expect(new Set(answers.map(({ body }) => body.article.category.id)).size).toBe(3);
  const created = await inWorkspace(workspace.id, (db) =>
    db.auditEntry.count({ where: { action: "category.created" } }),
  );
  expect(created).toBe(3);
});

test("articles that are created together are as if each was created alone, and none fails for another", async () => {
  const { workspace, category, put, create, get } = await aWriter();
  await create({ title: "Taken", html_content: "<p>x</p>", slug: "taken", external_id: "known" });
  const numbers = Array.from({ length: 12 }, (_, index) => index);
  const bodyOf = (number: number) => ({
    title: `Number ${number % 10}`,
    html_content: `<p>Text ${number}</p>`,
    publish: true,
    tags: [`t${number % 3}`],
    ...(number === 5 && { slug: "taken" }),
    ...(number === 6 && { author_email: "nobody@example.com" }),
    ...(number === 7 && { slug: "chosen" }),
    ...(number === 8 && { category_id: undefined, category_path: ["New", "Deep"], create_categories: true }),
  });
  const headers = (number: number) => ({ "Idempotency-Key": `key-${number}`, "X-Request-Id": `request-${number}` });
  const send = patiently(put);
  const answers = await Promise.all([
    ...numbers.map((number) => send(`id-${number}`, bodyOf(number), headers(number))),
    send("known", { title: "Known", html_content: "<p>Known</p>", publish: true }),
    send("id-3", bodyOf(3)),
  ]);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 422)).toHaveLength(2);
  expect(statuses.slice(5, 7)).toEqual([422, 422]);
  expect(answers[5]?.body.details).toMatchObject([{ field: "slug", code: "taken" }]);
  expect(answers[6]?.body.details).toMatchObject([{ field: "author_email", code: "not_found" }]);
  // One of two requests with an id creates the article, and the other one finds it.
  expect([statuses[3], statuses[13]].sort()).toEqual([200, 201]);
  expect(statuses[12]).toBe(200);

  const made = numbers.filter((number) => ![3, 5, 6].includes(number));
  for (const number of made) {
    const { status, body, headers: sent } = answers[number]!;
    expect([status, body.article.title, body.article.html_content, body.article.tags[0].name]).toEqual([
      ...[201, `Number ${number % 10}`, `<p>Text ${number}</p>`, `t${number % 3}`],
    ]);
    expect(body).toMatchObject({ external_id: `id-${number}`, changed: true, revision: 1, has_draft: false });
    expect(sent.get("location")).toContain(body.article.id);
    expect((await get(body.article.id)).body.article).toMatchObject({ slug: body.article.slug, state: "published" });
    const again = await put(`id-${number}`, bodyOf(number), headers(number));
    expect([again.status, again.headers.get("idempotency-replayed"), again.body]).toEqual([201, "true", body]);
  }
  expect(answers[7]?.body.article.slug).toBe("chosen");
  expect(answers[8]?.body.article.category.name).toBe("Deep");
  const [articles, entries, versions] = await inWorkspace(workspace.id, async (db) => [
    await db.article.findMany({ where: { categoryId: category.id }, select: { slug: true, sequence: true } }),
    await db.auditEntry.findMany({ where: { action: { in: ["article.created", "article.published"] } } }),
    await db.articleVersion.count({ where: { kind: "publish" } }),
  ]);
  expect(new Set(articles.map(({ slug }) => slug)).size).toBe(10);
  expect(articles.map(({ sequence }) => sequence).sort((one, other) => one - other)).toEqual(
    articles.map((_, index) => index + 1),
  );
  expect(versions).toBe(11);
  for (const number of made) {
    const { id } = answers[number]!.body.article;
    const own = entries.filter(({ subjectId }) => subjectId === id);
    expect(own.map(({ action, requestId }) => [action, requestId]).sort()).toEqual([
      ["article.created", `request-${number}`],
      ["article.published", `request-${number}`],
    ]);
  }
});

test("articles that are created at the same time share a transaction, except one without text, which is refused", async () => {
  const { workspace, put } = await aWriter();
  const named = (number: number) => ({ title: `Number ${number}`, publish_at: new Date(Date.now() + 86_400_000) });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, number) => {
      const body = { ...named(number), ...(number !== 4 && { html_content: "<p>Text</p>" }) };
      return put(`id-${number}`, body, { "X-Request-Id": `request-${number}` });
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 422, 201, 201, 201]);
  const [[row], scheduled] = await inWorkspace(workspace.id, async (db) => [
    await db.$queryRaw<
      { transactions: number }[]
    >`SELECT count(DISTINCT xmin::text)::int AS transactions FROM article_versions`,
    await db.auditEntry.findMany({ where: { action: "article.scheduled" } }),
  ]);
  expect(row?.transactions).toBeLessThan(7);
  expect(new Set(scheduled.map(({ requestId }) => requestId)).size).toBe(7);
});

test("a category's name and an author's email with a NUL are refused", async () => {
  const { create } = await aWriter();
  const text = { title: "Refunds", html_content: "<p>Ask us.</p>" };
  const path = { category_id: undefined, category_path: ["Gui\0des"] };
  expect(fieldsOf(await create({ ...text, ...path }))).toEqual([422, "category_path invalid"]);
  expect(fieldsOf(await create({ ...text, ...path, create_categories: true }))).toEqual([422, "category_path invalid"]);
  expect(fieldsOf(await create({ ...text, author_email: "a\0@example.com" }))).toEqual([422, "author_email invalid"]);
});

test("related articles that are named in capitals, and the article itself, are no change again", async () => {
  const { workspace, category, create, update } = await aWriter();
  const other = await anArticle(workspace, { category, title: "Other" });
  const { id } = (await create({ title: "Refunds", html_content: "<p>Ask us.</p>", state: "published" })).body.article;
  const relate = async (ids: string[]) =>
    (await update(id, { related_article_ids: ids, publish: true })).body.changed as boolean;
  expect(await relate([other.id])).toBe(true);
  expect(await relate([other.id.toUpperCase()])).toBe(false);
  expect(await relate([other.id, other.id.toUpperCase(), id])).toBe(false);
});

test("code that shows a URL of the workspace stays as it was sent, and its images are stored without the host", async () => {
  const { workspace, create, update, get, draft } = await aWriter();
  const home = `http://${workspace.subdomain}.localhost:3000`;
  const code = `<pre><code>&lt;script src="${home}/widget.js"&gt;</code></pre>`;
  const image = `![](${home}/uploads/5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d)`;
  const made = await create({ title: "Widget", html_content: code, state: "published" });
  const { id, html_content: html } = made.body.article;
  expect(html).toContain(`src="${home}/widget.js"`);
  expect((await update(id, { html_content: (await get(id)).body.article.html_content })).body.changed).toBe(false);
  await update(id, { markdown_content: `\`<img src="${home}/a.png">\`\n\n${image}` });
  expect((await draft(id)).draft.html_content).toContain(`&lt;img src="${home}/a.png"`);
  const stored = await inWorkspace(workspace.id, (db) => db.articleDraft.findFirstOrThrow({ where: { id } }));
  expect(stored.html).toContain(' src="/uploads/5b3e2a0c');
});
