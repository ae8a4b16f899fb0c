"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { startTransition, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { MenuEntry } from "@/components/admin/menu";
import { useHydrated } from "@/components/ui/hydrated";
import { Palette, PaletteRefusal } from "@/components/ui/palette";
import type { PaletteEntry } from "@/components/ui/palette-rank";
import { filterOf, inRow, moveRow, openRow, rowsOf, selectRow } from "@/components/ui/row-keys";
import { Key, type Shortcut, Shortcuts, shortcutsOfPage } from "@/components/ui/shortcuts";
import { chooseTheme } from "@/components/ui/theme";

/** A page, possibly outside the admin UI. */
export type Destination = PaletteEntry & { href: string };

type Choice = PaletteEntry & ({ href: string } | { act: () => void });

/** Longest time between g and the next letter, in milliseconds. */
const PATIENCE = 1500;

/** Shortcuts of every page, and buttons that do the same. Requires scripts. */
export function Keyboard({
  entries,
  destinations,
  signOut,
}: {
  entries: MenuEntry[];
  destinations: Destination[];
  signOut: () => Promise<void>;
}) {
  const hydrated = useHydrated();
  const router = useRouter();
  const [open, setOpen] = useState<"palette" | "shortcuts" | null>(null);
  /** The time of the last g, in the browser's milliseconds. */
  const led = useRef(-PATIENCE);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented || event.altKey) return;
      const withControl = event.ctrlKey || event.metaKey;
      if (event.key.toLowerCase() === "k" && withControl && !event.shiftKey) {
        event.preventDefault();
        setOpen("palette");
        return;
      }
      // An open dialog handles its own keys.
      if (withControl || document.querySelector("dialog[open], [popover]:popover-open")) return;
      if (event.key === "Escape") {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        return;
      }
      if (isTyped(event.target)) return;
      const isLed = event.timeStamp - led.current < PATIENCE;
      led.current = event.key === "g" ? event.timeStamp : -PATIENCE;
      const place = isLed && entries.find(({ letter }) => letter === event.key);
      const isDone = place ? (router.push(place.href), true) : actOn(event, () => setOpen("shortcuts"));
      if (isDone) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [entries, router]);

  const close = () => setOpen(null);
  const choices: Choice[] = [
    ...destinations,
    ...["light", "dark"].map((theme) => ({
      id: theme,
      name: theme === "light" ? "Light theme" : "Dark theme",
      group: "Actions",
      words: "switch color mode",
      act: () => chooseTheme(theme),
    })),
    {
      id: "system",
      name: "System theme",
      group: "Actions",
      words: "switch color dark light mode",
      act: () => chooseTheme("system"),
    },
    {
      id: "keys",
      name: "Keyboard shortcuts",
      group: "Actions",
      words: "keys help",
      act: () => setOpen("shortcuts"),
    },
    {
      id: "sign-out",
      name: "Sign out",
      group: "Actions",
      words: "log out leave",
      act: () => startTransition(signOut),
    },
  ];
  const choose = (choice: Choice) => {
    setOpen(null);
    if ("act" in choice) choice.act();
    else if (choice.href.startsWith("/admin")) router.push(choice.href);
    else location.assign(choice.href);
  };
  return (
    <div className={hydrated ? "" : "invisible"}>
      <button
        type="button"
        onClick={(event) => {
          // On a phone, the open menu holds this button and would cover the dialog.
          event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
          setOpen("palette");
        }}
        className="flex h-11 w-full cursor-pointer items-center justify-between gap-2 rounded-sm border border-border-field bg-surface px-2.5 text-text-muted hover:border-text-muted md:h-9"
      >
        <Search aria-hidden="true" className="size-4 shrink-0" />
        <span className="flex-1 truncate text-left group-data-narrow/side:md:sr-only">
          Search<span className="sr-only"> or jump to</span>…
        </span>
        <span className="flex gap-1 group-data-narrow/side:md:hidden">
          <Key>Ctrl</Key>
          <Key>K</Key>
        </span>
      </button>
      {/* Outside the menu, which is hidden on phones. */}
      {open === "palette" &&
        createPortal(
          <Palette
            label="Search or jump to"
            entries={choices}
            find={find}
            onChoose={choose}
            // The chosen action may have opened another dialog.
            onClose={() => setOpen((now) => (now === "palette" ? null : now))}
          />,
          document.body,
        )}
      {open === "shortcuts" &&
        createPortal(<Shortcuts shortcuts={shortcutsHere(entries)} onClose={close} />, document.body)}
    </div>
  );
}

/** Handles the single-key shortcuts of the page. @returns whether it handled this key */
function actOn({ key, target }: KeyboardEvent, help: () => void): boolean {
  if (key === "?") {
    help();
    return true;
  }
  if (key === "/") {
    const filter = filterOf(document);
    filter?.select();
    filter?.focus();
    return filter !== null;
  }
  if (key === "j" || key === "k") return moveRow(document, key === "j" ? 1 : -1);
  // Outside a row, arrows scroll the page.
  if ((key === "ArrowDown" || key === "ArrowUp") && inRow(target))
    return moveRow(document, key === "ArrowDown" ? 1 : -1);
  if (key === "x") return selectRow(target);
  return key === "e" && openRow(target);
}

/** The page's shortcuts, then the general ones. */
function shortcutsHere(entries: MenuEntry[]): Shortcut[] {
  const hasRows = rowsOf(document).length > 0;
  return [
    ...shortcutsOfPage(document),
    ...(hasRows
      ? [
          { keys: ["J", "K"], does: "Next and previous row" },
          { keys: ["Enter"], does: "Open the row" },
          { keys: ["E"], does: "Edit the row" },
          ...(document.querySelector("main tbody input[type=checkbox]")
            ? [{ keys: ["X"], does: "Select the row" }]
            : []),
        ]
      : []),
    ...(filterOf(document) ? [{ keys: ["/"], does: "Filter the list" }] : []),
    { keys: ["Ctrl", "K"], does: "Search or jump to" },
    { keys: ["?"], does: "Keyboard shortcuts" },
    { keys: ["Esc"], does: "Close" },
    { keys: ["Tab"], does: "Next field, link, or button" },
    ...entries.flatMap(({ letter, name }) => (letter ? [{ keys: ["G", letter.toUpperCase()], does: name }] : [])),
  ];
}

async function find(text: string, signal: AbortSignal): Promise<Destination[]> {
  const answer = await fetch(`/admin/find?${new URLSearchParams({ q: text })}`, { signal });
  // If the session has ended, reloading leads to the sign-in page.
  if (answer.status === 401) location.reload();
  if (answer.status === 429) throw new PaletteRefusal(((await answer.json()) as { error: string }).error);
  if (!answer.ok) throw new Error(`The search answered ${answer.status}.`);
  return ((await answer.json()) as { found: Destination[] }).found;
}

/** Whether the target accepts typed text. */
function isTyped(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
