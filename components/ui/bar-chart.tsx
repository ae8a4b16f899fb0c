import { number } from "./count";
import { Fold } from "./fold";
import { Table } from "./table";

export interface Bar {
  /** The name of the bar, such as a day. */
  name: string;
  /** The same in about three letters, where there are so few bars that each is named and has its number. */
  short?: string;
  value: number;
  /** How much of the value is of a kind that is drawn apart. */
  part?: number;
}

/**
 * Numbers side by side, drawn without scripts: few of them are all named, of many the highest and the ends; each says what
 * it is to who points at it, and all of them are in the table below.
 * @param label what is shown, which is also the chart's name
 * @param columns of the table: what bars stand for, their values, and the part, where there is one
 * @param small without the table, for where the label says it all
 */
export function BarChart({
  label,
  columns,
  bars,
  small,
}: {
  label: string;
  columns: [name: string, value: string, part?: string];
  bars: Bar[];
  small?: boolean;
}) {
  const most = bars.reduce((highest, bar) => (bar.value > highest.value ? bar : highest), { name: "", value: 0 });
  const height = (value: number) => (value === 0 ? 0 : Math.max(1.5, (value / most.value) * 100));
  const names = [bars[0], bars.length > 4 ? bars[Math.floor(bars.length / 2)] : undefined, bars.at(-1)];
  const [name, value, part] = columns;
  const isFew = bars.every(({ short }) => short);
  return (
    <div>
      {isFew ? (
        <Captions texts={bars.map((bar) => compact.format(bar.value))} />
      ) : (
        <p className="border-t border-dashed border-border pt-1 text-code text-text-muted">
          {number(most.value)} at most, on {most.name}
        </p>
      )}
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${bars.length} 100`}
        preserveAspectRatio="none"
        className={`block w-full border-b border-border-field ${small ? "h-12" : "h-28"}`}
      >
        {bars.map((bar, index) => (
          <g key={bar.name}>
            {/* Where the pointer finds it, however low it is. */}
            <rect x={index} y={0} width={1} height={100} fill="transparent" className="hover:fill-highlight">
              <title>{`${bar.name}: ${number(bar.value)}${part ? `, ${part.toLowerCase()}: ${number(bar.part ?? 0)}` : ""}`}</title>
            </rect>
            <rect
              x={index + 0.12}
              y={100 - height(bar.value)}
              width={0.76}
              height={height(bar.value)}
              className="pointer-events-none fill-accent"
            />
            {bar.part !== undefined && (
              <rect
                x={index + 0.12}
                y={100 - height(bar.part)}
                width={0.76}
                height={height(bar.part)}
                className="pointer-events-none fill-danger"
              />
            )}
          </g>
        ))}
      </svg>
      {isFew ? (
        <Captions texts={bars.map(({ short = "" }) => short)} />
      ) : (
        <p aria-hidden="true" className="mt-1 flex justify-between gap-3 text-code text-text-muted">
          {names.map((bar, index) => bar && <span key={index}>{bar.name}</span>)}
        </p>
      )}
      {!small && (
        <div className="mt-1 text-text-muted">
          <Fold summary="As a table">
            <Table
              label={label}
              columns={part ? [name, value, part] : [name, value]}
              rows={bars.map((bar) => ({
                key: bar.name,
                cells: [bar.name, number(bar.value), ...(part ? [number(bar.part ?? 0)] : [])],
              }))}
            />
          </Fold>
        </div>
      )}
    </div>
  );
}

/** Numbers that fit above a bar, such as "1.2K"; the exact ones are in the table. */
const compact = new Intl.NumberFormat("en", { notation: "compact" });

/** One below or above each bar. Screen readers have the table. */
function Captions({ texts }: { texts: string[] }) {
  return (
    <p aria-hidden="true" className="flex py-1 text-code text-text-muted">
      {texts.map((text, index) => (
        <span key={index} className="min-w-0 flex-1 text-center tabular-nums">
          {text}
        </span>
      ))}
    </p>
  );
}
