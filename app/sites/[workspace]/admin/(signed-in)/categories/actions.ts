"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import type { ArticleActions, TreeActions } from "@/components/admin/categories/answers";
import type { Refused } from "@/components/ui/changes";
import type { FormState } from "@/components/ui/form";
import { createCategory, updateCategory } from "@/lib/categories/changes";
import type { CategoryVisibility } from "@/lib/categories/fields";
import { type Moved, placeArticle, placeCategory } from "@/lib/categories/places";
import { removeCategory, restoreCategory } from "@/lib/categories/removal";
import { listCategoryTree, listOrderedArticles } from "@/lib/categories/tree";
import { type Db, inWorkspace, type Read, readingOf, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/form";
import { requireActor } from "@/lib/session";
import { refused, refusedFor } from "../../_form";
import { MOST_ARTICLES } from "./_choices";

// Those that a form sends answer with a page. Those that the tree sends answer with what has changed; what was refused
// with the reason, and the tree as it is.

const Id = z.guid();

/** An id of a form; one that is none is that of nothing. */
const idOf = (form: FormData, name: string): string =>
  Id.safeParse(textOf(form, name)).data ?? "00000000-0000-0000-0000-000000000000";
/** The same of a choice that has an empty one. */
const choiceOf = (form: FormData, name: string): string | null => (textOf(form, name) === "" ? null : idOf(form, name));
const numberOf = (form: FormData, name: string): number =>
  /^\d{1,6}$/.test(textOf(form, name)) ? Number(textOf(form, name)) : NaN;

/** What a form does, for whom; the state to show when it was refused. */
async function within<T>(
  form: FormData,
  work: (db: Db, acting: Awaited<ReturnType<typeof requireActor>>) => Promise<T>,
): Promise<{ done: T } | { state: FormState }> {
  const acting = await requireActor("categories.manage");
  try {
    return { done: await inWorkspace(acting.workspace.id, (db) => work(db, acting)) };
  } catch (error) {
    return { state: refused(form, error) };
  }
}

export async function submitCreateCategory(_before: FormState, form: FormData): Promise<FormState> {
  const given = {
    name: textOf(form, "name"),
    slug: textOf(form, "slug"),
    parentId: choiceOf(form, "parent"),
    visibility: textOf(form, "visibility") as CategoryVisibility,
    description: textOf(form, "description"),
  };
  const result = await within(form, (db, { actor }) => createCategory(db, given, actor));
  if ("state" in result) return result.state;
  redirect(`/admin/categories?done=created&of=${result.done.id}`);
}

export async function submitCategory(_before: FormState, form: FormData): Promise<FormState> {
  const given = {
    name: textOf(form, "name"),
    slug: textOf(form, "slug"),
    description: textOf(form, "description"),
    visibility: textOf(form, "visibility") as CategoryVisibility,
  };
  const id = idOf(form, "id");
  const result = await within(form, (db, { actor }) =>
    updateCategory(db, id, given, actor, Number(textOf(form, "seen"))),
  );
  if ("state" in result) return result.state;
  redirect(`/admin/categories/${id}?done=saved`);
}

export async function submitPlace(_before: FormState, form: FormData): Promise<FormState> {
  const id = idOf(form, "id");
  const position = numberOf(form, "position");
  if (!(position >= 1)) {
    await requireActor("categories.manage");
    return refusedFor(form, "position", "A place is a number from 1 on: 1 is the first.");
  }
  const result = await within(form, (db, { actor }) =>
    placeCategory(db, id, { parentId: choiceOf(form, "parent"), position }, actor, seenIn(form)),
  );
  if ("state" in result) return result.state;
  redirect(`/admin/categories/${id}?${movedWords(id, result.done, choiceOf(form, "parent"))}`);
}

/** Where whoever moves a category saw it: a form that is older than somebody else's move moves nothing. */
function seenIn(form: FormData): { parentId: string | null } {
  return { parentId: choiceOf(form, "from") };
}

function movedWords(id: string, { back, reach }: Moved, now: string | null): string {
  return new URLSearchParams({
    ...{ done: "moved", of: id, parent: back.parentId ?? "", before: back.before ?? "", from: now ?? "" },
    ...(reach && { reach }),
  }).toString();
}

/** Undoes a move. */
export async function submitPlaceBack(form: FormData): Promise<void> {
  const id = idOf(form, "id");
  const to = { parentId: choiceOf(form, "parent"), before: choiceOf(form, "before") };
  const result = await within(form, (db, { actor }) => placeCategory(db, id, to, actor, seenIn(form)));
  redirect(`/admin/categories?done=${"state" in result ? "stays" : "back"}&of=${id}`);
}

export async function submitMerge(_before: FormState, form: FormData): Promise<FormState> {
  return removed(form, "merged");
}

export async function submitDelete(_before: FormState, form: FormData): Promise<FormState> {
  return removed(form, "deleted");
}

async function removed(form: FormData, as: "merged" | "deleted"): Promise<FormState> {
  const [id, into] = [idOf(form, "id"), choiceOf(form, "into")];
  const result = await within(form, (db, { actor }) => {
    if (as === "merged" && into === null) {
      throw new InvalidError([{ field: "into", code: "required", message: "Choose the category to merge it into." }]);
    }
    return removeCategory(db, id, into, actor, as);
  });
  if ("state" in result) return result.state;
  const { reach } = result.done;
  redirect(`/admin/categories?done=${as}&of=${into ?? id}${into ? "&into=1" : ""}${reach ? `&reach=${reach}` : ""}`);
}

/** Brings an empty category back that was deleted. */
export async function submitRestore(form: FormData): Promise<void> {
  const id = idOf(form, "id");
  const result = await within(form, (db, { actor }) => restoreCategory(db, id, actor));
  if ("state" in result) redirect(`/admin/categories?done=lost&of=${id}`);
  const { length } = result.done.elsewhere;
  redirect(`/admin/categories?done=restored&of=${id}${length > 0 ? `&elsewhere=${length}` : ""}`);
}

export async function submitArticlePlace(_before: FormState, form: FormData): Promise<FormState> {
  const [id, article] = [idOf(form, "id"), idOf(form, "article")];
  const position = numberOf(form, "position");
  if (!(position >= 1)) {
    await requireActor("categories.manage");
    return refusedFor(form, "position", "A place is a number from 1 on: 1 is the first.");
  }
  const result = await within(form, (db, { actor }) => placeArticle(db, id, article, { position }, actor));
  if ("state" in result) return result.state;
  redirect(`/admin/categories/${id}/articles?done=moved&of=${article}`);
}

type Actor = Awaited<ReturnType<typeof requireActor>>["actor"];

/** Does what a script asks for, of a shape that is checked: an action can be sent anything. */
async function asked<Shape extends z.ZodType, T extends object, Now>(
  shape: Shape,
  given: unknown,
  work: (db: Db, given: z.output<Shape>, actor: Actor) => Promise<T>,
  now: (read: Read, given: z.output<Shape> | undefined) => Promise<Now>,
): Promise<T | Refused<Now>> {
  const { workspace, actor } = await requireActor("categories.manage");
  const parsed = shape.safeParse(given);
  try {
    if (!parsed.success) throw new InvalidError([], "This cannot be done. Reload the page, and try again.");
    return await inWorkspace(workspace.id, (db) => work(db, parsed.data, actor));
  } catch (error) {
    if (!(error instanceof InvalidError || error instanceof NotFoundError)) throw error;
    return { refused: error.message, now: await readWorkspace(workspace.id, (read) => now(read, parsed.data)) };
  }
}

const Place = z.object({ parentId: Id.nullable(), before: Id.nullable() });
const One = z.object({ id: Id });
const Move = One.extend({ from: z.object({ parentId: Id.nullable() }).optional(), to: Place });
const Edit = One.extend({ name: z.string(), slug: z.string(), seen: z.number() });
const Create = Place.extend({ name: z.string() });
const ArticleMove = One.extend({ article: Id, before: Id.nullable() });

export async function moveInTree(given: z.input<typeof Move>): ReturnType<TreeActions["move"]> {
  return asked(Move, given, (db, { id, to, from }, actor) => placeCategory(db, id, to, actor, from), listCategoryTree);
}

export async function editInTree(given: z.input<typeof Edit>): ReturnType<TreeActions["edit"]> {
  return asked(
    Edit,
    given,
    (db, { id, name, slug, seen }, actor) => updateCategory(db, id, { name, slug }, actor, seen),
    listCategoryTree,
  );
}

export async function createInTree(given: z.input<typeof Create>): ReturnType<TreeActions["create"]> {
  return asked(Create, given, createCategory, listCategoryTree);
}

export async function deleteInTree(given: z.input<typeof One>): ReturnType<TreeActions["remove"]> {
  return asked(One, given, (db, { id }, actor) => removeCategory(db, id, null, actor), listCategoryTree);
}

export async function restoreInTree(given: z.input<typeof One>): ReturnType<TreeActions["restore"]> {
  return asked(
    One,
    given,
    async (db, { id }, actor) => {
      const { elsewhere } = await restoreCategory(db, id, actor);
      return { rows: await listCategoryTree(readingOf(db)), elsewhere };
    },
    listCategoryTree,
  );
}

export async function moveArticle(given: z.input<typeof ArticleMove>): ReturnType<ArticleActions["move"]> {
  return asked(
    ArticleMove,
    given,
    (db, { id, article, before }, actor) => placeArticle(db, id, article, { before }, actor),
    async (read, data) => (data ? listOrderedArticles(read, data.id, MOST_ARTICLES) : []),
  );
}
