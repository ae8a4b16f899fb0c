"use client";

import Link from "next/link";
import { type KeyboardEvent, useCallback, useRef, useState } from "react";
import type { TreeActions } from "@/components/admin/categories/answers";
import { CategoryLine, indents, lineId } from "@/components/admin/categories/category-line";
import { LineEditor } from "@/components/admin/categories/line-editor";
import {
  branchOf,
  type Line,
  landing,
  type Place,
  pathTo,
  placeOf,
  refusalOf,
  type Step,
} from "@/components/admin/categories/tree";
import { TreeBar } from "@/components/admin/categories/tree-bar";
import { isLetter, keyAct, lineBeginning, shortcuts } from "@/components/admin/categories/tree-keys";
import { UndoMessage } from "@/components/admin/categories/undo-message";
import { useTree } from "@/components/admin/categories/use-tree";
import { ActionsMenu, type MenuEntry } from "@/components/ui/actions-menu";
import { useHydrated } from "@/components/ui/hydrated";
import { useRowDrag } from "@/components/ui/row-drag";
import { PageShortcuts } from "@/components/ui/shortcuts";
import type { TreeCategory } from "@/lib/categories/tree";

/** Pause that ends a typed word, in milliseconds, and the width of a level, in pixels. */
const WORD_MS = 600;
const LEVEL_PX = 24;

/** The category as it was when editing started, or the position of a new one. */
type Editing = { row: TreeCategory; field: "name" | "slug" } | { place: Place };

/** The category tree, ordered by mouse, touch or keyboard. Refused moves are undone. */
export function CategoryTree({
  rows: initial,
  membersOnly,
  mayWrite,
  actions,
}: {
  rows: TreeCategory[];
  membersOnly: boolean;
  /** Whether the member may see the list of articles. */
  mayWrite: boolean;
  actions: TreeActions;
}) {
  const alive = useHydrated();
  const tree = useTree(initial, membersOnly, actions);
  const { rows, lines, current, message, focus, setActive, fold } = tree;
  const [editing, setEditing] = useState<Editing | null>(null);
  const [menu, setMenu] = useState<{ id: string; at: DOMRect } | null>(null);
  const typed = useRef({ text: "", at: 0 });

  const leaveEditor = () => {
    if (current !== null) focus(editing && "row" in editing ? editing.row.id : current);
    setEditing(null);
  };
  const save = async (request: Promise<string | null>): Promise<string | null> => {
    const refused = await request;
    if (refused === null) setEditing(null);
    return refused;
  };
  const startNew = (id: string, where: "below" | "in") => {
    const place = where === "in" ? { parentId: id, before: null } : placeOf(rows, id);
    if (pathTo(rows, place.parentId).length >= indents.length)
      return tree.tell({ text: `Categories can have up to ${indents.length} levels.`, tone: "bad" });
    if (where === "in") tree.unfold([id]);
    setEditing({ place });
  };

  const { drag, onPointerDown } = useRowDrag<
    Place & { level: number; zone: "before" | "into" | "after"; refused: boolean }
  >({
    label: (id) => rows.find((row) => row.id === id)?.name ?? "",
    land: (id, over) => {
      const zone = over.part < 0.3 ? "before" : over.part > 0.7 ? "after" : "into";
      const to = landing(lines, branchOf(rows, id), over.id, zone, Math.round(over.sideways / LEVEL_PX));
      return to && { ...to, zone, refused: refusalOf(rows, id, to) !== null };
    },
    onDrop: (id, { parentId, before }) => {
      setActive(id);
      void tree.move(id, { parentId, before });
    },
  });
  const onEdit = useCallback(
    (row: TreeCategory, field: "name" | "slug") => {
      setActive(row.id);
      setEditing({ row, field });
    },
    [setActive],
  );
  const onMenu = useCallback(
    (id: string, at: DOMRect) => {
      setActive(id);
      setMenu({ id, at });
    },
    [setActive],
  );

  const onKeyDown = (event: KeyboardEvent) => {
    const at = lines.findIndex(({ row }) => row.id === current);
    const line = lines[at];
    if (!line || event.nativeEvent.isComposing || !(event.target instanceof Element)) return;
    // The field keeps its keys, and Enter presses a focused button.
    if (event.target.closest("form") || (event.key === "Enter" && event.target.closest("a, button"))) return;
    const { row, open } = line;
    const act = keyAct(event);
    const to = (id: string | null | undefined) => id && focus(id);
    if (act === null && !isLetter(event)) return;
    // Otherwise the letter would open another page.
    event.preventDefault();
    if (act === null) {
      const { text, at: before } = typed.current;
      typed.current = {
        text: (event.timeStamp - before < WORD_MS ? text : "") + event.key.toLowerCase(),
        at: event.timeStamp,
      };
      to(lineBeginning(lines, at, typed.current.text)?.row.id);
    } else if (typeof act === "object") tree.step(row.id, act.step);
    else if (act === "next" || (act === "right" && open)) to(lines[at + 1]?.row.id);
    else if (act === "previous") to(lines[at - 1]?.row.id);
    else if (act === "first") to(lines[0]?.row.id);
    else if (act === "last") to(lines.at(-1)?.row.id);
    else if ((act === "right" && open === false) || (act === "left" && open)) fold(row.id);
    else if (act === "left") to(row.parentId);
    else if (act === "siblings")
      tree.unfold(rows.filter(({ parentId }) => parentId === row.parentId).map(({ id }) => id));
    else if (act === "edit") onEdit(row, "name");
    else if (act === "below" || act === "in") startNew(row.id, act);
    else if (act === "menu")
      onMenu(row.id, (document.getElementById(lineId(row.id)) ?? document.body).getBoundingClientRect());
    else if (act === "delete") void tree.remove(row);
    else if (act === "undo") tree.undo();
  };

  const entries = (id: string): MenuEntry[] => {
    const row = rows.find((one) => one.id === id);
    if (!row) return [];
    const href = `/admin/categories/${id}`;
    const way = (name: string, key: string, direction: Step): MenuEntry => ({
      name,
      keys: ["Alt", key],
      does: () => tree.step(id, direction),
    });
    return [
      { name: "Edit name and URL", keys: ["F2"], does: () => onEdit(row, "name") },
      { name: "Settings", does: href },
      { name: "Reorder articles", does: `${href}/articles` },
      { name: "Add sibling", keys: ["Shift", "Enter"], does: () => startNew(id, "below"), apart: true },
      { name: "Add subcategory", keys: ["Ctrl", "Enter"], does: () => startNew(id, "in") },
      { ...way("Move up", "↑", "up"), apart: true },
      way("Move down", "↓", "down"),
      way("Indent", "→", "in"),
      way("Outdent", "←", "out"),
      { name: "Merge…", does: `${href}/merge`, apart: true },
      { name: "Delete", keys: ["Del"], does: () => void tree.remove(row), danger: true },
    ];
  };

  const newAt = editing && "place" in editing ? editing.place : null;
  const newLevel = newAt ? pathTo(rows, newAt.parentId).length + 1 : 1;
  const newIndex = newAt ? indexOfNew(lines, newAt, rows) : -1;
  const newLine = newAt && (
    <li
      key="new"
      role="treeitem"
      aria-selected={false}
      aria-level={newLevel}
      aria-label="New category"
      className={`flex min-h-14 items-center border-b border-border md:min-h-10 ${indents[newLevel - 1] ?? ""}`}
    >
      <span className="w-15 shrink-0 md:w-11" />
      <LineEditor
        name=""
        slug={null}
        field="name"
        save={({ name }) => save(tree.create(newAt, name))}
        onLeave={leaveEditor}
      />
    </li>
  );
  const foldable = tree.matches === null && lines.some((line) => line.open !== null);

  return (
    <>
      <PageShortcuts shortcuts={shortcuts} />
      <div className={alive ? "" : "invisible"}>
        <TreeBar
          search={tree.search}
          matches={tree.matches}
          onSearch={tree.searchFor}
          onLeave={() => current !== null && focus(current)}
          onUnfold={foldable ? () => tree.unfold(rows.map(({ id }) => id)) : undefined}
          onFold={foldable ? tree.foldAll : undefined}
        />
      </div>
      <ul
        {...(alive && { role: "tree", "aria-label": "Categories" })}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onFocus={({ target }) => {
          const id = target.closest<HTMLElement>("[data-row]")?.dataset.row;
          if (id !== undefined && id !== current) setActive(id);
        }}
        className="border-t border-border"
      >
        {lines.flatMap((line, index) => {
          const { row } = line;
          const edited = editing !== null && "row" in editing && editing.row.id === row.id ? editing : null;
          const over = drag?.over === row.id ? drag.to : null;
          return [
            ...(newLine && newIndex === index ? [newLine] : []),
            <CategoryLine
              key={row.id}
              {...line}
              alive={alive}
              mayWrite={mayWrite}
              active={current === row.id}
              dragged={drag?.id === row.id}
              mark={over?.zone ?? null}
              markLevel={over?.level ?? 1}
              refused={over?.refused ?? false}
              editor={
                edited && (
                  <LineEditor
                    name={edited.row.name}
                    slug={edited.row.slug}
                    field={edited.field}
                    save={(fields) => save(tree.edit(edited.row, fields))}
                    onLeave={leaveEditor}
                  />
                )
              }
              onFold={fold}
              onEdit={onEdit}
              onMenu={onMenu}
            />,
          ];
        })}
        {newLine && newIndex >= lines.length && newLine}
      </ul>
      {tree.matches === 0 && <p className="py-6 text-center text-text-muted">No categories found</p>}
      {menu && (
        <ActionsMenu
          label={`Actions for ${rows.find(({ id }) => id === menu.id)?.name ?? ""}`}
          at={menu.at}
          entries={entries(menu.id)}
          onClose={() => {
            // Closing the menu restores the focus, unless an action was started.
            const line = document.getElementById(lineId(menu.id));
            if (line && !document.querySelector("[role=tree] form")) focus(menu.id);
            setMenu(null);
          }}
          link={(href, props, children) => (
            <Link href={href} prefetch={false} {...props}>
              {children}
            </Link>
          )}
        />
      )}
      {message && <UndoMessage message={message} onUndo={tree.undo} onClose={tree.closeMessage} />}
    </>
  );
}

/** The index of the line that follows the new category. */
function indexOfNew(lines: readonly Line[], { parentId, before }: Place, rows: readonly TreeCategory[]): number {
  if (before !== null) return lines.findIndex(({ row }) => row.id === before);
  if (parentId === null) return lines.length;
  const branch = branchOf(rows, parentId);
  return lines.findLastIndex(({ row }) => branch.has(row.id)) + 1;
}
