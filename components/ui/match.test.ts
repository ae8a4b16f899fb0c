import { expect, test } from "vitest";
import { matching } from "@/components/ui/match";

const options = [
  { name: "Overview", note: "Billing" },
  { name: "Overview", note: "Billing / Tax invoices" },
  { name: "All invoices" },
  { name: "Invoices", note: "Orders" },
  { name: "Café" },
];
const names = (text: string) => matching(options, text).map(({ name, note }) => (note ? `${note} / ${name}` : name));

test.each([
  ["", options.map(({ name, note }) => (note ? `${note} / ${name}` : name))],
  ["invoices", ["Orders / Invoices", "All invoices", "Billing / Tax invoices / Overview"]],
  ["overview tax", ["Billing / Tax invoices / Overview"]],
  [" TAX  overview ", ["Billing / Tax invoices / Overview"]],
  ["cafe", ["Café"]],
  ["invoices missing", []],
])("%j finds, in the name or the path, best first", (text, found) => {
  expect(names(text)).toEqual(found);
});
