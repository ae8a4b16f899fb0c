/** The first letter of a name, in place of a logo. */
export function Monogram({ name, small = false }: { name: string; small?: boolean }) {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return (
    <span
      aria-hidden="true"
      className={`flex shrink-0 items-center justify-center bg-accent font-semibold text-accent-text select-none ${small ? "size-7 rounded-sm text-sm" : "size-10 rounded-md text-lg"}`}
    >
      {first?.segment.toUpperCase()}
    </span>
  );
}
