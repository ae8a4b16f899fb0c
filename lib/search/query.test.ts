import { describe, expect, test } from "vitest";
import { tagOf } from "./lexemes";
import { parseQuery, stagesOf, textQuery, withoutSmallWords } from "./query";

const workspaceId = "00000001-0000-4000-8000-000000000000";
const tag = tagOf(workspaceId);
/** The words of each group. A bar separates alternatives. */
const groups = (text: string) =>
  parseQuery(text).groups.map((group) => group.map((words) => words.map(({ folded }) => folded).join(" ")).join(" | "));

describe("a query", () => {
  test("has each word once, at most ten", () => {
    expect(groups("Reset, reset the  PASSWORD")).toEqual(["reset", "the", "password"]);
    expect(groups("a b c d e f g h i j k l")).toHaveLength(10);
    expect(groups(`${"the ".repeat(10)}zebra`)).toEqual(["the", "zebra"]);
    expect(groups(`a b c d e f g h i j k A l`)).toEqual([..."abcdefghij"]);
    const letters = [..."abcdefghij"];
    const pairs = letters.flatMap((one) => letters.map((other) => `${one}-${other}`));
    expect(groups(pairs.join(" "))).toHaveLength(10);
    expect(groups("one-for-one")).toEqual(["one for | oneforone"]);
    expect(groups("a-b-".repeat(90))).toEqual(["a b | ababababab"]);
    expect(groups("& | ! ' :* 🎉")).toEqual([]);
  });

  test("takes hyphenated words apart and together, and leaves out the short side of an apostrophe", () => {
    expect(groups("e-mail settings")).toEqual(["e mail | email", "settings"]);
    expect(groups("driver's l’installation qu'il don't")).toEqual(["driver", "installation", "qu il | quil", "don"]);
    expect(groups("s")).toEqual(["s"]);
    expect(groups("sign-in sign-out sign-in")).toEqual(["sign in | signin", "sign out | signout"]);
    expect(groups("a-b-c-d-e-f-g-h-i-j-k-l")).toEqual(["a b c d e f g h i j | abcdefghij"]);
  });

  test("takes a word also together with the letter before it, which may be a small word", () => {
    expect(groups("e mail a b")).toEqual(["e", "mail | email", "a", "b"]);
    expect(groups("e mail-box")).toEqual(["e", "mail box | mailbox | emailbox"]);
    const shortened = withoutSmallWords(parseQuery("how do i reset my password, do I have to"), "en");
    expect(shortened.groups.map((ways) => ways.map(([word]) => word?.folded))).toEqual([
      ["reset", "ireset"],
      ["password"],
    ]);
    expect(shortened.folded).toBe("how do i reset my password do i have to");
    expect(withoutSmallWords(parseQuery("the die cast"), "de").groups).toHaveLength(2);
    expect(withoutSmallWords(parseQuery("to do"), "en").groups).toHaveLength(2);
  });

  test("leaves out a single kana between other words", () => {
    expect(groups("パスワードの変更")).toEqual(["パスワード", "変更"]);
    expect(groups("の")).toEqual(["の"]);
    expect(groups("の は")).toEqual(["の", "は"]);
  });

  test("bounds dense words by their characters", () => {
    expect(groups("検".repeat(200))[0]).toHaveLength(40);
    expect(parseQuery("検".repeat(50)).folded).toHaveLength(50);
    expect(groups(`${"検".repeat(30)} ${"検".repeat(30)} x ${"索".repeat(30)} ${"引".repeat(30)} y`)).toEqual([
      "検".repeat(30),
      "x",
      "索".repeat(10),
      "y",
    ]);
  });

  test("asks for a short word by its beginning's own entry, for others by all that begin with them", () => {
    expect(textQuery(workspaceId, "to reset")).toBe(`(('${tag}bto')) & (('${tag}wreset':*))`);
    expect(textQuery(workspaceId, "検索機")).toBe(`(('${tag}w検索') & ('${tag}w索機'))`);
    expect(textQuery(workspaceId, "?")).toBeNull();
  });

  test("has a stage for each field, which leaves out what the stages before have", () => {
    const { all, stages } = stagesOf(workspaceId, [parseQuery("reset")]);
    const [t, d, w, s, c, k, o] = ["t", "d", "w", "s", "c", "k", "o"].map((mark) => `'${tag}${mark}reset':*`);
    expect(stages.map(({ query }) => query)).toEqual([
      // Titles with the whole word are a stage of their own.
      "'01treset'",
      `((${t})) & !('01treset')`,
      `((${t} | ${d})) & !(((${t})))`,
      `((${d} | ${w})) & !(((${t} | ${d})))`,
      `((${d} | ${w} | ${s})) & !(((${d} | ${w})))`,
      `((${d} | ${w} | ${s} | ${c})) & !(((${d} | ${w} | ${s})))`,
      `((${d} | ${w} | ${s} | ${c} | ${k})) & !(((${d} | ${w} | ${s} | ${c})))`,
    ]);
    // In any field.
    expect(all).toBe(`(((${w} | ${o})))`);
    expect(stagesOf(workspaceId, [parseQuery("to")]).all).toBe(`((('${tag}bto' | '${tag}eto')))`);
    expect(stages.map(({ title }) => title)).toEqual(["reset", "reset", null, null, null, null, null]);
  });

  test("has a phrase of its words as far apart as they were asked", () => {
    const phrase = (text: string) => stagesOf(workspaceId, [parseQuery(text)]).stages[0]?.phrase;
    expect(phrase("credit card")).toBe(`'${tag}wcredit':* <1> '${tag}wcard':*`);
    expect(phrase("credit to credit card")).toBe(`'${tag}wcredit':* <1> '${tag}wto':* <2> '${tag}wcard':*`);
  });
});
