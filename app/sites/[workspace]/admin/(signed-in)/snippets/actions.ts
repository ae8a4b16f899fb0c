"use server";

import { refresh } from "next/cache";
import type { FormState } from "@/components/ui/form";
import { inWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { textOf } from "@/lib/http/form";
import { workspaceUrl } from "@/lib/http/host";
import { requireMember } from "@/lib/session";
import { addSnippet, changeSnippet, cleanedSnippet, deleteSnippet, SnippetChangedError } from "@/lib/snippets/snippets";
import { redirectWith } from "../../_flash";
import { found, refused } from "../../_form";
import { updatingOf } from "./_parts";

/** Creates a snippet, or changes the one that the form names. */
export async function submitSnippet(_previous: FormState, form: FormData): Promise<FormState> {
  const { workspace, actor } = await requireMember("articles.publish");
  const id = textOf(form, "id");
  const home = workspaceUrl(workspace.subdomain, env().baseUrl);
  let saved: Awaited<ReturnType<typeof addSnippet>>;
  try {
    const content = await cleanedSnippet(workspace.id, textOf(form, "content"), home);
    const name = textOf(form, "name").trim();
    saved = await inWorkspace(workspace.id, (db) =>
      id ? changeSnippet(db, id, content, actor, textOf(form, "revision")) : addSnippet(db, { name, content }, actor),
    );
  } catch (error) {
    const { values, errors } = refused(form, error);
    // Shows what someone else saved, and only then lets the next change replace it.
    refresh();
    const revision = error instanceof SnippetChangedError ? error.revision : textOf(form, "revision");
    return { values: { ...values, revision }, errors };
  }
  const done = `Snippet “${saved.snippet.name}” ${id ? "saved" : "created"}.`;
  return redirectWith("/admin/snippets", done + updating(saved.articles));
}

export async function submitDeleteSnippet(form: FormData): Promise<void> {
  const { workspace, actor } = await requireMember("articles.publish");
  const { snippet, articles } = await found(
    inWorkspace(workspace.id, (db) => deleteSnippet(db, textOf(form, "id"), actor)),
  );
  return redirectWith("/admin/snippets", `Snippet “${snippet.name}” deleted.${updating(articles)}`);
}

function updating(articles: number): string {
  return articles === 0 ? "" : ` ${updatingOf(articles)}`;
}
