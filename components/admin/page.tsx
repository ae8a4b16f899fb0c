import Link from "next/link";
import type { ReactNode } from "react";

/**
 * A page with its head.
 * @param path the parent pages
 * @param action the primary action
 */
export function AdminPage({
  title,
  about,
  path = [],
  action,
  children,
}: {
  title: string;
  about?: ReactNode;
  path?: { href: string; name: string }[];
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      {path.length > 0 && (
        <nav aria-label="Breadcrumbs" className="mb-2 text-text-muted print:hidden">
          <ol className="flex flex-wrap gap-x-2">
            {path.map(({ href, name }, index) => (
              <li key={href} className="flex min-w-0 gap-x-2">
                {index > 0 && <span aria-hidden="true">/</span>}
                <Link
                  href={href}
                  prefetch={false}
                  className="min-w-0 break-words no-underline hover:text-text hover:underline"
                >
                  {name}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold break-words">{title}</h1>
          {about && <div className="mt-1.5 max-w-[40rem] text-text-muted">{about}</div>}
        </div>
        {action}
      </div>
      <div className="mt-6">{children}</div>
    </>
  );
}
