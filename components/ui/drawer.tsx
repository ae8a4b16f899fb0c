"use client";

import { PanelRight, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { drawerCookie } from "./drawer-cookie";
import { IconButton } from "./icon-button";

/** A year, in seconds. */
const KEPT = 31_536_000;

export function useDrawer(id: string, initial: boolean): { isOpen: boolean; toggle: () => void } {
  const [isOpen, setOpen] = useState(initial);
  const toggle = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
    document.cookie = `${drawerCookie(id)}=${isOpen ? "closed" : "open"}; path=/; max-age=${KEPT}; samesite=lax`;
    setOpen(!isOpen);
  };
  return { isOpen, toggle };
}

/** Side content that folds away. On narrow screens it is a sheet over the page, which opens without scripts. */
export function Drawer({
  id,
  label,
  isOpen,
  children,
}: {
  id: string;
  label: string;
  isOpen: boolean;
  children: ReactNode;
}) {
  return (
    <aside id={id} popover="auto" aria-label={label} className="drawer print:hidden" data-folded={!isOpen || undefined}>
      <div className="mb-3 flex items-center justify-between xl:hidden">
        <p className="font-semibold">{label}</p>
        <IconButton label="Close" icon={X} popoverTarget={id} popoverTargetAction="hide" />
      </div>
      {children}
    </aside>
  );
}

/** Opens and closes a drawer. @param id the drawer's id */
export function DrawerButton({
  id,
  label,
  isOpen,
  onToggle,
}: {
  id: string;
  label: string;
  isOpen: boolean;
  onToggle: () => void;
}) {
  return (
    <>
      <span className="contents xl:hidden">
        <IconButton label={label} icon={PanelRight} popoverTarget={id} />
      </span>
      <span className="contents max-xl:hidden">
        <IconButton label={label} icon={PanelRight} aria-expanded={isOpen} aria-controls={id} onClick={onToggle} />
      </span>
    </>
  );
}
