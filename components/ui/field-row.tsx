import { type ComponentProps, useId } from "react";

const look =
  "h-11 w-full min-w-0 rounded-sm border border-border-field bg-surface-raised px-2.5 text-base placeholder:text-text-muted md:h-9 md:text-sm";

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
        <select id={id} value={rest.value} onChange={({ target }) => onChange(target.value)} className={look}>
          <option value="">{none}</option>
          {values.map((value) => (
            <option key={value}>{value}</option>
          ))}
        </select>
      ) : (
        <input id={id} onChange={({ target }) => onChange(target.value)} className={look} {...rest} />
      )}
    </div>
  );
}
