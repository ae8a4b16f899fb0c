/** Stands where a logo would: the first letter of a name. */
export function Monogram({ name }: { name: string }) {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return (
    <span
      aria-hidden="true"
      className="flex size-10 items-center justify-center rounded-md bg-accent text-lg font-semibold text-accent-text select-none"
    >
      {first?.segment.toUpperCase()}
    </span>
  );
}
