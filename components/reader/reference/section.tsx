import type { ReactNode } from "react";

export function Section({
  anchor,
  title,
  level,
  first = false,
  children,
  aside,
}: {
  anchor: string;
  title: string;
  level: 2 | 3;
  /** Whether it directly follows the heading of its group. */
  first?: boolean;
  children: ReactNode;
  aside?: ReactNode;
}) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <section id={anchor} className={first ? "scroll-mt-6 pb-12 lg:pb-14" : "border-t border-border py-12 lg:py-14"}>
      <Columns aside={aside}>
        <Heading className={`break-words ${level === 2 ? "text-xl" : "text-lg font-semibold"}`}>
          <a href={`#${anchor}`} className="no-underline hover:underline">
            {title}
          </a>
        </Heading>
        {children}
      </Columns>
    </section>
  );
}

export function Columns({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,29rem)]">
      <div className="max-w-[42rem] min-w-0">{children}</div>
      {aside && (
        <div className="grid max-w-[42rem] min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4 self-start xl:sticky xl:top-6">
          {aside}
        </div>
      )}
    </div>
  );
}
