import type { Heading } from "@/lib/content/headings";

interface Part {
  heading: Heading;
  below: Heading[];
}

/**
 * Links to the headings of a page: those of its highest level, each with those one level below it.
 * @param titled whether it says what it is, where nothing above it does
 */
export function Contents({ headings, titled = false }: { headings: readonly Heading[]; titled?: boolean }) {
  return (
    <nav aria-label="On this page" className="text-sm">
      {titled && <p className="mb-2 font-semibold">On this page</p>}
      <ul>
        {partsOf(headings).map(({ heading, below }) => (
          <li key={heading.id}>
            <HeadingLink heading={heading} />
            {below.length > 0 && (
              <ul className="pl-3.5">
                {below.map((one) => (
                  <li key={one.id}>
                    <HeadingLink heading={one} />
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function HeadingLink({ heading: { id, text } }: { heading: Heading }) {
  return (
    <a
      href={`#${id}`}
      dir="auto"
      className="block py-1 leading-snug wrap-anywhere text-text-muted no-underline hover:text-text hover:underline aria-[current]:font-medium aria-[current]:text-accent"
    >
      {text}
    </a>
  );
}

function partsOf(headings: readonly Heading[]): Part[] {
  const top = Math.min(...headings.map(({ level }) => level));
  const parts: Part[] = [];
  for (const heading of headings) {
    const last = parts.at(-1);
    if (heading.level === top || !last) parts.push({ heading, below: [] });
    else if (heading.level === top + 1) last.below.push(heading);
  }
  return parts;
}
