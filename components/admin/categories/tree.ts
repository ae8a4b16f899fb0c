import { matching } from "@/components/ui/match";
import type { TreeCategory } from "@/lib/categories/tree";

/** A category's position: its parent (null for the top level) and the sibling after it (null for the end). */
export interface Place {
  parentId: string | null;
  before: string | null;
}

export interface Line {
  row: TreeCategory;
  /** From 1. */
  level: number;
  /** Among its siblings, from 1, and the number of siblings. */
  position: number;
  size: number;
  /** Null when the category has no subcategories. */
  open: boolean | null;
  /** Whether the category or one of its parents is for members only. */
  closed: boolean;
  /** With those of its subcategories. */
  published: number;
  drafts: number;
}

interface Count {
  published: number;
  drafts: number;
}

/** The articles of each category with those of its subcategories. */
export function totalsOf(rows: readonly TreeCategory[]): Map<string, Count> {
  const children = childrenOf(rows);
  const totals = new Map<string, Count>();
  const add = ({ id, published, drafts }: TreeCategory): Count => {
    const total = { published, drafts };
    for (const child of children.get(id) ?? []) {
      const below = add(child);
      total.published += below.published;
      total.drafts += below.drafts;
    }
    totals.set(id, total);
    return total;
  };
  for (const row of children.get(null) ?? []) add(row);
  return totals;
}

/**
 * What a search shows: the matches with the path to each and all that is below. `open` unfolds the paths.
 * @returns null when nothing is searched
 */
export function foundIn(
  rows: readonly TreeCategory[],
  search: string,
): { rows: TreeCategory[]; open: Set<string>; matches: number } | null {
  if (search.trim() === "") return null;
  const matches = matching(rows, search);
  const children = childrenOf(rows);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const open = new Set<string>();
  const shown = new Set<string>();
  const addBelow = (id: string) => {
    if (shown.has(id)) return;
    shown.add(id);
    for (const child of children.get(id) ?? []) addBelow(child.id);
  };
  for (const { id, parentId } of matches) {
    addBelow(id);
    for (let above = parentId; above !== null && !open.has(above); above = byId.get(above)?.parentId ?? null)
      open.add(above);
  }
  return { rows: rows.filter(({ id }) => shown.has(id) || open.has(id)), open, matches: matches.length };
}

const MOST_LEVELS = 6;

/** The visible lines of a tree, from top to bottom. @param totals of the whole tree, if the rows are a part of it */
export function linesOf(
  rows: readonly TreeCategory[],
  open: ReadonlySet<string>,
  membersOnly: boolean,
  totals: ReadonlyMap<string, Count> = totalsOf(rows),
): Line[] {
  const children = childrenOf(rows);
  const lines: Line[] = [];
  const add = (parentId: string | null, level: number, above: boolean) => {
    const here = children.get(parentId) ?? [];
    here.forEach((row, index) => {
      const hasChildren = (children.get(row.id)?.length ?? 0) > 0;
      const isOpen = open.has(row.id);
      const closed = row.visibility === "members" || (above && !(level === 1 && row.visibility === "everyone"));
      const { published, drafts } = totals.get(row.id) ?? row;
      const place = { level, position: index + 1, size: here.length };
      lines.push({ row, ...place, open: hasChildren ? isOpen : null, closed, published, drafts });
      if (hasChildren && isOpen) add(row.id, level + 1, closed);
    });
  };
  add(null, 1, membersOnly);
  return lines;
}

/** Subcategories by parent, in order. The key null holds the top level. */
export function childrenOf(rows: readonly TreeCategory[]): Map<string | null, TreeCategory[]> {
  const children = new Map<string | null, TreeCategory[]>();
  for (const row of rows) {
    const level = children.get(row.parentId);
    if (level) level.push(row);
    else children.set(row.parentId, [row]);
  }
  return children;
}

/** The path from the top to a category, with the category itself. */
export function pathTo(rows: readonly TreeCategory[], id: string | null): TreeCategory[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const path: TreeCategory[] = [];
  for (
    let row = id === null ? undefined : byId.get(id);
    row;
    row = row.parentId === null ? undefined : byId.get(row.parentId)
  ) {
    path.unshift(row);
    if (path.length > MOST_LEVELS) break;
  }
  return path;
}

export function branchOf(rows: readonly TreeCategory[], id: string): Set<string> {
  const children = childrenOf(rows);
  const branch = new Set<string>();
  const add = (one: string) => {
    branch.add(one);
    for (const child of children.get(one) ?? []) add(child.id);
  };
  add(id);
  return branch;
}

/** The tree after a move. An unknown category or target changes nothing. */
export function moved(rows: readonly TreeCategory[], id: string, to: Place): TreeCategory[] {
  const row = rows.find((one) => one.id === id);
  if (!row) return [...rows];
  return placed(
    rows.filter((one) => one !== row),
    { ...row, parentId: to.parentId },
    to.before,
  );
}

export function placed(rows: readonly TreeCategory[], row: TreeCategory, before: string | null): TreeCategory[] {
  const at = before === null ? -1 : rows.findIndex((one) => one.id === before);
  return at < 0 ? [...rows, row] : [...rows.slice(0, at), row, ...rows.slice(at)];
}

export function placeOf(rows: readonly TreeCategory[], id: string): Place {
  const parentId = rows.find((one) => one.id === id)?.parentId ?? null;
  const level = childrenOf(rows).get(parentId) ?? [];
  return { parentId, before: level[level.findIndex((one) => one.id === id) + 1]?.id ?? null };
}

export type Step = "up" | "down" | "in" | "out";

/**
 * The position one step away.
 * @returns a sentence if the step is not possible
 */
export function stepFrom(rows: readonly TreeCategory[], id: string, step: Step): Place | string {
  const row = rows.find((one) => one.id === id);
  if (!row) return "This category no longer exists.";
  const children = childrenOf(rows);
  const level = children.get(row.parentId) ?? [];
  const at = level.indexOf(row);
  const previous = level[at - 1];
  if (step === "up") {
    return previous ? { parentId: row.parentId, before: previous.id } : `“${row.name}” is already first.`;
  }
  if (step === "down") {
    if (at === level.length - 1) return `“${row.name}” is already last.`;
    return { parentId: row.parentId, before: level[at + 2]?.id ?? null };
  }
  if (step === "in") {
    return previous ? { parentId: previous.id, before: null } : `“${row.name}” has no category above it at this level.`;
  }
  if (row.parentId === null) return `“${row.name}” is already at the top level.`;
  return {
    parentId: rows.find((one) => one.id === row.parentId)?.parentId ?? null,
    before: placeOf(rows, row.parentId).before,
  };
}

/** @returns why a category cannot move to a position, as far as the tree knows, or null */
export function refusalOf(rows: readonly TreeCategory[], id: string, to: Place): string | null {
  if (to.parentId === null) return null;
  const name = rows.find((one) => one.id === id)?.name ?? "";
  if (branchOf(rows, id).has(to.parentId)) return `“${name}” can't be moved into itself or its subcategories.`;
  const children = childrenOf(rows);
  const height = (one: string): number =>
    1 + Math.max(0, ...(children.get(one) ?? []).map((child) => height(child.id)));
  return pathTo(rows, to.parentId).length + height(id) > MOST_LEVELS
    ? `Categories can have up to ${MOST_LEVELS} levels. Move “${name}” further up.`
    : null;
}

/** The part of a line under the pointer. */
export type Zone = "before" | "into" | "after";

/**
 * The position of a dropped category: into the line, or in the gap before or after it. Where a gap is between levels, a
 * sideways move picks the level.
 * @returns the position and its level, or null when the drop is on the category itself or its descendants
 */
export function landing(
  lines: readonly Line[],
  dragged: ReadonlySet<string>,
  over: string,
  zone: Zone,
  sideways: number,
): (Place & { level: number }) | null {
  if (dragged.has(over)) return null;
  const rest = lines.filter(({ row }) => !dragged.has(row.id));
  const at = rest.findIndex(({ row }) => row.id === over);
  const line = rest[at];
  if (!line) return null;
  if (zone === "into") return { parentId: over, before: null, level: line.level + 1 };
  const previous = zone === "before" ? rest[at - 1] : line;
  const next = zone === "before" ? line : rest[at + 1];
  const opens = previous !== undefined && next !== undefined && next.level > previous.level;
  const most = previous ? previous.level + (opens ? 1 : 0) : 1;
  const least = next?.level ?? 1;
  const natural = zone === "before" || opens ? (next?.level ?? 1) : line.level;
  const level = Math.max(least, Math.min(most, natural + sideways));
  let parent = opens || !previous ? previous : undefined;
  if (previous && !opens) {
    for (let index = rest.indexOf(previous); index >= 0 && !parent; index--) {
      const above = rest[index];
      if (above && above.level === level - 1) parent = above;
      if (level === 1) break;
    }
  }
  return { parentId: parent?.row.id ?? null, before: next?.level === level ? next.row.id : null, level };
}
