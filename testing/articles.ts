import { paths } from "@/app/api/external/v2/_document/operations";
import { createApiKey } from "@/lib/api-keys/api-keys";
import type { Scope } from "@/lib/api-keys/scopes";
import type { DraftText } from "@/lib/articles/article-text";
import { openDraft } from "@/lib/articles/open-draft";
import { preparedDraft } from "@/lib/articles/prepare-draft";
import { saveDraft } from "@/lib/articles/save-draft";
import { inWorkspace, readWorkspace } from "@/lib/db";
import { type Answered, aCategory, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";

const base = "/api/external/v2";

export type Path = keyof typeof paths;

/** A workspace whose key "Website sync" writes articles. */
export async function aWriter(scopes: Scope[] = ["content.draft", "content.publish", "content.delete"]) {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace, { name: "Guides" });
  const key = await inWorkspace(workspace.id, (db) =>
    createApiKey(db, { name: "Website sync", scopes, createdBy: workspace.admin.id }, workspace.actor),
  );
  /** @param params replace the parameters of the path, in their order */
  const send = (
    method: string,
    path: Path,
    params: (string | number)[],
    body?: object,
    headers: Record<string, string> = {},
  ) => {
    const left = [...params];
    const url = base + path.replace(/\{\w+\}/g, () => encodeURIComponent(String(left.shift())));
    return call(paths[path], workspace, url, { method, key: key.text, headers, ...(body && { body }) });
  };
  const inCategory = { category_id: category.id };
  return {
    workspace,
    category,
    key,
    send,
    create: (body: object) => send("POST", "/articles", [], { ...inCategory, ...body }),
    update: (id: string, body: object, headers?: Record<string, string>) =>
      send("PATCH", "/articles/{article_id}", [id], body, headers),
    put: (externalId: string, body: object, headers?: Record<string, string>) =>
      send("PUT", "/articles/by-external-id/{external_id}", [externalId], { ...inCategory, ...body }, headers),
    get: (id: string): Promise<Answered> => send("GET", "/articles/{article_id}", [id]),
    draft: async (id: string) => (await send("GET", "/articles/{article_id}/draft", [id])).body,
  };
}

/** Saves a draft as the administrator does in the editor. */
export async function saveAsMember(workspace: TestWorkspace, id: string, text: Partial<DraftText>) {
  const now = (await readWorkspace(workspace.id, (read) => openDraft(read, id)))!;
  const draft = await preparedDraft(workspace.id, { ...now.text, ...text });
  return inWorkspace(workspace.id, (db) => saveDraft(db, id, now.revision, draft, workspace.actor));
}
