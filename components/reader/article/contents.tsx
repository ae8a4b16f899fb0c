import type { Heading } from "@/lib/content/headings";
import type { Words } from "@/lib/reader/words";

interface Entry {
  heading: Heading;
  below: Heading[];
}

/** Links to the headings of the two highest levels. */
export function Contents({
  headings,
  words,
  titled = false,
}: {
  headings: readonly Heading[];
  words: Words;
  titled?: boolean;
}) {
  const { onThisPage } = words.article;
  return (
    <nav aria-label={onThisPage} className="text-sm">
      {titled && (
        <p className="mb-2 font-semibold" {...words.region}>
          {onThisPage}
        </p>
      )}
      <ul>
        {entriesOf(headings).map(({ heading, below }) => (
          <li key={heading.id}>
            <HeadingLink heading={heading} />
            {below.length > 0 && (
              <ul className="ps-3.5">
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

function entriesOf(headings: readonly Heading[]): Entry[] {
  const top = Math.min(...headings.map(({ level }) => level));
  const entries: Entry[] = [];
  for (const heading of headings) {
    const last = entries.at(-1);
    if (heading.level === top || !last) entries.push({ heading, below: [] });
    else if (heading.level === top + 1) last.below.push(heading);
  }
  return entries;
}
