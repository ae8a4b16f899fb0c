"use client";

import Link from "next/link";
import { type KeyboardEvent, useState } from "react";
import type { ArticleActions } from "@/components/admin/categories/answers";
import { Grip } from "@/components/admin/categories/category-line";
import { UndoMessage, useMessage } from "@/components/admin/categories/undo-message";
import { useChanges } from "@/components/ui/changes";
import { useFocus } from "@/components/ui/focus";
import { useHydrated } from "@/components/ui/hydrated";
import { useRowDrag } from "@/components/ui/row-drag";
import { Key } from "@/components/ui/shortcuts";
import { announce } from "@/components/ui/toast";
import type { OrderedArticle } from "@/lib/categories/tree";

/** Orders a category's articles by mouse, touch or keyboard, and undoes refused moves. */
export function ArticleOrder({
  categoryId,
  articles: initial,
  mayWrite,
  actions,
}: {
  categoryId: string;
  articles: OrderedArticle[];
  /** Whether the titles link to the editor. */
  mayWrite: boolean;
  actions: ArticleActions;
}) {
  const alive = useHydrated();
  const { now: articles, attempt } = useChanges(initial);
  const [active, setActive] = useState<string | null>(null);
  const { message, tell, begin, closeMessage } = useMessage<{ id: string; before: string | null }>();
  const focusOn = useFocus();
  const current = articles.some(({ id }) => id === active) ? active : articles[0]?.id;
  const focus = (id: string | undefined) => {
    if (id === undefined) return;
    setActive(id);
    focusOn(gripId(id));
  };

  const place = async (id: string, before: string | null, undoes = false) => {
    const at = articles.findIndex((article) => article.id === id);
    const article = articles[at];
    const back = articles[at + 1]?.id ?? null;
    if (!article || before === id || before === back) return;
    const apply = (list: readonly OrderedArticle[]) => ordered(list, id, before);
    const text = `Moved “${article.title}” to ${apply(articles).findIndex((one) => one.id === id) + 1} of ${articles.length}.`;
    announce(text);
    const toTell = begin();
    const answer = await attempt(actions.move({ id: categoryId, article: id, before }), () => apply, apply);
    if (typeof answer !== "string") return toTell({ text, undo: undoes ? undefined : { id, before: back } });
    tell({ text: answer, tone: "bad" });
  };
  const undo = () => {
    if (!message?.undo) return;
    focus(message.undo.id);
    void place(message.undo.id, message.undo.before, true);
  };
  const moveBy = (id: string, key: string) => {
    const at = articles.findIndex((article) => article.id === id);
    focus(id);
    if (key === "ArrowUp" && at > 0) void place(id, articles[at - 1]?.id ?? null);
    if (key === "ArrowDown" && at < articles.length - 1) void place(id, articles[at + 2]?.id ?? null);
    if (key === "Home" && at > 0) void place(id, articles[0]?.id ?? null);
    if (key === "End" && at < articles.length - 1) void place(id, null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!["ArrowUp", "ArrowDown", "Home", "End"].includes(event.key) || current === undefined || current === null)
      return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (event.altKey) return moveBy(current, event.key);
    const at = articles.findIndex(({ id }) => id === current);
    const to: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: articles.length - 1 };
    focus(articles[to[event.key] ?? at]?.id);
  };
  const { drag, onPointerDown } = useRowDrag<{ before: string | null; edge: "before" | "after" }>({
    label: (id) => articles.find((article) => article.id === id)?.title ?? "",
    land: (id, over) => {
      if (id === over.id) return null;
      const edge = over.part < 0.5 ? "before" : "after";
      const at = articles.findIndex((article) => article.id === over.id);
      return { edge, before: edge === "before" ? over.id : (articles[at + 1]?.id ?? null) };
    },
    onDrop: (id, { before }) => {
      setActive(id);
      void place(id, before);
    },
  });

  return (
    <>
      <p className={`mb-2 hidden items-center gap-1 text-text-muted md:flex ${alive ? "" : "invisible"}`}>
        <Key>Alt</Key>
        <Key>↑ ↓ Home End</Key>
        <span className="ml-0.5">move</span>
      </p>
      <ol
        aria-label="Articles in order"
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        className="border-t border-border"
      >
        {articles.map(({ id, title, state }, index) => {
          const over = drag?.over === id ? drag.to : null;
          return (
            <li
              key={id}
              data-row={id}
              className={`relative flex min-h-12 items-center gap-2 border-b border-border [contain-intrinsic-size:auto_2.5rem] [content-visibility:auto] hover:bg-surface-raised md:min-h-10 ${drag?.id === id ? "opacity-50" : ""}`}
            >
              {over && (
                <span
                  aria-hidden="true"
                  className={`pointer-events-none absolute inset-x-0 z-[1] h-0.5 bg-accent ${over.edge === "before" ? "top-0" : "bottom-0"}`}
                />
              )}
              <button
                type="button"
                id={gripId(id)}
                data-grip=""
                tabIndex={id === current ? 0 : -1}
                aria-label={`Move ${title}, number ${index + 1} of ${articles.length}. Hold Alt and press an arrow key.`}
                onFocus={() => setActive(id)}
                className={`flex h-11 w-9 shrink-0 cursor-grab touch-none items-center justify-center rounded-sm text-text-muted outline-offset-[-2px] hover:text-text md:h-9 md:w-7 ${alive ? "" : "invisible"}`}
              >
                <Grip />
              </button>
              <span className="w-8 shrink-0 text-right text-text-muted tabular-nums">{index + 1}</span>
              {mayWrite ? (
                <span className="flex min-w-0 flex-1">
                  <Link
                    href={`/admin/articles/${id}`}
                    prefetch={false}
                    className="flex min-h-11 min-w-0 items-center no-underline hover:underline md:min-h-8"
                  >
                    <span className="truncate">{title}</span>
                  </Link>
                </span>
              ) : (
                <span className="min-w-0 flex-1 truncate">{title}</span>
              )}
              {state === "draft" && <span className="shrink-0 text-text-muted">Draft</span>}
              {alive && (
                <span className="flex shrink-0 md:hidden">
                  <Arrow label={`Move ${title} up`} d="M8 12V4M4 8l4-4 4 4" onClick={() => moveBy(id, "ArrowUp")} />
                  <Arrow label={`Move ${title} down`} d="M8 4v8M4 8l4 4 4-4" onClick={() => moveBy(id, "ArrowDown")} />
                </span>
              )}
            </li>
          );
        })}
      </ol>
      {message && <UndoMessage message={message} onUndo={undo} onClose={closeMessage} />}
    </>
  );
}

const gripId = (id: string) => `article-${id}`;

function Arrow({ label, d, onClick }: { label: string; d: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="flex size-11 cursor-pointer items-center justify-center text-text-muted"
    >
      <svg viewBox="0 0 16 16" aria-hidden="true" className="size-4 fill-none stroke-current stroke-[1.5]">
        <path d={d} />
      </svg>
    </button>
  );
}

/** Moves an article in the list. An unknown article changes nothing. */
function ordered(list: readonly OrderedArticle[], id: string, before: string | null): OrderedArticle[] {
  const article = list.find((one) => one.id === id);
  if (!article) return [...list];
  const rest = list.filter((one) => one !== article);
  const at = before === null ? -1 : rest.findIndex((one) => one.id === before);
  return at < 0 ? [...rest, article] : [...rest.slice(0, at), article, ...rest.slice(at)];
}
