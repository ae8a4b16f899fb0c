"use client";

import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { Button } from "@/components/ui/button";

function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}

/**
 * Edits a category's name and URL in its line. Enter and leaving the line save, Escape cancels.
 * @param slug null when the slug comes from the name
 * @param save returns why the change was refused, or null
 */
export function LineEditor({
  name,
  slug,
  field,
  save,
  onLeave,
}: {
  name: string;
  slug: string | null;
  field: "name" | "slug";
  save: (input: { name: string; slug: string }) => Promise<string | null>;
  onLeave: () => void;
}) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  // A removed form also loses the focus, but must not save.
  const left = useRef(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const typed = () => {
    const fields = form.current?.elements;
    const text = (name: string) => {
      const input = fields?.namedItem(name);
      return input instanceof HTMLInputElement ? input.value : "";
    };
    return { name: text("name"), slug: text("slug") };
  };
  const leave = () => {
    left.current = true;
    onLeave();
  };
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (busy || left.current) return;
    const values = typed();
    if (values.name === name && values.slug === (slug ?? "")) return leave();
    setBusy(true);
    const refused = await save(values);
    left.current = refused === null;
    setError(refused);
    setBusy(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    leave();
  };
  const look =
    "h-11 w-full min-w-0 rounded-sm border border-border-field bg-surface-raised px-2 text-base aria-invalid:border-danger md:h-8 md:text-sm";
  const errorProps = error === null ? {} : { "aria-invalid": true, "aria-describedby": `${id}-error` };
  return (
    <form
      ref={form}
      onSubmit={(event) => void submit(event)}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        // Switching to another window does not save.
        if (!document.hasFocus() || currentTarget.contains(relatedTarget)) return;
        const values = typed();
        if (values.name.trim() === "" && slug === null) leave();
        else if (error === null) void submit();
      }}
      className="min-w-0 flex-1 py-1"
    >
      <div className="flex flex-wrap items-center gap-2 pr-2 md:flex-nowrap">
        <input
          ref={field === "name" ? takeFocus : undefined}
          name="name"
          aria-label="Name"
          defaultValue={name}
          maxLength={200}
          autoComplete="off"
          readOnly={busy}
          className={look}
          {...errorProps}
        />
        {slug !== null && (
          <input
            ref={field === "slug" ? takeFocus : undefined}
            name="slug"
            aria-label="URL slug"
            defaultValue={slug}
            autoComplete="off"
            spellCheck={false}
            readOnly={busy}
            className={look}
            {...errorProps}
          />
        )}
        <div className="flex gap-2">
          <Button type="submit" size="small" aria-disabled={busy}>
            {busy ? "Saving…" : "Save"}
          </Button>
          <Button type="button" look="plain" size="small" onClick={leave}>
            Cancel
          </Button>
        </div>
      </div>
      {error !== null && (
        <p id={`${id}-error`} role="alert" className="mt-1 text-danger">
          {error}
        </p>
      )}
    </form>
  );
}
