"use client";

import { useState } from "react";
import { announce, ToastHere } from "@/components/ui/toast";

interface Message<Undo> {
  text: string;
  tone?: "bad";
  undo?: Undo;
}

/** Shows the outcome of the page's last change. Undo reverts only that change. */
export function useMessage<Undo>() {
  const [message, setMessage] = useState<Message<Undo> | null>(null);
  const tell = (message: Message<Undo>) => {
    setMessage(message);
    announce(message.text);
  };
  /** @returns a function that shows the outcome, unless a newer message has started or appeared */
  const begin = () => {
    const started = { text: "" };
    setMessage(started);
    return (message: Message<Undo>) => setMessage((now) => (now === started ? message : now));
  };
  return { message: message?.text ? message : null, tell, begin, closeMessage: () => setMessage(null) };
}

/** Reports a change without leaving the page, with an Undo button. */
export function UndoMessage({
  message: { text, tone, undo },
  onUndo,
  onClose,
}: {
  message: Message<unknown>;
  onUndo: () => void;
  onClose: () => void;
}) {
  return (
    <ToastHere text={text} tone={tone} onClose={onClose}>
      {undo !== undefined && (
        <button
          type="button"
          onClick={onUndo}
          className="h-11 cursor-pointer rounded-sm border border-border-field px-2.5 font-medium hover:border-text-muted md:h-8"
        >
          Undo
        </button>
      )}
    </ToastHere>
  );
}
