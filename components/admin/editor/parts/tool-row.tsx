"use client";

import type { Editor } from "@tiptap/core";
import { ChevronDown, ChevronUp } from "lucide-react";
import { type FocusEvent, type ReactNode, useId, useState } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { hasContext } from "./context";
import { useChanges } from "./use-changes";

/**
 * One row of tools. The tools for the element at the cursor take the place of those that matter less there. On narrow
 * screens only one line shows, until a button or keyboard focus reveals the others.
 */
export function ToolRow({ editor, children }: { editor: Editor; children: (isSwapped: boolean) => ReactNode }) {
  useChanges(editor);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [isWithin, setWithin] = useState(false);
  const isSwapped = hasContext(editor);
  const isShown = isOpen || isWithin;
  return (
    <div className="tool-row text-sm">
      <div
        id={id}
        data-swapped={isSwapped || undefined}
        data-open={isShown || undefined}
        onFocus={() => setWithin(true)}
        onBlur={({ currentTarget, relatedTarget }: FocusEvent) => setWithin(currentTarget.contains(relatedTarget))}
        className="tools"
      >
        {children(isSwapped)}
      </div>
      <span className="all-tools">
        <IconButton
          label="All tools"
          icon={isShown ? ChevronUp : ChevronDown}
          aria-expanded={isShown}
          aria-controls={id}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setOpen(!isOpen)}
        />
      </span>
    </div>
  );
}
