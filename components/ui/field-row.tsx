import { type ComponentProps, useId } from "react";
import { fieldLook } from "./field-look";
import { Select } from "./select";

/**
 * A named input, with the name beside it if there is room. A select if there are few values.
 * @param none the label of the empty choice
 */
export function FieldRow({
  name,
  values,
  none,
  onChange,
  ...rest
}: {
  name: string;
  values: string[];
  none: string;
  onChange: (value: string) => void;
} & Omit<ComponentProps<"input">, "className" | "id" | "onChange">) {
  const id = useId();
  return (
    <div className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[9.5rem_minmax(0,1fr)]">
      <label htmlFor={id} className="min-w-0">
        <code className="text-code wrap-anywhere">{name}</code>
      </label>
      {values.length > 0 ? (
        <Select
          id={id}
          size="small"
          value={rest.value}
          onChange={({ target }) => onChange(target.value)}
          options={[{ value: "", name: none }, ...values.map((value) => ({ value, name: value }))]}
        />
      ) : (
        <input
          id={id}
          onChange={({ target }) => onChange(target.value)}
          className={`w-full ${fieldLook.small}`}
          {...rest}
        />
      )}
    </div>
  );
}
