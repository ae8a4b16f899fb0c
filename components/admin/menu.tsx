"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Arriving } from "@/components/ui/arriving";

export interface MenuEntry {
  href: string;
  name: string;
  /** The entry's heading in the menu. Entries without one come first. */
  group?: string;
  /** Typed after g, opens the page. */
  letter?: string;
}

/** The menu of pages. Marks the current page, or its parent. */
export function Menu({ entries }: { entries: MenuEntry[] }) {
  // The server also sees the rewritten path of the host.
  const path = usePathname().replace(/^\/sites\/[^/]+/, "");
  const current = entries
    .filter(({ href }) => path === href || path.startsWith(`${href}/`))
    .sort((a, b) => b.href.length - a.href.length)[0];
  const groups = [...new Set(entries.map(({ group }) => group))];
  return groups.map((group) => (
    <div key={group ?? ""} className="not-first:mt-4">
      {group && (
        <h2 id={`menu-${group}`} className="px-2.5 pb-1 text-code font-medium text-text-muted">
          {group}
        </h2>
      )}
      <ul aria-labelledby={group && `menu-${group}`} className="grid">
        {entries
          .filter((entry) => entry.group === group)
          .map(({ href, name }) => (
            <li key={href}>
              <Link
                href={href}
                prefetch={false}
                aria-current={current?.href === href ? (path === href ? "page" : "true") : undefined}
                onClick={(event) => event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()}
                className="flex min-h-11 items-center rounded-sm px-2.5 no-underline hover:bg-highlight aria-[current]:bg-highlight aria-[current]:font-medium md:min-h-8"
              >
                {name}
                <Arriving />
              </Link>
            </li>
          ))}
      </ul>
    </div>
  ));
}
