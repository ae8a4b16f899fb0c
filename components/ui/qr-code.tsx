/**
 * A QR code, always dark on light, because scanners expect that.
 * @param modules rows of squares with a light border, true for dark
 */
export function QrCode({ label, modules }: { label: string; modules: boolean[][] }) {
  const path = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
      className="size-52 rounded-md border border-border"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
