import { ExternalLink } from "lucide-react";
import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { AccountMenu } from "@/components/admin/account-menu";
import { type Destination, Keyboard } from "@/components/admin/keyboard";
import { Menu, type MenuEntry, SubMenu } from "@/components/admin/menu";
import { Sidebar } from "@/components/admin/sidebar";
import { Skeleton } from "@/components/ui/arriving";
import { Mark } from "@/components/ui/mark";
import { Offline } from "@/components/ui/offline";
import { SheetButton } from "@/components/ui/sheet-button";
import { Announcer } from "@/components/ui/toast";

/**
 * The frame of every page for signed-in members. The menu is on the left, on phones behind a button that works without
 * scripts.
 * @param entries the pages that this member can open
 * @param destinations the palette's pages
 * @param isNarrow whether the member has collapsed the menu to its icons
 * @param signOut a server action
 */
export function AdminShell({
  workspaceName,
  logo,
  person,
  entries,
  destinations,
  isNarrow,
  signOut,
  children,
}: {
  workspaceName: string;
  logo: ComponentProps<typeof Mark>["image"];
  person: { name: string; role: string; picture: string };
  entries: MenuEntry[];
  destinations: Destination[];
  isNarrow: boolean;
  signOut: () => Promise<void>;
  children: ReactNode;
}) {
  return (
    <Sidebar
      isNarrow={isNarrow}
      head={
        <header className="flex items-center justify-between gap-3 border-b border-border px-4 py-2 md:hidden print:hidden">
          <Home name={workspaceName} logo={logo} />
          <SheetButton target="menu">Menu</SheetButton>
        </header>
      }
      menu={
        <>
          <div className="mb-3 hidden md:block">
            <Home name={workspaceName} logo={logo} />
          </div>
          <div className="mb-3 flex items-center justify-between gap-3 md:hidden">
            <p className="font-semibold">Menu</p>
            <button
              type="button"
              popoverTarget="menu"
              popoverTargetAction="hide"
              className="-mr-3 h-11 cursor-pointer rounded-sm px-3 text-text-muted"
            >
              Close
            </button>
          </div>
          <Keyboard entries={entries} destinations={destinations} signOut={signOut} />
          <div className="mt-3">
            <Menu entries={entries} />
          </div>
        </>
      }
      foot={<AccountMenu person={person} entries={entries.filter(({ group }) => group === "You")} signOut={signOut} />}
    >
      <Announcer />
      <Offline />
      <main id="content" tabIndex={-1} className="px-4 pt-5 pb-24 outline-none md:px-8 md:pt-7">
        <Skeleton />
        <div className="mx-auto max-w-[68rem]">
          <SubMenu entries={entries} />
          {children}
        </div>
      </main>
    </Sidebar>
  );
}

function Home({ name, logo }: { name: string; logo: ComponentProps<typeof Mark>["image"] }) {
  return (
    <div className="flex min-w-0 items-center justify-between gap-1">
      <Link
        href="/admin"
        prefetch={false}
        aria-label={`${name}: home`}
        className="flex min-h-11 min-w-0 items-center gap-2.5 rounded-sm px-1 no-underline hover:bg-highlight md:min-h-9"
      >
        <Mark name={name} image={logo} />
        <span className="min-w-0 truncate font-semibold group-data-narrow/side:md:hidden">{name}</span>
      </Link>
      <a
        href="/"
        title="View site"
        aria-label="View site"
        className="flex size-11 shrink-0 items-center justify-center rounded-sm text-text-muted hover:bg-highlight hover:text-text group-data-narrow/side:md:hidden md:size-9"
      >
        <ExternalLink aria-hidden="true" className="size-4" />
      </a>
    </div>
  );
}
