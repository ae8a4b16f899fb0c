import type { ButtonHTMLAttributes } from "react";

const looks = {
  primary: "bg-accent text-accent-text hover:bg-accent-hover",
  plain: "border border-border-field bg-surface-raised hover:border-text-muted",
};

export function Button({
  look = "primary",
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> & { look?: keyof typeof looks }) {
  return (
    <button
      className={`inline-flex h-11 cursor-pointer items-center justify-center rounded-sm px-4 text-sm font-medium whitespace-nowrap transition-colors duration-100 motion-reduce:transition-none md:h-10 ${looks[look]}`}
      {...rest}
    />
  );
}
