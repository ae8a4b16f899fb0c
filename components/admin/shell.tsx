import type { ReactNode } from "react";
import { type Destination, Keyboard } from "@/components/admin/keyboard";
import { Menu, type MenuEntry } from "@/components/admin/menu";
import { Skeleton } from "@/components/ui/arriving";
import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/mark";
import { Offline } from "@/components/ui/offline";
import { Portrait } from "@/components/ui/portrait";
import { SheetButton } from "@/components/ui/sheet-button";
import { ThemeSwitch } from "@/components/ui/theme-switch";
import { Announcer } from "@/components/ui/toast";

/**
 * The frame of every page for signed-in members. The menu is on the left, on phones behind a button that works without
 * scripts.
 * @param entries the pages that this member can open
 * @param destinations the palette's pages
 * @param signOut a server action
 */
export function AdminShell({
  workspaceName,
  logo,
  person,
  entries,
  destinations,
  signOut,
  children,
}: {
  workspaceName: string;
  logo: { path: string; width: number; height: number } | null;
  person: { name: string; role: string; picture: string };
  entries: MenuEntry[];
  destinations: Destination[];
  signOut: () => Promise<void>;
  children: ReactNode;
}) {
  return (
    <div className="min-h-dvh text-sm md:grid md:grid-cols-[14.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="absolute -top-20 left-4 z-10 rounded-sm bg-accent px-3 py-2 text-accent-text focus:top-3"
      >
        Skip to the page
      </a>
      <header className="flex items-center justify-between gap-3 border-b border-border px-4 py-2 md:hidden print:hidden">
        <Home name={workspaceName} logo={logo} />
        <SheetButton target="menu">Menu</SheetButton>
      </header>
      <nav
        id="menu"
        popover="auto"
        aria-label="Admin"
        className="side-sheet md:top-0 md:flex md:h-dvh md:flex-col md:overflow-y-auto md:border-r md:border-border md:p-3 print:hidden"
      >
        <div className="mb-3 hidden px-1 md:block">
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
        <div className="mt-8 grid gap-3 border-t border-border px-2.5 pt-4 pb-1 md:mt-auto">
          <div className="flex min-w-0 items-center gap-3">
            <Portrait path={person.picture} />
            <p className="min-w-0">
              <span className="block truncate font-medium">{person.name}</span>
              <span className="block truncate text-text-muted">{person.role}</span>
            </p>
          </div>
          <form action={signOut}>
            <Button type="submit" look="plain" size="small">
              Sign out
            </Button>
          </form>
          <div className="text-text-muted">
            <ThemeSwitch />
          </div>
        </div>
      </nav>
      <Announcer />
      <div className="min-w-0">
        <Offline />
        <main id="content" tabIndex={-1} className="px-4 pt-5 pb-24 outline-none md:px-8 md:pt-7">
          <Skeleton />
          <div className="mx-auto max-w-[68rem]">{children}</div>
        </main>
      </div>
    </div>
  );
}

function Home({ name, logo }: { name: string; logo: { path: string; width: number; height: number } | null }) {
  return (
    <a
      href="/"
      aria-label={`${name}: the knowledge base`}
      className="flex min-h-11 min-w-0 items-center gap-2.5 no-underline hover:underline md:min-h-9"
    >
      <Mark name={name} image={logo} />
      <span className="min-w-0 truncate font-semibold">{name}</span>
    </a>
  );
}
