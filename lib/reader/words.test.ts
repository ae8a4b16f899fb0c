import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { catalogs, wordsFor } from "@/lib/reader/words";
import { en } from "@/lib/reader/words/en";

/** Each text of a catalog by its path. Plural forms stay together. */
function textsIn(value: object, path = ""): [path: string, text: string | Record<string, string>][] {
  return Object.entries(value).flatMap(([key, one]: [string, string | Record<string, string>]) =>
    typeof one === "string" || "other" in one
      ? [[`${path}${key}`, one] as [string, typeof one]]
      : textsIn(one, `${path}${key}.`),
  );
}

const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();

test.each(Object.entries(catalogs))(
  "%s has every placeholder of English, and every plural form it needs",
  (tag, words) => {
    const plurals = new Intl.PluralRules(tag);
    const forms = [...new Set(Array.from({ length: 200 }, (_, count) => plurals.select(count)))];
    const translated = new Map(textsIn(words));
    for (const [path, english] of textsIn(en)) {
      const text = translated.get(path);
      if (typeof english === "string") {
        expect([path, placeholders(text as string)]).toEqual([path, placeholders(english)]);
        continue;
      }
      const own = text as Record<string, string>;
      expect([path, forms.filter((form) => !(form in own))]).toEqual([path, []]);
      // A form for one number may say it in a word.
      const others = placeholders(english.other as string).filter((name) => name !== "{count}");
      for (const [form, one] of Object.entries(own)) {
        const [found, wanted] = [placeholders(one).filter((name) => name !== "{count}"), form === "zero" ? [] : others];
        expect([path, form, wanted.filter((name) => !found.includes(name))]).toEqual([path, form, []]);
      }
    }
  },
);

test("a workspace gets the words of its language, whatever its region, and English where there are none", () => {
  expect(wordsFor("de-AT")).toMatchObject({ language: "de-AT", region: {}, search: { label: "Suche" } });
  expect(wordsFor("pt").feedback.yes).toBe("Sim");
  expect(wordsFor("zh-CN").feedback.send).toBe("发送");
  expect(wordsFor("zh-Hant")).toMatchObject({ language: "en", region: { lang: "en", dir: "ltr" } });
  expect(wordsFor("he").search.label).toBe("Search");
});

/** Names of keys, which no language translates. */
const keys = ["esc"];
const spoken = /^(aria-label|placeholder|title|alt|label)$/;

/** The texts that a file says itself: in elements, and in attributes that are read or shown. */
function literalsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const add = (text: string) => {
    if (/\p{L}{2}/u.test(text) && !keys.includes(text.trim())) found.push(text.trim());
  };
  const inExpression = (node: ts.Node): void => {
    if (ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isCallExpression(node)) return;
    // `a === "b"` says nothing.
    if (ts.isBinaryExpression(node) && /===?$/.test(node.operatorToken.getText())) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) add(node.text);
    if (ts.isTemplateExpression(node))
      for (const part of [node.head, ...node.templateSpans]) add("text" in part ? part.text : part.literal.text);
    if (ts.isElementAccessExpression(node)) return;
    node.forEachChild(inExpression);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) add(node.text);
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent) && node.expression) inExpression(node.expression);
    if (ts.isJsxAttribute(node) && spoken.test(node.name.getText()) && node.initializer) inExpression(node.initializer);
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

test("readers' pages say nothing that is not in the catalogs", () => {
  const folders = ["components/reader", ":(literal)app/sites/[workspace]/(reader)"];
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...folders], { encoding: "utf8" })
    .split("\n")
    // The reference of the API is in English.
    .filter((file) => /\.tsx$/.test(file) && !/\.test\.tsx$|\/reference\/|\/developers\//.test(file));
  expect(files).toContain("components/reader/frame.tsx");
  expect(files).toContain("app/sites/[workspace]/(reader)/page.tsx");
  expect(files.flatMap((file) => literalsIn(file).map((text) => `${file}: ${text}`))).toEqual([]);
});
