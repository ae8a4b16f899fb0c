"use client";

import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useHydrated } from "@/components/ui/hydrated";

/** Read by the layout, so that the menu does not change its width when the scripts arrive. */
const COOKIE = "menu";

/** The menu beside the page, which can be collapsed to its icons where there is room for it. */
export function Sidebar({
  isNarrow: initially,
  head,
  menu,
  foot,
  children,
}: {
  isNarrow: boolean;
  head: ReactNode;
  menu: ReactNode;
  foot: ReactNode;
  children: ReactNode;
}) {
  const hydrated = useHydrated();
  const [isNarrow, setNarrow] = useState(initially);
  const toggle = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers
    document.cookie = `${COOKIE}=${isNarrow ? "" : "narrow"}; path=/admin; max-age=${isNarrow ? 0 : 31_536_000}; samesite=lax`;
    setNarrow(!isNarrow);
  };
  const Toggle = isNarrow ? PanelLeftOpen : PanelLeftClose;
  const name = isNarrow ? "Expand menu" : "Collapse menu";
  return (
    <div
      className={`min-h-dvh text-sm md:grid md:grid-cols-[var(--menu)_minmax(0,1fr)] ${isNarrow ? "[--menu:3.75rem]" : "[--menu:14.5rem]"}`}
    >
      <a
        href="#content"
        className="absolute -top-20 left-4 z-10 rounded-sm bg-accent px-3 py-2 text-accent-text focus:top-3"
      >
        Skip to content
      </a>
      {head}
      <nav
        id="menu"
        popover="auto"
        aria-label="Admin"
        data-narrow={isNarrow ? "" : undefined}
        className="side-sheet group/side md:top-0 md:flex md:h-dvh md:flex-col md:overflow-y-auto md:border-r md:border-border md:p-3 print:hidden"
      >
        {menu}
        <div className="mt-6 flex items-center gap-1 border-t border-border pt-3 group-data-narrow/side:md:flex-col-reverse md:mt-auto">
          {foot}
          <button
            type="button"
            aria-label={name}
            title={name}
            onClick={toggle}
            className={`hidden size-9 shrink-0 cursor-pointer items-center justify-center rounded-sm text-text-muted hover:bg-highlight hover:text-text ${hydrated ? "md:flex" : ""}`}
          >
            <Toggle aria-hidden="true" className="size-4" />
          </button>
        </div>
      </nav>
      <div className="min-w-0">{children}</div>
    </div>
  );
}
