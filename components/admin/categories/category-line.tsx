"use client";

import { ChevronRight, Ellipsis } from "lucide-react";
import Link from "next/link";
import { memo, type ReactNode } from "react";
import type { Line } from "@/components/admin/categories/tree";
import { countOf, number } from "@/components/ui/count";
import type { TreeCategory } from "@/lib/categories/tree";

interface LineHandlers {
  onFold: (id: string) => void;
  onEdit: (row: TreeCategory, field: "name" | "slug") => void;
  onMenu: (id: string, at: DOMRect) => void;
}

export const indents = ["", "pl-3 md:pl-6", "pl-6 md:pl-12", "pl-9 md:pl-18", "pl-12 md:pl-24", "pl-15 md:pl-30"];

export const lineId = (id: string) => `category-${id}`;

/**
 * One category in the tree. Without scripts, its name links to the category's page, which has every action.
 * @param alive whether scripts run
 * @param mark shows the effect of a drop: a line at an edge, or the category as the target
 */
export const CategoryLine = memo(function CategoryLine({
  row,
  level,
  position,
  size,
  open,
  closed,
  published,
  drafts,
  alive,
  mayWrite,
  active,
  dragged,
  mark,
  markLevel,
  refused,
  editor,
  onFold,
  onEdit,
  onMenu,
}: {
  alive: boolean;
  mayWrite: boolean;
  active: boolean;
  dragged: boolean;
  mark: "before" | "into" | "after" | null;
  markLevel: number;
  refused: boolean;
  editor?: ReactNode;
} & Line &
  LineHandlers) {
  const { id, name, slug, visibility } = row;
  const href = `/admin/categories/${id}`;
  const tree = alive
    ? {
        role: "treeitem",
        tabIndex: active ? 0 : -1,
        "aria-level": level,
        "aria-posinset": position,
        "aria-setsize": size,
        "aria-expanded": open ?? undefined,
        "aria-selected": active,
        "aria-labelledby": editor ? undefined : `${lineId(id)}-name`,
        "aria-label": editor ? `Edit ${name}` : undefined,
        "aria-describedby": editor ? undefined : `${lineId(id)}-about`,
      }
    : {};
  const isDirect = published === row.published && drafts === row.drafts;
  const marked = refused ? "bg-danger" : "bg-accent";
  return (
    <li
      id={lineId(id)}
      data-row={id}
      {...tree}
      className={`relative border-b border-border outline-offset-[-2px] [contain-intrinsic-size:auto_2.5rem] [content-visibility:auto] ${dragged ? "opacity-50" : ""} ${mark === "into" ? (refused ? "outline-2 outline-danger" : "bg-highlight outline-2 outline-accent") : "hover:bg-surface-raised"}`}
    >
      {(mark === "before" || mark === "after") && (
        <span
          aria-hidden="true"
          className={`pointer-events-none absolute inset-x-0 z-[1] ${mark === "before" ? "top-0" : "bottom-0"} ${indents[markLevel - 1] ?? ""}`}
        >
          <span className={`block h-0.5 ${marked}`} />
        </span>
      )}
      <div className={`flex min-h-14 items-center gap-0.5 md:min-h-10 ${indents[level - 1] ?? ""}`}>
        <span
          data-grip=""
          aria-hidden="true"
          className={`flex h-11 w-8 shrink-0 cursor-grab touch-none items-center justify-center text-text-muted md:h-9 md:w-5 ${alive ? "" : "invisible"}`}
        >
          <Grip />
        </span>
        {open === null || !alive ? (
          <span className="w-7 shrink-0 md:w-6" />
        ) : (
          <button
            type="button"
            tabIndex={-1}
            aria-label={`${open ? "Collapse" : "Expand"} ${name}`}
            onClick={() => onFold(id)}
            className="flex h-11 w-7 shrink-0 cursor-pointer items-center justify-center text-text-muted hover:text-text md:h-9 md:w-6"
          >
            <ChevronRight aria-hidden="true" className={`size-4 ${open ? "rotate-90" : ""}`} />
          </button>
        )}
        {editor ?? (
          <div className="min-w-0 flex-1 py-1.5 md:flex md:items-center md:gap-3 md:py-0">
            {alive ? (
              <>
                <span
                  id={`${lineId(id)}-name`}
                  onClick={() => onEdit(row, "name")}
                  className="block cursor-text truncate font-medium md:shrink"
                >
                  {name}
                </span>
                <span
                  onClick={() => onEdit(row, "slug")}
                  className="hidden min-w-24 flex-1 cursor-text truncate text-text-muted md:block"
                >
                  /{slug}
                </span>
              </>
            ) : (
              <Link href={href} prefetch={false} className="block truncate font-medium md:flex-1">
                {name}
              </Link>
            )}
            <span id={`${lineId(id)}-about`} className="flex shrink-0 gap-x-3 text-text-muted md:ml-auto">
              {closed && (
                <span className="whitespace-nowrap">
                  {visibility === "members" ? "Members only" : "Members only (inherited)"}
                </span>
              )}
              <Link
                href={mayWrite ? `/admin/articles?category=${id}` : `${href}/articles`}
                title={isDirect ? undefined : `${countsOf(row)} outside subcategories`}
                prefetch={false}
                tabIndex={alive ? -1 : undefined}
                className="inline-flex min-h-6 items-center whitespace-nowrap no-underline hover:underline md:w-40 md:justify-end"
              >
                {countsOf({ published, drafts })}
              </Link>
            </span>
          </div>
        )}
        {alive && !editor && (
          <button
            type="button"
            tabIndex={-1}
            aria-haspopup="menu"
            aria-label={`Actions for ${name}`}
            onClick={({ currentTarget }) => onMenu(id, currentTarget.getBoundingClientRect())}
            className="flex size-11 shrink-0 cursor-pointer items-center justify-center rounded-sm text-text-muted hover:text-text md:size-9"
          >
            <Ellipsis aria-hidden="true" className="size-4" />
          </button>
        )}
      </div>
    </li>
  );
});

export function Grip() {
  return (
    <svg viewBox="0 0 8 14" className="h-3.5 w-2 fill-current">
      {[1.5, 6.5].flatMap((x) => [2, 7, 12].map((y) => <circle key={`${x} ${y}`} cx={x} cy={y} r="1.2" />))}
    </svg>
  );
}

function countsOf({ published, drafts }: { published: number; drafts: number }): string {
  if (published + drafts === 0) return "No articles";
  if (drafts === 0) return countOf(published, "article");
  return published === 0 ? countOf(drafts, "draft") : `${number(published)} published, ${countOf(drafts, "draft")}`;
}
