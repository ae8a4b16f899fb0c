const paths = {
  undo: "M6 3 2.5 6.5 6 10M3 6.5h6.5a4 4 0 0 1 0 8H7",
  redo: "m10 3 3.5 3.5L10 10M13 6.5H6.5a4 4 0 0 0 0 8H9",
  bold: "M4.5 2.5h4a2.75 2.75 0 0 1 0 5.5h-4zM4.5 8h4.75a2.75 2.75 0 0 1 0 5.5H4.5z",
  italic: "M6.5 2.5h6M3.5 13.5h6M9.8 2.5l-3.6 11",
  underline: "M4 2v5.5a4 4 0 0 0 8 0V2M3 14h10",
  strike: "M2 8h12M11.5 5C11.5 3.2 10 2.5 8 2.5S4.5 3.4 4.5 5 6 7.6 8 8s3.6 1.2 3.6 3-1.6 2.5-3.6 2.5S4.4 12.8 4.4 11",
  code: "M5.5 4 2 8l3.5 4M10.5 4 14 8l-3.5 4",
  mark: "m9.5 3 3.5 3.5L7 12.5H3.5V9zM2 15h12",
  link: "M6.8 9.2a3 3 0 0 0 4.2 0l2.3-2.3a3 3 0 0 0-4.2-4.2L8 3.8M9.2 6.8a3 3 0 0 0-4.2 0L2.7 9.1a3 3 0 0 0 4.2 4.2L8 12.2",
  bullets: "M6 4h8M6 8h8M6 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01",
  numbers: "M7 4h7M7 8h7M7 12h7M2 3l1.2-.6v3.8M2 10.2c.2-.9 1.9-.9 1.9.2 0 .9-1.9 1.4-1.9 2.6h2",
  tasks: "m2 4.5 1.2 1.2L5.4 3.2M2 11.5l1.2 1.2 2.2-2.5M8 4.5h6M8 11.5h6",
  image: "M2.5 3h11v10h-11zM2.5 11l3.2-3.2 2.6 2.6 1.9-1.9 3.3 3.3M10.5 5.8h.01",
  table: "M2.5 3h11v10h-11zM2.5 6.5h11M2.5 9.8h11M7 6.5V13",
  more: "M8 3v10M3 8h10",
  find: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3 14 14",
  mend: "M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM8 4.8v3.7M8 11.2h.01",
  outline: "M2.5 3.5h11M5 8h8.5M7.5 12.5h6",
  up: "m4 10 4-4 4 4",
  down: "m4 6 4 4 4-4",
};

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className="size-4 fill-none stroke-current stroke-[1.5]"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}
