"use client";

/** The title, as the heading of the page. */
export function TitleField({ title, onChange }: { title: string; onChange: (title: string) => void }) {
  return (
    <h1 className="pt-3 text-2xl">
      <textarea
        name="title"
        aria-label="Title"
        rows={1}
        defaultValue={title}
        onChange={({ target }) => {
          // A pasted title may have several lines.
          if (target.value.includes("\n")) target.value = target.value.replace(/\s*\n\s*/g, " ");
          onChange(target.value);
        }}
        // Enter moves the cursor into the text.
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.currentTarget.form
            ?.querySelector<HTMLElement>("textarea:not([name=title]), [contenteditable=true]")
            ?.focus();
        }}
        maxLength={300}
        placeholder="Untitled"
        autoComplete="off"
        className="block field-sizing-content w-full resize-none overflow-hidden bg-transparent outline-none placeholder:text-text-muted"
      />
    </h1>
  );
}
