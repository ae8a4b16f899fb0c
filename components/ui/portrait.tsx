/** A person's picture. The name stands beside it and is read once. */
export function Portrait({ path, large = false }: { path: string; large?: boolean }) {
  const side = large ? 72 : 28;
  return (
    // eslint-disable-next-line @next/next/no-img-element -- a drawing of a few hundred bytes, or a picture made small
    <img
      src={path}
      alt=""
      width={side}
      height={side}
      loading="lazy"
      className={`shrink-0 rounded-full object-cover ${large ? "size-18" : "size-7"}`}
    />
  );
}
