import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accentFor,
  accentStyle,
  contrastOf,
  contrastsOf,
  hexOfOklch,
  parseColor,
  themes,
  tokens,
} from "@/lib/settings/colors";

const css = readFileSync("app/globals.css", "utf8");

/** A token of globals.css in both themes. */
function token(name: string): { light: string; dark: string } {
  const found = new RegExp(`${name}: light-dark\\(oklch\\(([^)]*)\\), oklch\\(([^)]*)\\)\\)`).exec(css);
  const hexOf = (text = "") => hexOfOklch(text.split(" ").map(Number) as unknown as [number, number, number]);
  return { light: hexOf(found?.[1]), dark: hexOf(found?.[2]) };
}

const hex = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, "0")}`);
const theme = fc.constantFrom("light" as const, "dark" as const);

describe("a workspace's color", () => {
  it("is readable on every ground of both themes, and so is what stands on it", () => {
    fc.assert(
      fc.property(hex, theme, (chosen, name) => {
        const { accent, accentHover, accentText, highlight } = accentFor(chosen, name);
        const pairs = [accent, accentHover].flatMap((color) =>
          [token("--surface")[name], token("--surface-raised")[name], accentText].map((ground) => [color, ground]),
        );
        for (const text of [accent, token("--text")[name], token("--text-muted")[name]]) pairs.push([text, highlight]);
        for (const [one = "", other = ""] of pairs) expect(contrastOf(one, other)).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 2000 },
    );
  });

  it("shows another color on hover", () => {
    fc.assert(
      fc.property(hex, theme, (chosen, name) => {
        const { accent, accentHover } = accentFor(chosen, name);
        expect(accentHover).not.toBe(accent);
      }),
    );
  });

  it("is taken as it is where it can be read", () => {
    expect(accentFor("#0b5cad", "light").accent).toBe("#0b5cad");
    expect(accentFor("#8ec5ff", "dark").accent).toBe("#8ec5ff");
  });

  it("is told how well it can be read, as it was chosen and as it is shown", () => {
    const yellow = contrastsOf("#ffd400", "light");
    expect(yellow.chosen).toBeLessThan(1.5);
    expect(yellow.shown).toBeGreaterThanOrEqual(4.5);
    const { chosen, shown } = contrastsOf("#ffd400", "dark");
    expect([chosen === shown, chosen > 9]).toEqual([true, true]);
  });

  it("is understood however it is written, and nothing else is", () => {
    expect(["#155E63", " 155e63", "#1ab", "1AB"].map(parseColor)).toEqual(["#155e63", "#155e63", "#11aabb", "#11aabb"]);
    for (const text of ["", "#", "#12", "#1234", "teal", "#12345g", "#155e63;", "url(x)", "#155e6300"])
      expect([text, parseColor(text)]).toEqual([text, null]);
  });

  it("keeps its hue where it has to become darker or lighter", () => {
    // A yellow that nobody could read on white becomes an olive, and a navy on black a light blue.
    expect(accentFor("#ffd400", "light").accent).toMatch(/^#[78]\w[67]\w00$/);
    expect(accentFor("#00008b", "dark").accent).toMatch(/^#[5-9]\w[8-9a]\wff$/);
  });

  it("of black, white or gray stays colorless", () => {
    for (const chosen of ["#000000", "#ffffff", "#808080"]) {
      for (const name of ["light", "dark"] as const) {
        const { accent, highlight } = accentFor(chosen, name);
        for (const color of [accent, highlight]) expect(color).toMatch(/^#(\w\w)\1\1$/);
      }
    }
  });

  it("is written as the variables of the style sheet, and nothing else", () => {
    expect(accentStyle("#0b5cad")).toMatch(
      /^html:root\{--accent:light-dark\(#0b5cad,#\w{6}\);--accent-hover:light-dark\(#\w{6},#\w{6}\);--accent-text:light-dark\(#\w{6},#\w{6}\);--highlight:light-dark\(#\w{6},#\w{6}\)\}$/,
    );
  });

  it("is measured against the grounds that the style sheet has", () => {
    for (const name of ["light", "dark"] as const) {
      expect(token("--surface")[name]).toBe(hexOfOklch(themes[name].surface));
      expect(token("--surface-raised")[name]).toBe(hexOfOklch(themes[name].raised));
      const { text, muted, border, accent, accentText, highlight } = tokens[name];
      for (const [css, drawn] of [
        ...([
          ["--text", text],
          ["--text-muted", muted],
          ["--border", border],
          ["--accent", accent],
        ] as const),
        ...([
          ["--accent-text", accentText],
          ["--highlight", highlight],
        ] as const),
      ] as const)
        expect([css, token(css)[name]]).toEqual([css, hexOfOklch(drawn)]);
    }
    expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21);
    expect(contrastOf("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
  });
});
