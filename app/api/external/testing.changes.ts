import { randomBytes } from "node:crypto";
import { emptyText } from "@/lib/articles/article-text";
import { contentFromHtml } from "@/lib/content/content";
import { derivedText } from "@/lib/content/derive";
import { inWorkspace } from "@/lib/db";
import { synonymForm } from "@/lib/search/synonyms";
import { putInTrash } from "@/lib/trash/trash";
import { aCategory, anArticle, type TestWorkspace } from "@/testing/workspace";

// The secrets of webhooks are encrypted.
process.env.AUTH_SECRET ??= "a secret of these tests, long enough to be one";

/** By operationId of each write, a request that changes something for every new `word`. */
export const changing: Record<string, (workspace: Own, word: string) => Promise<Change> | Change> = {
  updateTeamMember: ({ admin }, word) => ({ values: { team_member_id: admin.id }, body: { first_name: word } }),
  createArticle: async (workspace, word) => ({
    values: {},
    body: { title: word, html_content: "<p>New</p>", category_id: (await plantedCategory(workspace)).id },
  }),
  updateArticle: async (workspace, word) => ({
    values: { article_id: await planted(workspace, "changed", { state: "draft" }) },
    body: { slug: `changed ${word}` },
  }),
  putArticle: async (workspace, word) => {
    await planted(workspace, "put", { state: "draft", externalId: "put" });
    const category_id = (await plantedCategory(workspace)).id;
    return {
      values: { external_id: "put" },
      body: { title: "Put", html_content: "<p>1</p>", category_id, slug: `put ${word}` },
    };
  },
  deleteArticle: async (workspace, word) => ({
    values: { article_id: await planted(workspace, `deleted ${word}`) },
    body: {},
  }),
  restoreArticle: async (workspace, word) => ({
    values: { article_id: await planted(workspace, `restored ${word}`, { state: "draft" }, throwAway) },
    body: {},
  }),
  publishArticle: async (workspace, word) => ({
    values: { article_id: await planted(workspace, `published ${word}`, { state: "draft" }) },
    body: {},
  }),
  unpublishArticle: async (workspace, word) => ({
    values: { article_id: await planted(workspace, `unpublished ${word}`) },
    body: {},
  }),
  discardDraft: async (workspace, word) => {
    const { admin } = workspace;
    const body = await derivedText(contentFromHtml("<p>Draft</p>"));
    const draft = {
      ...emptyText,
      title: word,
      body,
      tags: [],
      relatedIds: [],
      updatedAt: new Date(),
      updatedBy: admin.id,
    };
    const article_id = await planted(workspace, `discarded ${word}`, { draft });
    return { values: { article_id }, body: { on_conflict: "keep_version" } };
  },
  restoreVersion: async (workspace, word) => ({
    values: { article_id: await planted(workspace, `version ${word}`, {}, writeAgain), number: "1" },
    body: {},
  }),
  bulkArticles: async (workspace, word) => ({
    values: {},
    body: {
      items: [
        {
          action: "create",
          title: word,
          html_content: "<p>New</p>",
          category_id: (await plantedCategory(workspace)).id,
        },
      ],
    },
  }),
  uploadFile: (_, word) => ({ values: {}, body: `A file about ${word}` }),
  createCategory: (_, word) => ({ values: {}, body: { name: word } }),
  updateCategory: async (workspace, word) => ({
    values: { category_id: (await plantedCategory(workspace, "changed")).id },
    body: { description: word },
  }),
  deleteCategory: async (workspace, word) => ({
    values: { category_id: (await plantedCategory(workspace, `deleted ${word}`)).id },
    body: {},
  }),
  mergeCategory: async (workspace, word) => ({
    values: { category_id: (await plantedCategory(workspace, `merged ${word}`)).id },
    body: { into: (await plantedCategory(workspace)).id },
  }),
  orderCategories: async (workspace, word) => {
    const ids = await plantedChildren(workspace);
    // Another word swaps another pair.
    const at = [...word].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % (ids.length - 1);
    const swapped = ids.toSpliced(at, 2, ids[at + 1]!, ids[at]!);
    return { values: {}, body: { parent_id: (await plantedCategory(workspace, "ordered")).id, category_ids: swapped } };
  },
  updateTag: async (workspace, word) => ({
    values: { tag_id: await plantedTag(workspace, "changed") },
    body: { name: `${workspace.subdomain} renamed ${word}` },
  }),
  deleteTag: async (workspace, word) => ({
    values: { tag_id: await plantedTag(workspace, `deleted ${word}`) },
    body: {},
  }),
  mergeTag: async (workspace, word) => ({
    values: { tag_id: await plantedTag(workspace, `merged ${word}`) },
    body: { into: await plantedTag(workspace, "target") },
  }),
  createRedirect: ({ subdomain }, word) => ({
    values: {},
    body: { from: `/${subdomain}/${word}`, to: { path: "https://example.com" } },
  }),
  updateRedirect: async (workspace, word) => ({
    values: { redirect_id: await plantedRedirect(workspace, "changed") },
    body: { to: { path: `https://example.com/${word}` } },
  }),
  deleteRedirect: async (workspace, word) => ({
    values: { redirect_id: await plantedRedirect(workspace, `deleted ${word}`) },
    body: {},
  }),
  bulkRedirects: ({ subdomain }, word) => ({
    values: {},
    body: { items: [{ action: "create", from: `/${subdomain}/bulk/${word}`, to: { path: "https://example.com" } }] },
  }),
  createInvitation: async (workspace, word) => ({
    values: {},
    body: { email: `${word.replaceAll(" ", "-")}@example.com`, role: (await roleOf(workspace)).name },
  }),
  resendInvitation: async (workspace, word) => ({
    values: { invitation_id: await plantedInvitation(workspace, `resent ${word}`) },
    body: {},
  }),
  revokeInvitation: async (workspace, word) => ({
    values: { invitation_id: await plantedInvitation(workspace, `revoked ${word}`) },
    body: {},
  }),
  createSynonym: ({ subdomain }, word) => ({
    values: {},
    body: { term: `${subdomain} ${word}`, replacements: ["other"] },
  }),
  updateSynonym: async (workspace, word) => ({
    values: { synonym_id: await plantedSynonym(workspace, "changed") },
    body: { replacements: [`other ${word}`] },
  }),
  deleteSynonym: async (workspace, word) => ({
    values: { synonym_id: await plantedSynonym(workspace, `deleted ${word}`) },
    body: {},
  }),
  createWebhook: (_, word) => ({
    values: {},
    body: { url: "https://example.com/hook", description: word, events: ["article.published"] },
  }),
  updateWebhook: async (workspace, word) => ({
    values: { webhook_id: await plantedWebhook(workspace, "changed") },
    body: { description: word },
  }),
  deleteWebhook: async (workspace, word) => ({
    values: { webhook_id: await plantedWebhook(workspace, `deleted ${word}`) },
    body: {},
  }),
  rotateWebhookSecret: async (workspace, word) => ({
    values: { webhook_id: await plantedWebhook(workspace, `rotated ${word}`) },
    body: {},
  }),
  testWebhook: async (workspace, word) => ({
    values: { webhook_id: await plantedWebhook(workspace, `tested ${word}`) },
    body: {},
  }),
  resendWebhookDelivery: async (workspace, word) => {
    const webhook_id = await plantedWebhook(workspace, `resent ${word}`);
    return { values: { webhook_id, delivery_id: await plantedDelivery(workspace, webhook_id) }, body: {} };
  },
};

type Own = Pick<TestWorkspace, "id" | "subdomain" | "admin">;

interface Change {
  values: Record<string, string>;
  /** A text is sent as a file. */
  body: Record<string, unknown> | string;
}

const plantedOnes = new Map<string, Promise<string>>();

/** The id of an article of this name, which is created on the first call. */
function planted(
  workspace: Own,
  name: string,
  options: Partial<Parameters<typeof anArticle>[1]> = {},
  then?: (workspace: Own, id: string) => Promise<void>,
): Promise<string> {
  const key = `${workspace.id} ${name}`;
  const create = async () => {
    const category = await plantedCategory(workspace);
    // The subdomain tells workspaces apart.
    const { id } = await anArticle(workspace, {
      category,
      title: `${name} ${workspace.subdomain}`,
      source: null,
      ...options,
    });
    await then?.(workspace, id);
    return id;
  };
  return once(key, create);
}

const categories = new Map<string, ReturnType<typeof aCategory>>();

/** A category of this name, which is created on the first call. */
function plantedCategory(workspace: Own, name = "planted"): ReturnType<typeof aCategory> {
  const key = `${workspace.id} ${name}`;
  // The subdomain tells workspaces apart.
  const create = () => aCategory(workspace, { name: `${name} ${workspace.subdomain}` });
  if (!categories.has(key)) categories.set(key, create());
  return categories.get(key)!;
}

/** The ids of the categories in the category "ordered", in their first order. */
async function plantedChildren(workspace: Own): Promise<string[]> {
  const { id: parentId } = await plantedCategory(workspace, "ordered");
  const names = ["A", "B", "C", "D", "E"].map((name) => `${name} ${workspace.subdomain}`);
  return Promise.all(
    names.map((name) =>
      once(`${workspace.id} ${name}`, async () => (await aCategory(workspace, { name, parentId })).id),
    ),
  );
}

/** The id of a redirect of this name, which is created on the first call. */
function plantedRedirect(workspace: Own, name: string): Promise<string> {
  return once(`${workspace.id} redirect ${name}`, async () => {
    const fromPath = `/${name} ${workspace.subdomain}`;
    const data = { fromPath, kind: "url", url: "https://example.com/", byHand: true };
    return (await inWorkspace(workspace.id, (db) => db.redirect.create({ data, select: { id: true } }))).id;
  });
}

/** The same for a synonym. */
function plantedSynonym(workspace: Own, name: string): Promise<string> {
  return once(`${workspace.id} synonym ${name}`, async () => {
    const term = `${workspace.subdomain} ${name}`;
    // Directly, because one test counts the entries in the audit log.
    const folded = { termFolded: synonymForm(term), replacementsFolded: ["same"] };
    const data = { term, replacements: ["same"], twoWay: true, ...folded };
    return (await inWorkspace(workspace.id, (db) => db.synonym.create({ data, select: { id: true } }))).id;
  });
}

/** The same for an invitation. */
export function plantedInvitation(workspace: Own, name: string): Promise<string> {
  return once(`${workspace.id} invitation ${name}`, async () => {
    const email = `${name.replaceAll(" ", "-")}@${workspace.subdomain}.example`;
    const { id: roleId } = await roleOf(workspace);
    // Directly, because one test counts the entries in the audit log.
    const data = {
      email,
      roleId,
      tokenHash: new Uint8Array(randomBytes(32)),
      expiresAt: new Date(Date.now() + 86_400_000),
    };
    return (await inWorkspace(workspace.id, (db) => db.invitation.create({ data, select: { id: true } }))).id;
  });
}

/** A role that a key of the workspace's first member can give. */
function roleOf(workspace: Own): Promise<{ id: string; name: string }> {
  return inWorkspace(workspace.id, (db) =>
    db.role.findFirstOrThrow({ where: { members: { some: {} } }, select: { id: true, name: true } }),
  );
}

/** A view, a search and feedback of a reader. */
export function plantInsights({ id, subdomain }: Own, articleId: string): Promise<void> {
  return inWorkspace(id, async (db) => {
    const by = { articleId, day: new Date(), viewerHash: new Uint8Array(randomBytes(16)) };
    await db.articleView.create({ data: by });
    // Months are counted apart. On the last day of a month, insights read its whole month.
    const month = new Date(by.day.toISOString().slice(0, 7));
    await db.articleViewMonth.create({ data: { articleId, month, views: 1 } });
    await db.feedback.create({ data: { ...by, helpful: false, reason: subdomain } });
    await db.search.create({ data: { term: subdomain, termFolded: subdomain, resultsCount: 0 } });
  });
}

/** The same for a tag. */
function plantedTag(workspace: Own, tag: string): Promise<string> {
  return once(`${workspace.id} tag ${tag}`, async () => {
    const name = `${workspace.subdomain} ${tag}`;
    const data = { name, nameFolded: name.toLowerCase() };
    return (await inWorkspace(workspace.id, (db) => db.tag.create({ data, select: { id: true } }))).id;
  });
}

/** The same for a webhook. */
export function plantedWebhook(workspace: Own, name: string): Promise<string> {
  return once(`${workspace.id} webhook ${name}`, async () => {
    const url = `https://${workspace.subdomain}.example.com/hook`;
    // Directly, because a workspace has a maximum of webhooks.
    const data = { url, description: name, events: ["article.published"], secret: new Uint8Array(1) };
    return (await inWorkspace(workspace.id, (db) => db.webhookEndpoint.create({ data, select: { id: true } }))).id;
  });
}

/** A failed delivery of a webhook. */
export function plantedDelivery(workspace: Own, endpointId: string): Promise<string> {
  return once(`${workspace.id} delivery ${endpointId}`, async () => {
    const data = { endpointId, event: "article.published", body: "{}", state: "failed", attempts: 10 };
    return (await inWorkspace(workspace.id, (db) => db.webhookDelivery.create({ data, select: { id: true } }))).id;
  });
}

/** A file that nothing uses. */
export function plantedUpload(workspace: Own): Promise<string> {
  return once(`${workspace.id} upload`, async () => {
    const name = `${workspace.subdomain}.txt`;
    const data = {
      storageKey: name,
      filename: name,
      contentType: "text/plain",
      byteSize: 1,
      sha256: new Uint8Array(32),
    };
    return (await inWorkspace(workspace.id, (db) => db.upload.create({ data, select: { id: true } }))).id;
  });
}

function once(key: string, create: () => Promise<string>): Promise<string> {
  if (!plantedOnes.has(key)) plantedOnes.set(key, create());
  return plantedOnes.get(key)!;
}

async function throwAway(workspace: Own, id: string): Promise<void> {
  await inWorkspace(workspace.id, async (db) => {
    await putInTrash(db, "article", [id], { kind: "system", id: null, name: "test" });
    await db.article.deleteMany({ where: { id } });
  });
}

async function writeAgain(workspace: Own, id: string): Promise<void> {
  const category = await plantedCategory(workspace);
  await anArticle(workspace, { id, category, title: `Later ${workspace.subdomain} ${id}`, source: null });
}
