import { useState, useSyncExternalStore } from "react";
import { Field } from "@/components/ui/field";

/** In the session storage, if the reader wants to keep the key. */
const NAME = "lectern-api-key";

// Shared by all forms in this tab.
let key: string | undefined;
let kept = false;
const listeners = new Set<() => void>();

function current(): string {
  if (key === undefined) {
    key = stored((storage) => storage.getItem(NAME)) ?? "";
    kept = key !== "";
  }
  return key;
}

function remember(text: string, keep: boolean): void {
  key = text;
  kept = keep;
  stored((storage) => (keep && text ? storage.setItem(NAME, text) : storage.removeItem(NAME)));
  for (const listener of listeners) listener();
}

/** Browsers may refuse storage. */
function stored<Value>(work: (storage: Storage) => Value): Value | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useKey(): string {
  return useSyncExternalStore(subscribe, current, () => "");
}

export function KeyField() {
  const text = useKey();
  const keep = useSyncExternalStore(
    subscribe,
    () => kept,
    () => false,
  );
  const [shown, setShown] = useState(false);
  return (
    <div className="grid gap-2">
      <Field
        label="API key"
        type={shown ? "text" : "password"}
        value={text}
        onChange={({ target }) => remember(target.value.trim(), keep)}
        placeholder="kb_…"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <div className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-text-muted">
        <Check label="Remember for this tab" checked={keep} onChange={(checked) => remember(text, checked)} />
        <Check label="Show" checked={shown} onChange={setShown} />
      </div>
    </div>
  );
}

function Check({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className="flex min-h-6 items-center gap-2">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4 accent-accent"
      />
      {label}
    </label>
  );
}
