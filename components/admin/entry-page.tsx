import type { ComponentProps, ReactNode } from "react";
import { Mark } from "@/components/ui/mark";

/**
 * A page for people who are not signed in, with one task in the middle.
 * @param foot links to alternatives
 */
export function EntryPage({
  workspace,
  title,
  about,
  children,
  foot,
}: {
  workspace: { name: string; logo: ComponentProps<typeof Mark>["image"] };
  title: string;
  about?: ReactNode;
  children?: ReactNode;
  foot?: ReactNode;
}) {
  return (
    <main className="mx-auto max-w-[24rem] px-5 py-16 md:py-28">
      <Mark name={workspace.name} image={workspace.logo} large />
      <h1 className="mt-6 text-xl break-words">{title}</h1>
      {about && <div className="mt-2 grid gap-3 text-sm text-text-muted">{about}</div>}
      {children && <div className="mt-8">{children}</div>}
      {foot && <ul className="mt-8 text-sm">{foot}</ul>}
    </main>
  );
}

export function EntryLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <li>
      <a href={href} className="inline-flex min-h-11 items-center md:min-h-8">
        {children}
      </a>
    </li>
  );
}
