import { expect, test } from "vitest";
import { ranked } from "@/components/ui/palette-rank";

const entry = (name: string, group = "Pages", words?: string) => ({ id: `${group} ${name}`, name, group, words });
const names = (...input: Parameters<typeof ranked>) =>
  ranked(...input).map(({ group, entries }) => [group, ...entries.map(({ name }) => name)]);

const pages = [
  entry("Dashboard"),
  entry("Members"),
  entry("General", "Settings", "time zone subdomain"),
  entry("Invite members", "Actions"),
  entry("Remember", "Actions"),
];

test("everything is there, as it came, until something is typed", () => {
  expect(names(pages, [], " ")).toEqual([
    ["Pages", "Dashboard", "Members"],
    ["Settings", "General"],
    ["Actions", "Invite members", "Remember"],
  ]);
});

test("an exact name comes before a prefix, a word in the middle, and a match in the keywords", () => {
  expect(names(pages, [], "Members")).toEqual([
    ["Pages", "Members"],
    ["Actions", "Invite members"],
  ]);
  expect(names(pages, [], "mem")).toEqual([
    ["Pages", "Members"],
    ["Actions", "Invite members", "Remember"],
  ]);
  expect(names(pages, [], "zone time")).toEqual([["Settings", "General"]]);
  expect(names(pages, [], "nothing")).toEqual([]);
});

test("capitals and accents do not matter, nor do signs that a pattern would read", () => {
  expect(names([entry("Zoë (Café)")], [], "CAFE zoe")).toEqual([["Pages", "Zoë (Café)"]]);
  expect(names(pages, [], "(.*[")).toEqual([]);
});

test("what was found elsewhere stays, after what is called so", () => {
  const found = [entry("How to invite", "Articles"), entry("Password", "Articles"), entry("Ingrid", "Members")];
  expect(names(pages, found, "inv")).toEqual([
    ["Actions", "Invite members"],
    ["Articles", "How to invite", "Password"],
    ["Members", "Ingrid"],
  ]);
});
