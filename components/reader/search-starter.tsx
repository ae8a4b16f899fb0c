"use client";

import { type ComponentType, useEffect, useRef, useState } from "react";
import type { Contact } from "./contact";
import type { SearchDialog } from "./search-dialog";
import { opensBySlash } from "./search-key";
import { logSearch } from "./search-log";
import type { SearchWords } from "./search-words";

type Dialog = ComponentType<Parameters<typeof SearchDialog>[0]>;

/** The first one that is not hidden on this screen. */
const field = () =>
  [...document.querySelectorAll<HTMLInputElement>('form[role="search"] input[name="q"]')].find((one) =>
    one.checkVisibility(),
  ) ?? null;

/**
 * Opens the search dialog on Ctrl+K, `/`, the search link of phones, or a click or typing in the search field, but not when
 * Tab reaches the field. The dialog is loaded when the page is idle. Until then, the field works as a plain form.
 */
export function SearchStarter({ words, contact }: { words: SearchWords; contact: Contact | null }) {
  const [Loaded, setLoaded] = useState<{ dialog: Dialog } | null>(null);
  const [open, setOpen] = useState(false);
  /** Gets the focus back when the dialog closes. */
  const focused = useRef<Element | null>(null);

  useEffect(() => {
    let loading: Promise<void> | undefined;
    let loaded = false;
    const load = () => {
      loading ??= import("./search-dialog").then(
        ({ SearchDialog: dialog }) => {
          loaded = true;
          setLoaded({ dialog });
        },
        () => {
          loading = undefined;
        },
      );
    };
    const start = () => {
      load();
      setOpen(true);
    };
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey;
      const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
      if (!(isShortcut || (isSlash && opensBySlash())) || event.defaultPrevented) return;
      event.preventDefault();
      focused.current ??= document.activeElement;
      // Text typed until the dialog is loaded goes into the field.
      if (!loaded) {
        field()?.focus();
        field()?.select();
      }
      start();
    };
    const onField = (event: Event) => {
      const own = field();
      // Escape empties the field.
      if (event.target !== own || (event.type === "input" && own?.value === "")) return;
      focused.current ??= own;
      start();
    };
    const onClick = (event: MouseEvent) => {
      const opener = event.target instanceof Element && event.target.closest("[data-search-link]");
      if (opener && loaded) {
        event.preventDefault();
        focused.current = opener;
        return start();
      }
      onField(event);
      const link = event.target instanceof Element && event.target.closest("[data-search] a");
      const search = link && link.closest<HTMLElement>("[data-search]")?.dataset.search;
      if (!search) return;
      const text = new URLSearchParams(location.search).get("q") ?? "";
      logSearch({ search, text, opened: link.getAttribute("href") ?? "" });
    };
    // Safari has no idle callback.
    const idle = setTimeout(() => ("requestIdleCallback" in window ? requestIdleCallback(load) : load()), 1500);
    document.addEventListener("keydown", onKey);
    document.addEventListener("input", onField);
    document.addEventListener("click", onClick);
    return () => {
      clearTimeout(idle);
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("input", onField);
      document.removeEventListener("click", onClick);
    };
  }, []);

  if (!Loaded || !open) return null;
  return (
    <Loaded.dialog
      field={field()}
      words={words}
      contact={contact}
      // The event of closing can come after the next key in the field.
      onType={(text) => {
        const own = field();
        if (own) own.value = text;
      }}
      onClose={() => {
        setOpen(false);
        if (focused.current instanceof HTMLElement) focused.current.focus();
        focused.current = null;
      }}
    />
  );
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}
