import type { ButtonHTMLAttributes, ComponentProps } from "react";

const looks = {
  primary: "bg-accent text-accent-text hover:bg-accent-hover",
  plain: "border border-border-field bg-surface-raised hover:border-text-muted",
  danger: "border border-danger bg-surface-raised text-danger hover:bg-highlight",
};

const sizes = {
  normal: "h-11 px-4 md:h-10",
  small: "h-11 px-3 md:h-8 md:px-2.5",
};

export interface Look {
  look?: keyof typeof looks;
  size?: keyof typeof sizes;
}

export const buttonLook = ({ look = "primary", size = "normal" }: Look) =>
  `inline-flex cursor-pointer items-center justify-center rounded-sm text-sm font-medium whitespace-nowrap no-underline transition-colors duration-100 motion-reduce:transition-none ${sizes[size]} ${looks[look]}`;

export function Button({ look, size, ...rest }: Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> & Look) {
  return <button className={buttonLook({ look, size })} {...rest} />;
}

/** A link that the browser follows itself, for files and for responses that aren't pages. */
export function ButtonAnchor({ look, size, children, ...rest }: Omit<ComponentProps<"a">, "className"> & Look) {
  return (
    <a className={buttonLook({ look, size })} {...rest}>
      {children}
    </a>
  );
}
