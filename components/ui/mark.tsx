import { Monogram } from "./monogram";

/** The workspace's logo, or the first letter of its name. */
export function Mark({
  name,
  image,
  large = false,
}: {
  name: string;
  /** The size in pixels reserves its space until the image loads. */
  image: { path: string; width: number; height: number } | null;
  large?: boolean;
}) {
  if (!image) return <Monogram name={name} small={!large} />;
  return (
    // The name is next to the logo, so screen readers skip the image.
    // eslint-disable-next-line @next/next/no-img-element -- already scaled for high-resolution screens
    <img
      src={image.path}
      width={image.width}
      height={image.height}
      alt=""
      className={`w-auto shrink-0 object-contain object-left ${large ? "h-10 max-w-40" : "h-7 max-w-28"}`}
    />
  );
}
