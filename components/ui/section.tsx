import { type ReactNode, useId } from "react";

/**
 * A part of a page with its own heading, below a dividing line.
 * @param action beside the heading
 */
export function Section({
  title,
  id,
  about,
  action,
  children,
}: {
  title: string;
  id?: string;
  about?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}) {
  const heading = useId();
  return (
    <section
      id={id}
      aria-labelledby={heading}
      className="mt-10 border-t border-border pt-6 first:mt-0 first:border-t-0 first:pt-0"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id={heading} className="text-md font-semibold">
          {title}
        </h2>
        {action}
      </div>
      {about && <p className="mt-1.5 max-w-[40rem] text-text-muted">{about}</p>}
      {children && <div className="mt-4">{children}</div>}
    </section>
  );
}
