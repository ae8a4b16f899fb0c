import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { type FieldSize, fieldLook } from "./field-look";

export interface Option {
  value: string;
  name: string;
}

/** A native select in the product's style. @param fit as wide as the chosen option */
export function Select({
  options,
  size = "normal",
  fit = false,
  look = "",
  ...rest
}: Omit<ComponentProps<"select">, "className" | "children" | "size"> & {
  options: readonly Option[];
  size?: FieldSize;
  fit?: boolean;
  look?: string;
}) {
  return (
    <span className={`relative inline-flex min-w-0 ${fit ? "" : "w-full"}`}>
      <select
        className={`cursor-pointer appearance-none truncate pr-9 hover:border-text-muted disabled:cursor-default ${fieldLook[size]} ${fit ? "field-sizing-content max-w-56" : "w-full"} ${look}`}
        {...rest}
      >
        {options.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-text-muted"
      />
    </span>
  );
}
