import { type ComponentProps, type ReactNode, useId } from "react";
import { fieldLook } from "./field-look";
import { Select } from "./select";

interface Labels {
  label: string;
  hint?: ReactNode;
  /** Why the server refused the value. */
  error?: string;
}

export function Field({ label, hint, error, ...rest }: Omit<ComponentProps<"input">, "className" | "id"> & Labels) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(aria) => <input className={`w-full ${fieldLook.normal}`} {...aria} {...rest} />}
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
      {(aria) => <textarea rows={5} className={`w-full ${fieldLook.lines}`} {...aria} {...rest} />}
    </Labelled>
  );
}

export function Choice({ label, hint, error, ...rest }: Omit<ComponentProps<typeof Select>, "id"> & Labels) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(aria) => <Select {...aria} {...rest} />}
    </Labelled>
  );
}

interface FieldAria {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

/** A control with its label, error and hint. */
export function Labelled({ label, hint, error, children }: Labels & { children: (aria: FieldAria) => ReactNode }) {
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
