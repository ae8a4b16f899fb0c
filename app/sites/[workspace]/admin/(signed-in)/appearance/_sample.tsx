import { accentFor, contrastsOf, hexOfOklch, themes, tokens } from "@/lib/settings/colors";

type Theme = keyof typeof themes;

const names = { light: "Light theme", dark: "Dark theme" };

/**
 * A small page as readers see it with a color, in both themes, with how its contrast was adjusted.
 * @param color `#rrggbb`; null for the product's own
 */
export function Samples({ color, name }: { color: string | null; name: string }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {(["light", "dark"] as const).map((theme) => (
        <figure key={theme} className="min-w-0">
          <Sample color={color} theme={theme} name={name} />
          <figcaption className="mt-2 text-text-muted">
            <span className="font-medium text-text">{names[theme]}:</span> {contrastWords(color, theme)}
          </figcaption>
        </figure>
      ))}
    </div>
  );
}

function contrastWords(color: string | null, theme: Theme): string {
  if (color === null) return "default color.";
  const { chosen, shown } = contrastsOf(color, theme);
  const { accent } = accentFor(color, theme);
  // Rounds down, so that a contrast never looks better than it is.
  const said = (contrast: number) => (Math.floor(contrast * 10) / 10).toLocaleString("en");
  if (accent === color) return `contrast ${said(shown)} to 1.`;
  const way = theme === "light" ? "darkened" : "lightened";
  return `${way} to ${accent} for contrast, ${said(shown)} to 1 instead of ${said(chosen)}.`;
}

function paint(color: string | null, theme: Theme) {
  const { text, muted, border, ...own } = tokens[theme];
  return {
    surface: hexOfOklch(themes[theme].surface),
    raised: hexOfOklch(themes[theme].raised),
    text: hexOfOklch(text),
    muted: hexOfOklch(muted),
    border: hexOfOklch(border),
    ...(color
      ? accentFor(color, theme)
      : {
          accent: hexOfOklch(own.accent),
          accentText: hexOfOklch(own.accentText),
          highlight: hexOfOklch(own.highlight),
        }),
  };
}

/** The top of a page in both themes. Its logo is as high as in components/ui/mark.tsx. */
export function LogoSamples({
  logo,
  name,
  color,
}: {
  logo: { path: string; width: number; height: number } | null;
  name: string;
  color: string | null;
}) {
  const scale = logo ? Math.min(28 / logo.height, 112 / logo.width) : 1;
  const { width, height } = logo
    ? { width: logo.width * scale, height: logo.height * scale }
    : { width: 28, height: 28 };
  const [first = ""] = Array.from(name.trim());
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {(["light", "dark"] as const).map((theme) => {
        const { surface, text, accent, accentText } = paint(color, theme);
        return (
          <svg
            key={theme}
            viewBox="0 0 320 60"
            role="img"
            aria-label={`Header, ${names[theme].toLowerCase()}`}
            className="block w-full rounded-md border border-border"
          >
            <rect width={320} height={60} fill={surface} />
            {logo ? (
              <image href={logo.path} x={16} y={30 - height / 2} width={width} height={height} />
            ) : (
              <>
                <rect x={16} y={16} width={28} height={28} rx={6} fill={accent} />
                <text x={30} y={35} textAnchor="middle" fontSize={14} fontWeight={600} fill={accentText}>
                  {first.toUpperCase()}
                </text>
              </>
            )}
            <text x={28 + width} y={35} fontSize={14} fontWeight={600} fill={text}>
              {name}
            </text>
          </svg>
        );
      })}
    </div>
  );
}

/** Drawn with attributes, because the page's policy refuses inline styles. */
function Sample({ color, theme, name }: { color: string | null; theme: Theme; name: string }) {
  const { surface, raised, text, muted, border, accent, accentText, highlight } = paint(color, theme);
  const [first = ""] = Array.from(name.trim());
  const line = (x: number, y: number, width: number, fill = muted) => (
    <rect x={x} y={y} width={width} height={5} rx={2.5} fill={fill} opacity={fill === muted ? 0.55 : 1} />
  );
  return (
    <svg
      viewBox="0 0 320 190"
      role="img"
      aria-label={`Article, ${names[theme].toLowerCase()}`}
      className="block w-full rounded-md border border-border"
    >
      <rect width={320} height={190} fill={surface} />
      <rect x={14} y={10} width={20} height={20} rx={5} fill={accent} />
      <text x={24} y={24.5} textAnchor="middle" fontSize={11} fontWeight={600} fill={accentText}>
        {first.toUpperCase()}
      </text>
      {line(42, 18, 60, text)}
      <rect x={206} y={11} width={100} height={18} rx={5} fill={raised} stroke={border} />
      {line(214, 18, 34)}
      <rect y={40} width={320} height={1} fill={border} />
      <rect x={8} y={52} width={78} height={18} rx={5} fill={highlight} />
      {line(16, 58.5, 52, accent)}
      {line(16, 80, 44)}
      {line(16, 96, 58)}
      {line(16, 112, 38)}
      <text x={106} y={68} fontSize={15} fontWeight={650} fill={text}>
        Change a password
      </text>
      {line(106, 82, 190)}
      {line(106, 95, 174)}
      <text x={106} y={118} fontSize={11} fill={text}>
        Read{" "}
        <tspan fill={accent} textDecoration="underline">
          how members sign in
        </tspan>{" "}
        first.
      </text>
      {line(106, 130, 120)}
      <rect x={106} y={148} width={84} height={26} rx={6} fill={accent} />
      <text x={148} y={165} textAnchor="middle" fontSize={11} fontWeight={550} fill={accentText}>
        Send
      </text>
      <rect x={198.5} y={148.5} width={60} height={25} rx={6} fill={raised} stroke={border} />
      <text x={228} y={165} textAnchor="middle" fontSize={11} fill={text}>
        Cancel
      </text>
    </svg>
  );
}
