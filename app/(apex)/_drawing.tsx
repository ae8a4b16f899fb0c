const tree = [
  { name: "Getting started", level: 0 },
  { name: "Your account", level: 0 },
  { name: "Reset your password", level: 1, isCurrent: true },
  { name: "Two-step verification", level: 1 },
  { name: "Billing", level: 0 },
  { name: "Integrations", level: 0 },
];

/** The width of each line of the drawn article. */
const lines = [300, 284, 292, 196];

/** A drawing of a knowledge base with a search that forgives a typo. @param host shown as its URL */
export function Drawing({ host }: { host: string }) {
  return (
    <svg
      viewBox="0 0 600 420"
      role="img"
      aria-label="A knowledge base in a browser. A search for “pasword” finds “Reset your password”."
      className="w-full text-[13px]"
    >
      <rect x="1" y="1" width="598" height="418" rx="10" className="fill-surface-raised stroke-border" />
      {[22, 38, 54].map((x) => (
        <circle key={x} cx={x} cy="22" r="4.5" className="fill-border" />
      ))}
      <rect x="80" y="10" width="440" height="24" rx="6" className="fill-surface stroke-border" />
      <text x="94" y="26.5" className="fill-text-muted text-[12px]">
        {host}
      </text>
      <path d="M1 44.5H599M172.5 45V419" className="stroke-border" />
      {tree.map(({ name, level, isCurrent }, index) => (
        <g key={name}>
          {isCurrent && <rect x="10" y={62 + index * 30} width="152" height="26" rx="5" className="fill-highlight" />}
          <text
            x={20 + level * 12}
            y={79 + index * 30}
            className={isCurrent ? "fill-accent text-[12px] font-semibold" : "fill-text-muted text-[12px]"}
          >
            {name}
          </text>
        </g>
      ))}
      <text x="204" y="228" className="fill-text text-[20px] font-semibold">
        Reset your password
      </text>
      {lines.map((width, index) => (
        <rect key={width} x="204" y={250 + index * 20} width={width} height="8" rx="4" className="fill-border" />
      ))}
      <rect x="204" y="346" width="352" height="48" rx="6" className="fill-highlight" />
      <rect x="220" y="362" width="200" height="7" rx="3.5" className="fill-border" />
      <rect x="220" y="376" width="140" height="7" rx="3.5" className="fill-border" />
      <rect x="204" y="66" width="352" height="126" rx="8" className="fill-surface stroke-border" />
      <circle cx="224" cy="88" r="5" className="fill-none stroke-text-muted" strokeWidth="1.5" />
      <path d="m228 92 4 4" className="stroke-text-muted" strokeWidth="1.5" />
      <text x="242" y="92.5" className="fill-text">
        pasword
      </text>
      <path d="M204.5 108.5H555.5" className="stroke-border" />
      <rect x="212" y="116" width="336" height="32" rx="5" className="fill-highlight" />
      <text x="224" y="136.5" className="fill-text">
        Reset your <tspan className="fill-accent font-semibold">password</tspan>
      </text>
      <text x="536" y="136.5" textAnchor="end" className="fill-text-muted text-[11px]">
        Your account
      </text>
      <text x="224" y="172.5" className="fill-text">
        Change a <tspan className="fill-accent font-semibold">password</tspan>
      </text>
      <text x="536" y="172.5" textAnchor="end" className="fill-text-muted text-[11px]">
        Your account
      </text>
    </svg>
  );
}
