"use client";

import { ArrowLeft, Ellipsis, Eye } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { ActionsMenu, type MenuEntry } from "@/components/ui/actions-menu";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/icon-button";
import type { DeskArticle } from "./desk-article";

/**
 * The head of the writing page. It stays in view.
 * @param here the URL of the page
 * @param path the URL of the article for readers
 */
export function DeskHead({
  article,
  hasDraft,
  here,
  path,
  isScripted,
  menu,
  save,
  details,
  publish,
  children,
}: {
  article: DeskArticle;
  hasDraft: boolean;
  here: string;
  path: string;
  isScripted: boolean;
  menu: MenuEntry[];
  /** Whether the text is saved. */
  save: ReactNode;
  /** Opens the drawer. */
  details: ReactNode;
  publish: ReactNode;
  /** Notices below. */
  children: ReactNode;
}) {
  const [opened, setOpened] = useState<DOMRect | null>(null);
  const isLive = article.state === "published" && !hasDraft && !article.schedule && article.mayPublish;
  return (
    <header className="sticky top-0 z-30 border-b border-border bg-surface print:hidden">
      <div className="flex h-14 items-center gap-2 px-2 md:h-12 md:gap-3 md:px-6">
        <nav aria-label="Breadcrumbs" className="flex shrink-0 items-center text-text-muted max-md:-mr-1">
          <Link
            href="/admin/articles"
            prefetch={false}
            className="flex h-11 min-w-11 items-center justify-center no-underline hover:text-text md:h-8 md:min-w-0"
          >
            <ArrowLeft aria-hidden="true" className="size-4 md:hidden" />
            <span className="max-md:sr-only">Articles</span>
          </Link>
          <span aria-hidden="true" className="ml-3 max-md:hidden">
            /
          </span>
        </nav>
        {/* On phones, the button already says that nothing is left to publish. */}
        <span className={isLive ? "flex shrink-0 max-md:sr-only" : "flex shrink-0"}>
          <Status article={article} hasDraft={hasDraft} />
        </span>
        {article.state === "published" && (
          <a href={path} className="shrink-0 text-text-muted no-underline hover:text-text max-lg:hidden">
            View live
          </a>
        )}
        <div className="flex min-w-0 grow">{save}</div>
        <div className="flex shrink-0 items-center md:gap-1">
          <Link
            href={`${here}/preview`}
            prefetch={false}
            data-after-saving
            className="flex h-11 items-center gap-1.5 rounded-sm px-2.5 text-text-muted no-underline hover:bg-highlight hover:text-text max-sm:hidden md:h-8"
          >
            <Eye aria-hidden="true" className="size-4" />
            Preview
          </Link>
          {details}
          {isScripted ? (
            <IconButton
              label="More actions"
              icon={Ellipsis}
              aria-haspopup="menu"
              aria-expanded={opened !== null}
              onClick={({ currentTarget }) => setOpened(currentTarget.getBoundingClientRect())}
            />
          ) : (
            <a href={`${here}/versions`} className="px-2.5">
              Versions
            </a>
          )}
          <span className="ml-1.5 flex">{publish}</span>
        </div>
      </div>
      {opened && (
        <ActionsMenu
          label="More actions"
          at={opened}
          entries={menu}
          onClose={() => setOpened(null)}
          link={(href, props, inside) => (
            <a href={href} data-after-saving {...props}>
              {inside}
            </a>
          )}
        />
      )}
      {children}
    </header>
  );
}

/** What readers see of the article. */
function Status({ article: { state, schedule }, hasDraft }: { article: DeskArticle; hasDraft: boolean }) {
  if (schedule?.isHeld) return <Badge tone="caution">On hold</Badge>;
  if (schedule) return <Badge tone="info">Scheduled</Badge>;
  if (state === "draft") return <Badge tone="quiet">Draft</Badge>;
  return hasDraft ? <Badge tone="caution">Unpublished changes</Badge> : <Badge tone="good">Published</Badge>;
}
