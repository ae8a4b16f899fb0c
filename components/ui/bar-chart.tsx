import { number } from "./count";
import { Fold } from "./fold";
import { Table } from "./table";

export interface Bar {
  /** The bar's name, such as a day. */
  name: string;
  /** The name in about three letters, for charts with few enough bars to label each one. */
  short?: string;
  value: number;
  /** The part of the value that is drawn separately. */
  part?: number;
}

/**
 * A bar chart that needs no scripts. Labels every bar if there are few, otherwise the highest, first, middle and last.
 * Each bar has a tooltip, and the table below has all values.
 * @param label the chart's name
 * @param columns the table's column names: bars, values, and the part if there is one
 * @param small leaves out the table, if the label says enough
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
          Peak: {number(most.value)} on {most.name}
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
            {/* Covers the full height, so that the pointer also finds low bars. */}
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
          <Fold summary="View as table">
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

/** Short numbers that fit above a bar, such as "1.2K". The table has exact values. */
const compact = new Intl.NumberFormat("en", { notation: "compact" });

/** One text above or below each bar. Screen readers use the table instead. */
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
