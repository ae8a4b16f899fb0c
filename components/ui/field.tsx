import { type ComponentProps, type ReactNode, useId } from "react";

const look =
  "w-full rounded-sm border border-border-field bg-surface-raised px-3 text-base placeholder:text-text-muted aria-invalid:border-danger md:text-sm";

interface Labels {
  label: string;
  hint?: ReactNode;
  /** Why the server refused the value. */
  error?: string;
}

export function Field({ label, hint, error, ...rest }: Omit<ComponentProps<"input">, "className" | "id"> & Labels) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(aria) => <input className={`h-11 md:h-10 ${look}`} {...aria} {...rest} />}
    </Labelled>
  );
}

export function TextField({
  label,
  hint,
  error,
  ...rest
}: Omit<ComponentProps<"textarea">, "className" | "id"> & Labels) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(aria) => <textarea rows={5} className={`py-2 ${look}`} {...aria} {...rest} />}
    </Labelled>
  );
}

export function Choice({
  label,
  hint,
  error,
  options,
  ...rest
}: Omit<ComponentProps<"select">, "className" | "id" | "children"> &
  Labels & { options: { value: string; name: string }[] }) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(aria) => (
        <select className={`h-11 md:h-10 ${look}`} {...aria} {...rest}>
          {options.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

interface FieldAria {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

function Labelled({ label, hint, error, children }: Labels & { children: (aria: FieldAria) => ReactNode }) {
  const id = useId();
  const describedBy = [...(error ? [`${id}-error`] : []), ...(hint ? [`${id}-hint`] : [])].join(" ");
  return (
    <div className="grid min-w-0 gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, "aria-describedby": describedBy || undefined, "aria-invalid": error ? true : undefined })}
      {error && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
