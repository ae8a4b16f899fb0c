import Link from "next/link";
import type { ReactNode } from "react";

export interface NavGroup {
  title: string;
  links: { href: string; name: string; note?: string }[];
}

export function Nav({ groups, label, versions }: { groups: NavGroup[]; label: string; versions: ReactNode }) {
  return (
    <nav aria-label={label} className="grid gap-4 text-sm">
      {groups.map(({ title, links }, index) => (
        <div key={title}>
          {index === 1 && versions}
          <p className={index === 0 ? "font-semibold" : "font-medium"}>{title}</p>
          <ul className="mt-1">
            {links.map(({ href, name, note }) => (
              <li key={href}>
                <Link
                  href={href}
                  prefetch={false}
                  className="-mx-2.5 flex min-h-7 items-center justify-between gap-3 rounded-sm px-2.5 py-0.5 text-text-muted no-underline hover:text-text aria-[current]:bg-highlight aria-[current]:font-medium aria-[current]:text-text"
                >
                  {name}
                  {note && <span className="font-mono text-[0.6875rem]">{note}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
