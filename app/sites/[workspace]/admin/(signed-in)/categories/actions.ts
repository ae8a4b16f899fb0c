"use server";

import { z } from "zod";
import { type ArticleActions, reachWords, type TreeActions } from "@/components/admin/categories/answers";
import type { Refused } from "@/components/ui/changes";
import type { FormState } from "@/components/ui/form";
import { createCategory, updateCategory } from "@/lib/categories/changes";
import type { CategoryVisibility } from "@/lib/categories/fields";
import { placeArticle, placeCategory } from "@/lib/categories/places";
import { removeCategory, restoreCategory } from "@/lib/categories/removal";
import { findCategoryDetails, listCategoryTree, listOrderedArticles } from "@/lib/categories/tree";
import { type Db, inWorkspace, type Read, readingOf, readWorkspace } from "@/lib/db";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { textOf } from "@/lib/http/form";
import { requireMember } from "@/lib/session";
import { redirectWith } from "../../_flash";
import { refused, refusedFor } from "../../_form";
import { MOST_ARTICLES } from "./_choices";

// Actions for forms answer with a page. Actions for the tree answer with the changes, or with the reason for a refusal and
// the current tree.

const Id = z.guid();

/** Reads an id from a form. A malformed id becomes the nil UUID, which matches no row. */
const idOf = (form: FormData, name: string): string =>
  Id.safeParse(textOf(form, name)).data ?? "00000000-0000-0000-0000-000000000000";
/** The same for a choice with an empty option. */
const choiceOf = (form: FormData, name: string): string | null => (textOf(form, name) === "" ? null : idOf(form, name));
const numberOf = (form: FormData, name: string): number =>
  /^\d{1,6}$/.test(textOf(form, name)) ? Number(textOf(form, name)) : NaN;

/** Runs a form's action. Returns the form's state when it was refused. */
async function within<T>(
  form: FormData,
  work: (db: Db, signed: Awaited<ReturnType<typeof requireMember>>) => Promise<T>,
): Promise<{ done: T } | { state: FormState }> {
  const signed = await requireMember("categories.manage");
  try {
    return { done: await inWorkspace(signed.workspace.id, (db) => work(db, signed)) };
  } catch (error) {
    return { state: refused(form, error) };
  }
}

export async function submitCreateCategory(_previous: FormState, form: FormData): Promise<FormState> {
  const input = {
    name: textOf(form, "name"),
    slug: textOf(form, "slug"),
    parentId: choiceOf(form, "parent"),
    visibility: textOf(form, "visibility") as CategoryVisibility,
    description: textOf(form, "description"),
  };
  const result = await within(form, (db, { actor }) => createCategory(db, input, actor));
  if ("state" in result) return result.state;
  return redirectWith("/admin/categories", `Created “${result.done.name}”`);
}

export async function submitCategory(_previous: FormState, form: FormData): Promise<FormState> {
  const input = {
    name: textOf(form, "name"),
    slug: textOf(form, "slug"),
    description: textOf(form, "description"),
    visibility: textOf(form, "visibility") as CategoryVisibility,
  };
  const id = idOf(form, "id");
  const result = await within(form, (db, { actor }) =>
    updateCategory(db, id, input, actor, Number(textOf(form, "seen"))),
  );
  if ("state" in result) return result.state;
  return redirectWith(`/admin/categories/${id}`, `Saved “${result.done.name}”`);
}

export async function submitPlace(_previous: FormState, form: FormData): Promise<FormState> {
  const id = idOf(form, "id");
  const position = numberOf(form, "position");
  if (!(position >= 1)) {
    await requireMember("categories.manage");
    return refusedFor(form, "position", "Enter a position of 1 or higher.");
  }
  const result = await within(form, (db, { actor }) =>
    placeCategory(db, id, { parentId: choiceOf(form, "parent"), position }, actor, seenIn(form)),
  );
  if ("state" in result) return result.state;
  const { name, back, reach } = result.done;
  const now = choiceOf(form, "parent");
  return redirectWith(`/admin/categories/${id}`, `Moved “${name}.”${reachWords(reach)}`, {
    name: "categoryPlace",
    fields: { id, parent: back.parentId ?? "", before: back.before ?? "", from: now ?? "" },
  });
}

/** The category's position when the form was rendered. After another move, the form moves nothing. */
function seenIn(form: FormData): { parentId: string | null } {
  return { parentId: choiceOf(form, "from") };
}

/** Undoes a move. */
export async function submitPlaceBack(form: FormData): Promise<void> {
  const id = idOf(form, "id");
  const to = { parentId: choiceOf(form, "parent"), before: choiceOf(form, "before") };
  const result = await within(form, (db, { actor }) => placeCategory(db, id, to, actor, seenIn(form)));
  const name = "state" in result ? await nameOf(id) : result.done.name;
  const stays = `Couldn't move “${name}” back because the category tree changed in the meantime.`;
  return redirectWith("/admin/categories", "state" in result ? stays : `Moved “${name}” back.`);
}

export async function submitMerge(_previous: FormState, form: FormData): Promise<FormState> {
  return removed(form, "merged");
}

export async function submitDelete(_previous: FormState, form: FormData): Promise<FormState> {
  return removed(form, "deleted");
}

async function removed(form: FormData, as: "merged" | "deleted"): Promise<FormState> {
  const [id, into] = [idOf(form, "id"), choiceOf(form, "into")];
  const result = await within(form, (db, { actor }) => {
    if (as === "merged" && into === null) {
      throw new InvalidError([{ field: "into", code: "required", message: "Choose a category to merge into." }]);
    }
    return removeCategory(db, id, into, actor, as);
  });
  if ("state" in result) return result.state;
  const undo = { name: "deletion", fields: { one: `category:${id}` } } as const;
  if (!into) return redirectWith("/admin/categories", "Category deleted.", undo);
  const target = await nameOf(into);
  const message =
    as === "merged"
      ? `Merged into “${target}.” The old URL redirects there.`
      : `Category deleted. Its contents are in “${target}.”`;
  return redirectWith("/admin/categories", message + reachWords(result.done.reach), undo);
}

async function nameOf(id: string): Promise<string | undefined> {
  const { workspace } = await requireMember("categories.manage");
  return (await readWorkspace(workspace.id, (read) => findCategoryDetails(read, id)))?.name;
}

export async function submitArticlePlace(_previous: FormState, form: FormData): Promise<FormState> {
  const [id, article] = [idOf(form, "id"), idOf(form, "article")];
  const position = numberOf(form, "position");
  if (!(position >= 1)) {
    await requireMember("categories.manage");
    return refusedFor(form, "position", "Enter a position of 1 or higher.");
  }
  const result = await within(form, async (db, { actor }) => {
    const { title } = await placeArticle(db, id, article, { position }, actor);
    const ordered = await listOrderedArticles(readingOf(db), id, MOST_ARTICLES);
    return { title, number: ordered.findIndex((one) => one.id === article) + 1 };
  });
  if ("state" in result) return result.state;
  return redirectWith(
    `/admin/categories/${id}/articles`,
    `Moved “${result.done.title}” to position ${result.done.number}.`,
  );
}

type Actor = Awaited<ReturnType<typeof requireMember>>["actor"];

/** Runs a script's action after checking its input, because clients can send anything. */
async function respond<Shape extends z.ZodType, T extends object, Now>(
  shape: Shape,
  input: unknown,
  work: (db: Db, input: z.output<Shape>, actor: Actor) => Promise<T>,
  now: (read: Read, input: z.output<Shape> | undefined) => Promise<Now>,
): Promise<T | Refused<Now>> {
  const { workspace, actor } = await requireMember("categories.manage");
  const parsed = shape.safeParse(input);
  try {
    if (!parsed.success) throw new InvalidError([], "Reload the page and try again.");
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

export async function moveInTree(input: z.input<typeof Move>): ReturnType<TreeActions["move"]> {
  return respond(
    Move,
    input,
    (db, { id, to, from }, actor) => placeCategory(db, id, to, actor, from),
    listCategoryTree,
  );
}

export async function editInTree(input: z.input<typeof Edit>): ReturnType<TreeActions["edit"]> {
  return respond(
    Edit,
    input,
    (db, { id, name, slug, seen }, actor) => updateCategory(db, id, { name, slug }, actor, seen),
    listCategoryTree,
  );
}

export async function createInTree(input: z.input<typeof Create>): ReturnType<TreeActions["create"]> {
  return respond(Create, input, createCategory, listCategoryTree);
}

export async function deleteInTree(input: z.input<typeof One>): ReturnType<TreeActions["remove"]> {
  return respond(One, input, (db, { id }, actor) => removeCategory(db, id, null, actor), listCategoryTree);
}

export async function restoreInTree(input: z.input<typeof One>): ReturnType<TreeActions["restore"]> {
  return respond(
    One,
    input,
    async (db, { id }, actor) => {
      const { elsewhere } = await restoreCategory(db, id, actor);
      return { rows: await listCategoryTree(readingOf(db)), elsewhere };
    },
    listCategoryTree,
  );
}

export async function moveArticle(input: z.input<typeof ArticleMove>): ReturnType<ArticleActions["move"]> {
  return respond(
    ArticleMove,
    input,
    (db, { id, article, before }, actor) => placeArticle(db, id, article, { before }, actor),
    async (read, data) => (data ? listOrderedArticles(read, data.id, MOST_ARTICLES) : []),
  );
}
