"use client";

import {
  Braces,
  ChartNoAxesColumn,
  CornerDownRight,
  FileText,
  FolderTree,
  House,
  type LucideIcon,
  Search,
  Settings,
  Tag,
  Trash2,
  Users,
} from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { tabLook } from "@/components/admin/tab-look";
import { TabStrip } from "@/components/admin/tab-strip";
import { Arriving } from "@/components/ui/arriving";

export interface MenuEntry {
  href: string;
  name: string;
  /** Pages of a group share one entry in the menu. "You" is the member's own menu. */
  group?: "Members" | "Settings" | "You";
  /** Typed after g, opens the page. */
  letter?: string;
}

const icons: Record<string, LucideIcon> = {
  Home: House,
  Articles: FileText,
  Categories: FolderTree,
  Tags: Tag,
  Snippets: Braces,
  Insights: ChartNoAxesColumn,
  Search,
  Redirects: CornerDownRight,
  Trash: Trash2,
  Members: Users,
  Settings,
};

/** The entry of the current page, or of its parent. */
function useCurrent(entries: MenuEntry[]): { current: MenuEntry | undefined; path: string } {
  // The server also sees the rewritten path of the host.
  const path = usePathname().replace(/^\/sites\/[^/]+/, "");
  const [current] = entries
    .filter(({ href }) => path === href || (href !== "/admin" && path.startsWith(`${href}/`)))
    .sort((a, b) => b.href.length - a.href.length);
  return { current, path };
}

const ariaCurrent = (isCurrent: boolean, isExact: boolean) => (isCurrent ? (isExact ? "page" : "true") : undefined);

/** The menu of pages. */
export function Menu({ entries }: { entries: MenuEntry[] }) {
  const { current, path } = useCurrent(entries);
  const shown = entries.filter(
    ({ group }, index) => group !== "You" && (!group || entries.findIndex((entry) => entry.group === group) === index),
  );
  return (
    <ul className="grid gap-px">
      {shown.map(({ href, name: page, group }) => {
        const name = group ?? page;
        const Icon = icons[name] ?? FileText;
        const isCurrent = group ? current?.group === group : current?.href === href;
        return (
          <li key={href} className={group === "Members" || (group && shown.at(-1)?.group !== group) ? "mt-3" : ""}>
            <Link
              href={href}
              prefetch={false}
              title={name}
              aria-current={ariaCurrent(isCurrent, path === href)}
              onClick={(event) => event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()}
              className="group/entry flex min-h-11 items-center gap-2.5 rounded-sm px-2.5 no-underline hover:bg-highlight aria-[current]:bg-highlight aria-[current]:font-medium md:min-h-8"
            >
              <Icon
                aria-hidden="true"
                className="size-4 shrink-0 text-text-muted group-aria-[current]/entry:text-accent"
              />
              <span className="group-data-narrow/side:md:sr-only">{name}</span>
              <Arriving />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** The pages that share the current page's entry in the menu. */
export function SubMenu({ entries }: { entries: MenuEntry[] }) {
  const { current, path } = useCurrent(entries);
  const group = current?.group;
  const pages = entries.filter((entry) => entry.group === group);
  if (!group || pages.length < 2) return null;
  return (
    <TabStrip label={group} look="mb-6">
      {pages.map(({ href, name }) => (
        <li key={href}>
          <Link
            href={href}
            prefetch={false}
            aria-current={ariaCurrent(current.href === href, path === href)}
            className={tabLook}
          >
            {name}
            <Arriving />
          </Link>
        </li>
      ))}
    </TabStrip>
  );
}
