/** A person's picture. The name is next to it, so screen readers skip the image. */
export function Portrait({ path, large = false }: { path: string; large?: boolean }) {
  const side = large ? 72 : 28;
  return (
    // eslint-disable-next-line @next/next/no-img-element -- a drawing of a few hundred bytes, or a small picture
    <img
      src={path}
      alt=""
      width={side}
      height={side}
      className={`shrink-0 rounded-full object-cover ${large ? "size-18" : "size-7"}`}
    />
  );
}
