import Link from "next/link";
import type { ComponentProps } from "react";
import { buttonLook, type Look } from "./button";

/** A link to a page that looks like a button. */
export function ButtonLink({ look, size, ...rest }: Omit<ComponentProps<typeof Link>, "className"> & Look) {
  return <Link prefetch={false} className={buttonLook({ look, size })} {...rest} />;
}
