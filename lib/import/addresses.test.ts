import { expect, test } from "vitest";
import { Addresses, possibleAddresses } from "@/lib/import/addresses";

const addresses = new Addresses({
  articles: new Map([
    ["index.md", "home"],
    ["guides/Set up.md", "set-up"],
    ["guides/deep (new)/a+b.md", "a-b"],
    ["help/index.html", "help"],
    ["both.md", "both"],
    ["Both.md", "both-2"],
  ]),
  folders: new Map([
    ["guides", "guides"],
    ["guides/deep (new)", "deep-new"],
    ["help", "help"],
  ]),
  others: new Set(["guides/picture.png", "files/form.pdf", "files/stored.pdf", "files/stored.png"]),
  files: new Map([
    ["files/stored.pdf", { id: "1", isImage: false }],
    ["files/stored.png", { id: "2", isImage: true }],
  ]),
  isExport: false,
});

const link = (href: string, from = "guides/Set up.md") => addresses.find(from, { href, kind: "link" });

test.each([
  ["../index.md", "/articles/home"],
  ["../index.md#part", "/articles/home#part"],
  ["..\\index.md", "/articles/home"],
  ["/index.md", "/articles/home"],
  ["./deep%20(new)/a+b.md?view=1#x%20y", "/articles/a-b#x%20y"],
  ["Set up.md", "/articles/set-up"],
  ["SET%20UP.MD", "/articles/set-up"],
  ["set up", "/articles/set-up"],
  ["deep (new)", "/categories/deep-new"],
  ["deep%20(new)/", "/categories/deep-new"],
  ["../help/", "/articles/help"],
  ["../Both.md", "/articles/both-2"],
  ["#here", "#here"],
  ["https://example.com/index.md", "https://example.com/index.md"],
  ["//example.com/index.md", "//example.com/index.md"],
  ["mailto:ada@example.com", "mailto:ada@example.com"],
  ["/articles/home", "/articles/home"],
])("%s leads to %s", (href, expected) => {
  expect(link(href)).toMatchObject({ href: expected });
  expect(link(href).finding).toBeUndefined();
});

test.each([
  ["nowhere.md", { href: null, finding: "broken_link" }],
  ["../../index.md", { href: null, finding: "broken_link" }],
  ["../BOTH.md", { href: null, finding: "broken_link" }],
  ["C:\\docs\\index.md", { href: null, finding: "broken_link" }],
  ["%E0%A4%A.md", { href: null, finding: "broken_link" }],
  ["../files/form.pdf", { href: null, finding: "left_out_file" }],
  ["/elsewhere/page", { href: "/elsewhere/page", finding: "outside_link" }],
  ["/articles/unknown", { href: "/articles/unknown", finding: "outside_link" }],
])("%s is reported", (href, expected) => {
  expect(link(href)).toEqual(expected);
});

test("what is stored of the archive has its new address, and only an image is shown", () => {
  const find = (href: string, kind: "link" | "image") => addresses.find("guides/Set up.md", { href, kind });
  expect(find("../files/stored.pdf?raw=1#page=2", "link")).toEqual({ href: "/uploads/1#page=2" });
  expect(find("../files/stored.png", "image")).toEqual({ href: "/uploads/2" });
  expect(find("../files/stored.pdf", "image")).toEqual({ href: null, finding: "left_out_image" });
});

test("images of the archive that are not stored are left out, others keep their address", () => {
  const image = (href: string) => addresses.find("guides/Set up.md", { href, kind: "image" });
  expect(image("picture.png")).toEqual({ href: null, finding: "left_out_image" });
  expect(image("missing.png")).toEqual({ href: null, finding: "broken_image" });
  expect(image("https://example.com/p.png")).toEqual({ href: "https://example.com/p.png" });
});

test("a link says which article it leads to, and where in it", () => {
  expect(link("../index.md#a%20b")).toEqual({ href: "/articles/home#a%20b", article: "index.md", anchor: "a b" });
  expect(link("#here")).toEqual({ href: "#here", anchor: "here" });
});

test("whatever could be an address is found in a source", () => {
  const source = [
    "[a](one.md) [b](<two words.md> 'title') [c](three(x).md) [d](four\\_x.md)",
    "[e]: five.md",
    "[f]:\n  six.md 'title'",
    "<a href=\"seven.md?a=1&amp;b=2\"><img src=eight.png> <a HREF = 'nine.md'>",
    "[a](one.md)",
  ].join("\n");
  expect(possibleAddresses(source)).toEqual([
    ...["one.md", "two words.md", "three(x).md", "four_x.md", "five.md", "six.md"],
    ...["seven.md?a=1&b=2", "eight.png", "nine.md"],
  ]);
});
