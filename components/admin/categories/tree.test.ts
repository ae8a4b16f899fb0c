import { expect, test } from "vitest";
import {
  foundIn,
  type Line,
  landing,
  linesOf,
  moved,
  placeOf,
  refusalOf,
  type Step,
  stepFrom,
  totalsOf,
} from "@/components/admin/categories/tree";
import type { TreeCategory } from "@/lib/categories/tree";

/** "A(B C) D": a tree, each category called by its letter. */
function treeOf(text: string): TreeCategory[] {
  const rows: TreeCategory[] = [];
  const above: string[] = [];
  for (const sign of text) {
    if (sign === "(") above.push(rows.at(-1)?.id ?? "");
    else if (sign === ")") above.pop();
    else if (sign !== " ") {
      const fields = { slug: sign, visibility: "inherit" as const, published: 0, drafts: 0, seen: 0 };
      rows.push({ id: sign, name: sign, parentId: above.at(-1) ?? null, ...fields });
    }
  }
  return rows;
}
function textOf(rows: TreeCategory[]): string {
  const level = (parentId: string | null): string =>
    rows
      .filter((row) => row.parentId === parentId)
      .map(({ id }) => id + (rows.some((row) => row.parentId === id) ? `(${level(id)})` : ""))
      .join(" ");
  return level(null);
}
const everything = (rows: TreeCategory[]) => new Set(rows.map(({ id }) => id));

test("a step up, down, in or out leads to the place beside; where there is none, a sentence says so", () => {
  const rows = treeOf("A(B C D) E");
  const after = (id: string, step: Step) => {
    const to = stepFrom(rows, id, step);
    return typeof to === "string" ? to : textOf(moved(rows, id, to));
  };
  expect(after("C", "up")).toBe("A(C B D) E");
  expect(after("B", "down")).toBe("A(C B D) E");
  expect(after("C", "down")).toBe("A(B D C) E");
  expect(after("D", "in")).toBe("A(B C(D)) E");
  expect(after("C", "out")).toBe("A(B D) C E");
  expect(after("E", "in")).toBe("A(B C D E)");
  expect(after("B", "up")).toBe("“B” is already first.");
  expect(after("D", "down")).toBe("“D” is already last.");
  expect(after("A", "out")).toBe("“A” is already at the top level.");
  expect(after("B", "in")).toContain("“B” has no category above it");
});

test("a move back to where something was leaves the tree as it was", () => {
  const rows = treeOf("A(B C D) E");
  const back = placeOf(rows, "C");
  expect(textOf(moved(moved(rows, "C", { parentId: "E", before: null }), "C", back))).toBe("A(B C D) E");
});

test("the articles of a category are counted with those of its subcategories, also after a move", () => {
  const rows = treeOf("A(B(C) D) E").map((row, index) => ({ ...row, published: 10 ** index, drafts: 1 }));
  const counts = (tree: TreeCategory[]) =>
    linesOf(tree, everything(tree), false).map(({ row, published, drafts }) => `${row.id} ${published} ${drafts}`);
  expect(counts(rows)).toEqual(["A 1111 4", "B 110 2", "C 100 1", "D 1000 1", "E 10000 1"]);
  expect(counts(moved(rows, "B", { parentId: "E", before: null }))).toEqual([
    ...["A 1001 2", "D 1000 1", "E 10110 3", "B 110 2", "C 100 1"],
  ]);
});

test("a search shows the matches with the path to each, and folded what is below them", () => {
  const names: Record<string, string> = { A: "Windows", B: "Drivers", C: "Printer drivers", D: "Café", E: "Linux" };
  const rows = treeOf("A(B(C) D) E").map((row) => ({ ...row, name: names[row.id] ?? "", published: 1 }));
  const shown = (search: string) => {
    const found = foundIn(rows, search);
    return (
      found && [
        ...linesOf(found.rows, found.open, false, totalsOf(rows)).map(
          ({ row, open }) => row.id + (open === false ? "+" : ""),
        ),
        found.matches,
      ]
    );
  };
  expect(shown("  ")).toBeNull();
  expect(shown("drivers")).toEqual(["A", "B", "C", 2]);
  expect(shown("windows")).toEqual(["A+", 1]);
  expect(shown("cafe")).toEqual(["A", "D", 1]);
  expect(shown("printer DRIVER")).toEqual(["A", "B", "C", 1]);
  expect(shown("mac")).toEqual([0]);
  const totals = linesOf(foundIn(rows, "cafe")?.rows ?? [], new Set(), false, totalsOf(rows));
  expect(totals.map(({ published }) => published)).toEqual([4]);
});

test("a category goes neither below itself nor below the sixth level", () => {
  const rows = treeOf("A(B(C(D(E(F))))) G(H)");
  expect(refusalOf(rows, "A", { parentId: "C", before: null })).toBe(
    "“A” can't be moved into itself or its subcategories.",
  );
  expect(refusalOf(rows, "H", { parentId: "E", before: null })).toBeNull();
  expect(refusalOf(rows, "H", { parentId: "F", before: null })).toContain("up to 6 levels");
  expect(refusalOf(rows, "G", { parentId: "E", before: null })).toContain("up to 6 levels");
  expect(refusalOf(rows, "B", { parentId: null, before: null })).toBeNull();
});

test("lines are those that are unfolded, each with its level and place, and whether it is for members", () => {
  const rows = treeOf("A(B(C)) D");
  (rows[1] as TreeCategory).visibility = "members";
  const short = (lines: Line[]) =>
    lines.map(({ row, level, position, size, open, closed }) => [row.id, level, position, size, open, closed].join());
  expect(short(linesOf(rows, new Set(["A", "B"]), false))).toEqual([
    "A,1,1,2,true,false",
    "B,2,1,1,true,true",
    "C,3,1,1,,true",
    "D,1,2,2,,false",
  ]);
  expect(short(linesOf(rows, new Set(["B"]), false))).toEqual(["A,1,1,2,false,false", "D,1,2,2,,false"]);
  (rows[3] as TreeCategory).visibility = "everyone";
  expect(linesOf(rows, new Set(), true).map(({ closed }) => closed)).toEqual([true, false]);
});

test("what is dropped lands in a line, or in the gap beside it, as far out as it was moved", () => {
  const rows = treeOf("A(B C) D");
  const lines = linesOf(rows, everything(rows), false);
  const drop = (id: string, over: string, zone: "before" | "into" | "after", sideways = 0) => {
    const to = landing(lines, new Set([id]), over, zone, sideways);
    return to && `${textOf(moved(rows, id, to))} at ${to.level}`;
  };
  expect(drop("D", "B", "into")).toBe("A(B(D) C) at 3");
  expect(drop("D", "B", "before")).toBe("A(D B C) at 2");
  expect(drop("D", "A", "after")).toBe("A(D B C) at 2");
  expect(drop("D", "C", "after")).toBe("A(B C D) at 2");
  expect(drop("D", "C", "after", -1)).toBe("A(B C) D at 1");
  expect(drop("B", "C", "after", -1)).toBe("A(C) B D at 1");
  expect(drop("B", "D", "after")).toBe("A(C) D B at 1");
  expect(drop("B", "D", "after", 5)).toBe("A(C) D B at 1");
  expect(drop("B", "A", "before")).toBe("B A(C) D at 1");
  expect(drop("D", "D", "into")).toBeNull();
});
