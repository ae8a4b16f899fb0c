"use client";

import { ChevronsUpDown } from "lucide-react";
import Link from "next/link";
import type { MenuEntry } from "@/components/admin/menu";
import { Portrait } from "@/components/ui/portrait";
import { ThemeSwitch } from "@/components/ui/theme-switch";

/** The member's own pages, the theme and signing out, above their name. Opens without scripts. */
export function AccountMenu({
  person,
  entries,
  signOut,
}: {
  person: { name: string; role: string; picture: string };
  entries: MenuEntry[];
  signOut: () => Promise<void>;
}) {
  const row =
    "flex min-h-11 w-full cursor-pointer items-center rounded-sm px-2.5 text-left no-underline hover:bg-highlight md:min-h-8";
  return (
    <>
      <button
        type="button"
        popoverTarget="account"
        className="flex min-h-11 min-w-0 flex-1 cursor-pointer items-center gap-2 rounded-sm px-1 py-1 text-left hover:bg-highlight group-data-narrow/side:md:flex-none group-data-narrow/side:md:px-1"
      >
        <Portrait path={person.picture} />
        <span className="min-w-0 flex-1 group-data-narrow/side:md:sr-only">
          <span className="sr-only">Account: </span>
          <span className="block truncate leading-5 font-medium">{person.name}</span>
          <span className="block truncate text-code leading-4 text-text-muted">{person.role}</span>
        </span>
        <ChevronsUpDown
          aria-hidden="true"
          className="size-3.5 shrink-0 text-text-muted group-data-narrow/side:md:hidden"
        />
      </button>
      <div
        id="account"
        popover="auto"
        role="group"
        aria-label="Account"
        onClick={({ currentTarget, target }) => {
          if (!(target instanceof HTMLAnchorElement)) return;
          currentTarget.hidePopover();
          currentTarget.parentElement?.closest<HTMLElement>("[popover]")?.hidePopover();
        }}
        className="fixed inset-auto bottom-17 left-3 m-0 w-60 rounded-md border border-border bg-surface-raised p-1.5 text-sm text-text shadow-[0_16px_48px_oklch(0_0_0/0.22)]"
      >
        {entries.map(({ href, name }) => (
          <Link key={href} href={href} prefetch={false} className={row}>
            {name}
          </Link>
        ))}
        <div className="my-1.5 border-y border-border px-2.5 py-1.5 text-text-muted">
          <ThemeSwitch />
        </div>
        <form action={signOut}>
          <button type="submit" className={row}>
            Sign out
          </button>
        </form>
      </div>
    </>
  );
}
