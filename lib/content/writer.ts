import type { ElementContent } from "hast";
import type { Mark } from "@/lib/content/inline";
import type { SourceNode } from "@/lib/content/parse";

/** Writes the contents of a frame. */
export interface Writer {
  blocks(nodes: readonly SourceNode[], marks: readonly Mark[]): ElementContent[];
  inline(nodes: readonly SourceNode[], marks: readonly Mark[]): ElementContent[];
  /** A list item, with its checkbox if it begins with one. */
  item(
    nodes: readonly SourceNode[],
    marks: readonly Mark[],
    checkbox: { checked?: boolean },
  ): { blocks: ElementContent[]; checked?: boolean };
}
