"use server";

import { notFound } from "next/navigation";
import { elsewhereWords } from "@/components/admin/categories/answers";
import { countOf } from "@/components/ui/count";
import { restoreArticles } from "@/lib/articles/removal";
import { asSave, TooOftenError } from "@/lib/articles/save-limits";
import { restoreCategory } from "@/lib/categories/removal";
import { type Db, inWorkspace, readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { workspaceUrl } from "@/lib/http/host";
import { restoreRedirect } from "@/lib/redirects/redirects";
import { requireMember } from "@/lib/session";
import { restoreSynonym } from "@/lib/synonyms/synonyms";
import { deletePermanently, isOfMany, type TrashKind, trashKinds } from "@/lib/trash/trash";
import { redirectWith } from "../../_flash";
import { idOf } from "../../_form";
import { listAddress } from "../articles/_query";
import { submitUndo } from "../articles/actions";
import { kinds, kindsFor } from "./_kinds";

type Signed = Awaited<ReturnType<typeof requireMember>>;

/** One page of the list. */
const MOST_AT_ONCE = 50;

interface Restored {
  title: string;
  /** Sentences about differences from the state before the deletion. */
  notes: string;
}

const movedTo = (path: string) => ` Its URL was taken, so it is now at ${path}.`;

/** Restores things of one kind, either by id or as a whole batch of articles. */
const restorers: Record<TrashKind, (db: Db, which: string | string[], signed: Signed) => Promise<Restored[]>> = {
  async category(db, which, { actor }) {
    const restored: Restored[] = [];
    for (const id of [which].flat()) {
      const { name, slug, isNewSlug, elsewhere, left } = await restoreCategory(db, id, actor);
      const stay =
        left > 0
          ? ` ${left === 1 ? "One article or subcategory was" : `${left} articles or subcategories were`} moved elsewhere in the meantime and stayed there.`
          : "";
      const notes = (isNewSlug ? movedTo(`/categories/${slug}`) : "") + elsewhereWords(elsewhere.length) + stay;
      restored.push({ title: name, notes });
    }
    return restored;
  },
  async article(db, which, { actor, member }) {
    const restored = await restoreArticles(db, which, actor, member.permissions);
    return restored.map(({ title, slug, isNewSlug }) => ({
      title,
      notes: isNewSlug ? movedTo(`/articles/${slug}`) : "",
    }));
  },
  async redirect(db, which, { workspace, actor }) {
    const home = workspaceUrl(workspace.subdomain, env().baseUrl);
    const restored: Restored[] = [];
    for (const id of [which].flat())
      restored.push({ title: (await restoreRedirect(db, id, home, actor)).fromPath, notes: "" });
    return restored;
  },
  async synonym(db, which, { actor }) {
    const restored: Restored[] = [];
    for (const id of [which].flat()) restored.push({ title: (await restoreSynonym(db, id, actor)).term, notes: "" });
    return restored;
  },
};

/** Restores the things selected in the trash, or the deletion that a message reports. */
export async function submitRestore(form: FormData): Promise<void> {
  const signed = await requireMember();
  const batch = idOf(textOf(form, "batch"));
  const one = textOf(form, "one");
  const items = (one ? [one] : form.getAll("id")).flatMap((item) => itemOf(item) ?? []).slice(0, MOST_AT_ONCE);
  const first = batch ? "article" : items[0]?.kind;
  const mayNot = [...items.map(({ kind }) => kind), ...(batch ? ["article" as const] : [])].some(
    (kind) => !kindsFor(signed.member.permissions).includes(kind),
  );
  if (mayNot) notFound();
  const from = textOf(form, "from");
  const list = first && (first === "article" ? listAddress(from) : kinds[first].list);
  const back = textOf(form, "page") === "trash" || !list ? `/admin/trash${from}` : list;
  if (!first) return redirectWith(back, "Select items first.");
  const ofMany = batch && (await readWorkspace(signed.workspace.id, (read) => isOfMany(read, batch)));
  if (ofMany) return submitUndo(form);
  const work = () =>
    inWorkspace(signed.workspace.id, async (db) => {
      const restored: Restored[] = [];
      // Categories first, so that articles return to them.
      for (const kind of ["category", "article", "redirect", "synonym"] as const) {
        const ids = items.flatMap((item) => (item.kind === kind ? [item.id] : []));
        const which = kind === "article" && batch ? batch : ids;
        if (which.length > 0) restored.push(...(await restorers[kind](db, which, signed)));
      }
      return restored;
    });
  return redirectWith(back, await reportOf(() => asSave(signed.workspace.id, signed.member.id, null, work)));
}

/** Deletes one thing permanently before the trash does. */
export async function submitDeletePermanently(form: FormData): Promise<void> {
  const { workspace, member, actor } = await requireMember();
  const item = itemOf(form.get("id"));
  if (!item || !kindsFor(member.permissions).includes(item.kind)) notFound();
  const back = `/admin/trash${textOf(form, "from")}`;
  try {
    const { title } = await inWorkspace(workspace.id, (db) => deletePermanently(db, item.kind, item.id, actor));
    return await redirectWith(back, `“${title}” permanently deleted.`);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return redirectWith(back, "This item is no longer in the trash.");
  }
}

async function reportOf(work: () => Promise<Restored[]>): Promise<string> {
  try {
    const restored = await work();
    const [first] = restored;
    if (first && restored.length === 1) return `“${first.title}” restored.${first.notes}`;
    const notes = restored.flatMap(({ title, notes }) => (notes ? [` “${title}”:${notes}`] : []));
    return `${countOf(restored.length, "item")} restored.${notes.join("")}`;
  } catch (error) {
    if (error instanceof TooOftenError) return error.message;
    if (!(error instanceof NotFoundError || error instanceof InvalidError)) throw error;
    return `Nothing restored. ${error.message}`;
  }
}

/** Reads `kind:id`, as forms name a thing in the trash. */
function itemOf(value: FormDataEntryValue | null): { kind: TrashKind; id: string } | null {
  const [kind, text] = typeof value === "string" ? value.split(":") : [];
  const known = trashKinds.find((one) => one === kind);
  const id = idOf(text);
  return known && id ? { kind: known, id } : null;
}
