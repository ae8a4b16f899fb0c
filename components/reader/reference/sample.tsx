"use client";

import { type KeyboardEvent, type MouseEvent, useId, useLayoutEffect, useRef } from "react";
import { Code, CodeFrame } from "@/components/ui/code-frame";
import { CopyButton } from "@/components/ui/copy-button";
import { useHydrated } from "@/components/ui/hydrated";
import type { Language } from "@/lib/reference/samples";
import { useLanguage } from "./language";

const names: [Language, string][] = [
  ["curl", "curl"],
  ["javascript", "JavaScript"],
  ["python", "Python"],
];

/** A call in three languages. Without scripts, its tabs are links to the page in that language. */
export function Sample({ label, anchor, code }: { label: string; anchor: string; code: Record<Language, string> }) {
  const { language, choose } = useLanguage();
  const hydrated = useHydrated();
  const id = useId();
  const held = useRef<{ tab: HTMLElement; top: number }>(null);

  // Samples above may change height, so scroll to keep the clicked tab in place.
  useLayoutEffect(() => {
    if (!held.current) return;
    const { tab, top } = held.current;
    held.current = null;
    scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: "instant" });
  });
  const select = (tab: HTMLElement, chosen: Language) => {
    held.current = { tab, top: tab.getBoundingClientRect().top };
    choose(chosen);
  };
  const onClick = (event: MouseEvent<HTMLElement>, chosen: Language) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    select(event.currentTarget, chosen);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number) => {
    const places: Record<string, number> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      Home: 0,
      End: -1,
      " ": index,
    };
    const place = places[event.key];
    const [chosen] = (place !== undefined && names.at(place % names.length)) || [];
    if (!chosen) return;
    event.preventDefault();
    const tab = document.getElementById(`${id}-${chosen}`);
    if (!tab) return;
    tab.focus({ preventScroll: true });
    select(tab, chosen);
  };

  return (
    <CodeFrame
      head={
        <>
          <div role="tablist" aria-label={`Language: ${label}`} className="-ml-2 flex">
            {names.map(([one, name], index) => (
              <a
                key={one}
                id={`${id}-${one}`}
                role="tab"
                href={`?language=${one}#${anchor}`}
                aria-selected={one === language}
                aria-controls={`${id}-panel`}
                tabIndex={hydrated && one !== language ? -1 : 0}
                onClick={(event) => onClick(event, one)}
                onKeyDown={(event) => onKeyDown(event, index)}
                className="-mb-px flex h-11 items-center border-b-2 border-transparent px-2 text-text-muted no-underline hover:text-text aria-selected:border-accent aria-selected:font-medium aria-selected:text-text"
              >
                {name}
              </a>
            ))}
          </div>
          <CopyButton label={`Copy sample: ${label}`} />
        </>
      }
    >
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${language}`}>
        <Code html={code[language]} />
      </div>
    </CodeFrame>
  );
}
