import Link from "next/link";

/**
 * Navigation for a list that is too long to count, newest first. Hidden when everything fits on one page.
 * @param newest the URL of the first page
 */
export function OlderNewer({ newest, newer, older }: { newest: string; newer: string | null; older: string | null }) {
  if (!newer && !older) return null;
  const link =
    "flex h-11 items-center rounded-sm border border-border-field px-3 no-underline hover:border-text-muted md:h-8";
  const steps = [
    { name: "Newest", href: newer && newest, rel: undefined },
    { name: "Newer", href: newer, rel: "prev" },
    { name: "Older", href: older, rel: "next" },
  ];
  return (
    <nav aria-label="Pages" className="mt-4 flex flex-wrap justify-end gap-2">
      {steps.map(
        ({ name, href, rel }) =>
          href && (
            <Link key={name} href={href} prefetch={false} rel={rel} className={link}>
              {name}
            </Link>
          ),
      )}
    </nav>
  );
}
