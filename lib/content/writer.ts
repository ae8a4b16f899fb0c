import type { ElementContent } from "hast";
import type { Mark } from "@/lib/content/inline";
import type { SourceNode } from "@/lib/content/parse";

/** Writes what is inside a frame; a frame writes only itself. */
export interface Writer {
  blocks(nodes: readonly SourceNode[], marks: readonly Mark[]): ElementContent[];
  inline(nodes: readonly SourceNode[], marks: readonly Mark[]): ElementContent[];
  /** A list item's blocks, and its checkbox when it begins with one. */
  item(
    nodes: readonly SourceNode[],
    marks: readonly Mark[],
    checkbox: { checked?: boolean },
  ): { blocks: ElementContent[]; checked?: boolean };
}
