import { attribute, type SourceElement } from "@/lib/content/parse";
import { MARKS, type MarkName } from "@/lib/content/schema";

const aliases: Record<string, MarkName> = {
  b: "strong",
  i: "em",
  cite: "em",
  dfn: "em",
  var: "em",
  ins: "u",
  del: "s",
  strike: "s",
  tt: "code",
  samp: "code",
};

const marks = new Map<string, MarkName>([
  ...MARKS.filter((name) => name !== "a").map((name): [string, MarkName] => [name, name]),
  ...Object.entries(aliases),
]);

export function markName(element: SourceElement): MarkName | undefined {
  const { tagName } = element;
  if (tagName !== "b" && tagName !== "span") return marks.get(tagName);
  const style = attribute(element, "style")?.toLowerCase() ?? "";
  const weight = /(?:^|;)\s*font-weight:\s*(\w+)/.exec(style)?.[1];
  // Google Docs wraps a whole document in a b that is not bold.
  if (tagName === "b") return weight === "normal" || weight === "400" ? undefined : "strong";
  if (weight === "bold" || Number(weight) >= 600) return "strong";
  if (/(?:^|;)\s*font-style:\s*italic/.test(style)) return "em";
  return /(?:^|;)\s*text-decoration(?:-line)?:\s*line-through/.test(style) ? "s" : undefined;
}
