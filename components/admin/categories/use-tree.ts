"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useMemo, useState } from "react";
import { elsewhereWords, reachWords, type TreeActions } from "@/components/admin/categories/answers";
import { lineId } from "@/components/admin/categories/category-line";
import {
  foundIn,
  linesOf,
  moved,
  type Place,
  placed,
  placeOf,
  refusalOf,
  type Step,
  stepFrom,
  totalsOf,
} from "@/components/admin/categories/tree";
import { useMessage } from "@/components/admin/categories/undo-message";
import { useChanges } from "@/components/ui/changes";
import { useFocus } from "@/components/ui/focus";
import { announce } from "@/components/ui/toast";
import type { TreeCategory } from "@/lib/categories/tree";

/** Trees with at most this many categories start unfolded. */
const FEW = 60;

/** Survives navigation: the unfolded categories, and whether visited pages are out of date. */
const remembered: { open: ReadonlySet<string> | null; changed: boolean } = { open: null, changed: false };

/** Reverts one action: moves a category back, or restores a deleted one. */
type Undo = { id: string; to: Place } | { deleted: TreeCategory };

/** The state and the actions of the tree. Each action reports its outcome in a message. */
export function useTree(initial: TreeCategory[], membersOnly: boolean, actions: TreeActions) {
  const router = useRouter();
  const { now: rows, attempt } = useChanges(initial);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => remembered.open ?? firstOpen(initial));
  const [active, setActive] = useState<string | null>(null);
  const { message, tell, begin, closeMessage } = useMessage<Undo>();
  const focusOn = useFocus();
  const [search, setSearch] = useState("");
  /** The categories that were folded or unfolded in what the search found. */
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const found = useMemo(() => foundIn(rows, search), [rows, search]);
  const lines = useMemo(
    () =>
      found
        ? linesOf(found.rows, symmetricDifference(found.open, turned), membersOnly, totalsOf(rows))
        : linesOf(rows, open, membersOnly),
    [rows, open, membersOnly, found, turned],
  );
  const searchFor = useCallback((text: string) => {
    setSearch(text);
    setTurned(new Set());
  }, []);
  const isSearching = found !== null;
  const current = lines.some(({ row }) => row.id === active) ? active : (lines[0]?.row.id ?? null);

  // The browser's Back shows an old copy of the page.
  useEffect(() => {
    if (remembered.changed) router.refresh();
  }, [router]);
  useEffect(() => {
    remembered.open = open;
  }, [open]);

  const focus = useCallback(
    (id: string) => {
      setActive(id);
      focusOn(lineId(id));
    },
    [focusOn],
  );
  const unfold = (ids: readonly (string | null)[]) =>
    setOpen((before) => new Set([...before, ...ids.filter((id) => id !== null)]));
  const foldAll = () => setOpen(new Set());
  const fold = useCallback(
    (id: string) => {
      focus(id);
      (isSearching ? setTurned : setOpen)((before) => symmetricDifference(before, new Set([id])));
    },
    [focus, isSearching],
  );

  /** Runs a request. A refusal shows its reason and keeps the current position. */
  const run: typeof attempt = async (request, keep, meanwhile) => {
    const answer = await attempt(request, keep, meanwhile);
    remembered.changed = true;
    if (typeof answer !== "string") return answer;
    if (current !== null && document.activeElement?.closest("[role=tree]")) focus(current);
    tell({ text: answer, tone: "bad" });
    return answer;
  };

  const move = async (id: string, to: Place, undoes = false) => {
    const refused = refusalOf(rows, id, to);
    if (refused !== null) return tell({ text: refused, tone: "bad" });
    const from = placeOf(rows, id);
    if (from.parentId === to.parentId && (from.before === to.before || to.before === id)) return;
    const name = rows.find((row) => row.id === id)?.name ?? "";
    const apply = (before: TreeCategory[]) => moved(before, id, to);
    const where = `Moved “${name}” ${whereIs(apply(rows), id)}`;
    unfold([to.parentId]);
    announce(where);
    const toTell = begin();
    const answer = await run(actions.move({ id, from: { parentId: from.parentId }, to }), () => apply, apply);
    if (typeof answer === "string") return;
    const reach = reachWords(answer.reach);
    const text = (undoes ? `Moved “${name}” back.` : where) + reach;
    toTell({ text, undo: undoes ? undefined : { id, to: from } });
    if (reach) announce(text);
  };
  const step = (id: string, way: Step) => {
    const to = stepFrom(rows, id, way);
    focus(id);
    if (typeof to === "string") tell({ text: to });
    else void move(id, to);
  };

  const remove = async (row: TreeCategory) => {
    if (row.published + row.drafts > 0 || rows.some(({ parentId }) => parentId === row.id)) {
      router.push(`/admin/categories/${row.id}/delete`);
      return;
    }
    const at = lines.findIndex((line) => line.row.id === row.id);
    const next = lines[at + 1]?.row.id ?? lines[at - 1]?.row.id;
    if (next !== undefined) focus(next);
    const apply = (before: TreeCategory[]) => before.filter(({ id }) => id !== row.id);
    const toTell = begin();
    const answer = await run(actions.remove({ id: row.id }), () => apply, apply);
    if (typeof answer === "string") return;
    const text = `Deleted “${row.name}”`;
    toTell({ text, undo: { deleted: row } });
    announce(text);
  };
  const restore = async (row: TreeCategory) => {
    const answer = await run(
      actions.restore({ id: row.id }),
      ({ rows: back }) =>
        () =>
          back,
    );
    if (typeof answer === "string") return;
    focus(row.id);
    tell({ text: `Restored “${row.name}.”${elsewhereWords(answer.elsewhere.length, answer.elsewhere)}` });
  };
  const undo = () => {
    if (!message?.undo) return;
    if ("deleted" in message.undo) return void restore(message.undo.deleted);
    focus(message.undo.id);
    void move(message.undo.id, message.undo.to, true);
  };

  /** @returns why the change was refused, or null. `create` returns the same. */
  const edit = async (row: TreeCategory, fields: { name: string; slug: string }): Promise<string | null> => {
    const answer = await attempt(
      actions.edit({ id: row.id, seen: row.seen, ...fields }),
      ({ name, slug, seen }) =>
        (before) =>
          before.map((one) => (one.id === row.id ? { ...one, name, slug, seen } : one)),
    );
    if (typeof answer === "string") return answer;
    remembered.changed = true;
    focus(row.id);
    tell({ text: `Saved “${answer.name}.” Its URL is /categories/${answer.slug}.` });
    return null;
  };
  const create = async (place: Place, name: string): Promise<string | null> => {
    const answer = await attempt(actions.create({ ...place, name }), ({ id, slug, seen, name: stored }) => {
      const row = { id, name: stored, slug, seen, parentId: place.parentId, visibility: "inherit" as const };
      return (before) => placed(before, { ...row, published: 0, drafts: 0 }, place.before);
    });
    if (typeof answer === "string") return answer;
    remembered.changed = true;
    // The search might not find the new category.
    searchFor("");
    focus(answer.id);
    tell({ text: `Created “${answer.name}”` });
    return null;
  };

  return {
    rows,
    lines,
    current,
    search,
    searchFor,
    matches: found?.matches ?? null,
    message,
    closeMessage,
    setActive,
    focus,
    tell,
    fold,
    unfold,
    foldAll,
    move,
    step,
    remove,
    undo,
    edit,
    create,
  };
}

function symmetricDifference(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...[...one].filter((id) => !other.has(id)), ...[...other].filter((id) => !one.has(id))]);
}

function firstOpen(rows: readonly TreeCategory[]): ReadonlySet<string> {
  return new Set(rows.length <= FEW ? rows.map(({ id }) => id) : []);
}

/** A category's position, as the end of a sentence that it was moved. */
function whereIs(rows: readonly TreeCategory[], id: string): string {
  const row = rows.find((one) => one.id === id);
  const level = rows.filter(({ parentId }) => parentId === row?.parentId);
  const above = rows.find((one) => one.id === row?.parentId);
  const at = level.findIndex((one) => one.id === id) + 1;
  return `to ${at} of ${level.length} ${above ? `in “${above.name}.”` : "at the top level."}`;
}
