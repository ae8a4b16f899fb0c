import { Monogram } from "./monogram";

/** The workspace's logo, or the first letter of its name. */
export function Mark({
  name,
  image,
  large = false,
}: {
  name: string;
  /** Its size in pixels keeps its place until it is loaded. */
  image: { path: string; width: number; height: number } | null;
  large?: boolean;
}) {
  if (!image) return <Monogram name={name} small={!large} />;
  return (
    // The name stands beside it and is read once.
    // eslint-disable-next-line @next/next/no-img-element -- made as large as fine screens show it
    <img
      src={image.path}
      width={image.width}
      height={image.height}
      alt=""
      className={`w-auto shrink-0 object-contain object-left ${large ? "h-10 max-w-40" : "h-7 max-w-28"}`}
    />
  );
}
