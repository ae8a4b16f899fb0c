"use client";

import type { Editor } from "@tiptap/core";
import { useId, useState } from "react";
import { videoAt } from "@/lib/content/embeds";
import { AskBox, askField } from "./ask-box";
import { insertBlock } from "./blocks";

export function VideoForm({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const id = useId();
  const [address, setAddress] = useState("");
  const [refusal, refuse] = useState("");
  const close = () => {
    onClose();
    editor.commands.focus();
  };
  const insert = () => {
    const page = videoAt(address)?.page;
    if (!page) return refuse("Only YouTube and Vimeo videos work. Paste the URL of the video's page.");
    onClose();
    insertBlock(editor.chain().focus(), { type: "video", attrs: { href: page } }).run();
  };
  return (
    <AskBox editor={editor} label="Video" onClose={onClose}>
      {/* Not a form element: nested in the draft's form, it would submit and leave the page. */}
      <div className="flex items-center gap-1 p-1.5">
        <input
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
            event.preventDefault();
            insert();
          }}
          aria-label="URL of a YouTube or Vimeo video"
          aria-invalid={refusal !== "" || undefined}
          aria-describedby={`${id}-says`}
          placeholder="https://www.youtube.com/watch?v=…"
          value={address}
          maxLength={500}
          onChange={({ target }) => {
            setAddress(target.value);
            refuse("");
          }}
          autoComplete="off"
          spellCheck={false}
          className={askField}
        />
        <button
          type="button"
          onClick={insert}
          className="h-11 shrink-0 cursor-pointer rounded-sm px-2.5 font-medium text-accent hover:bg-highlight md:h-8"
        >
          Insert
        </button>
        <button
          type="button"
          onClick={close}
          className="h-11 shrink-0 cursor-pointer rounded-sm px-2.5 hover:bg-highlight md:h-8"
        >
          Cancel
        </button>
      </div>
      <p id={`${id}-says`} role="status" className={refusal && "border-t border-border px-4 py-2.5 text-danger"}>
        {refusal}
      </p>
    </AskBox>
  );
}
