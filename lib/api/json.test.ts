import { expect, test } from "vitest";
import { z } from "zod";
import { jsonOf } from "@/lib/api/json";

const Item = z.object({
  id: z.guid(),
  count: z.int(),
  state: z.enum(["draft", "published"]),
  name: z.string().nullable(),
  note: z.string().optional(),
  marks: z.record(z.string(), z.boolean()),
  get below() {
    return z.array(Item).optional();
  },
});
const Answer = z.object({ item: Item, kind: z.literal("item"), text: z.string().nullable() });

const item = { id: "5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d", count: -3, state: "draft" as const, name: null, marks: {} };
const answer = {
  item: { ...item, name: 'A "quoted"\n\u2028 \ud800 name', note: "", marks: { read: true }, below: [item, item] },
  kind: "item",
  text: null,
};

test("an answer is written like its checked value, without fields that its schema doesn't declare", () => {
  const written = jsonOf(Answer, { ...answer, secret: 1, item: { ...answer.item, below: [{ ...item, secret: 1 }] } });
  expect(written).toBe(JSON.stringify(Answer.parse({ ...answer, item: { ...answer.item, below: [item] } })));
  expect(written).not.toContain("secret");
  expect(jsonOf(Answer, answer)).toBe(JSON.stringify(Answer.parse(answer)));
});

test("omitted fields are missing at any depth", () => {
  expect(JSON.parse(jsonOf(Answer, answer, ["note", "count"]))).toEqual(
    JSON.parse(
      JSON.stringify(answer, (name, value: unknown) => (["note", "count"].includes(name) ? undefined : value)),
    ),
  );
  expect(jsonOf(Answer, answer)).toContain('"count"');
});

test.each([
  ["a missing field", { ...answer, item: { ...item, id: undefined } }],
  ["null", { ...answer, item: { ...item, state: null } }],
  ["another type", { ...answer, text: 3 }],
  ["an unknown value", { ...answer, item: { ...item, state: "gone" } }],
  ["a number that JSON doesn't have", { ...answer, item: { ...item, count: Number.NaN } }],
  ["a missing item of a list", { ...answer, item: { ...item, below: [undefined] } }],
  ["no object", { ...answer, item: [] }],
])("%s is an error instead of an answer", (_, wrong) => {
  expect(() => jsonOf(Answer, wrong)).toThrow();
});

test("a frozen object is written once for each version of the API", () => {
  const frozen = Object.freeze({ ...item });
  const first = jsonOf(Item, frozen);
  expect(jsonOf(Item, frozen, ["count"])).not.toContain("count");
  expect(jsonOf(Item, frozen)).toBe(first);
  expect(jsonOf(Answer, { ...answer, item: frozen })).toContain(first);
});

test("long texts of one field are written as themselves, in any order", () => {
  const schema = z.object({ text: z.string() });
  const texts = ["a", "ä", "a"].map((letter) => letter.repeat(1_500));
  const written = texts.map((text) => jsonOf(schema, { text }));
  expect(written).toEqual(texts.map((text) => JSON.stringify({ text })));
});
