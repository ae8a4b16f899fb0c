import { expect, test } from "vitest";
import { cleanFilename } from "./filename";

test.each([
  ["Report 2026.pdf", "Report 2026.pdf"],
  ["../../etc/passwd", "passwd"],
  ["..\\..\\boot.ini", "boot.ini"],
  ["/", "file"],
  ["..", "file"],
  ["", "file"],
  [".htaccess", "htaccess"],
  ["a\0b.png", "ab.png"],
  ["invoice\u202Efdp.exe", "invoicefdp.exe"],
  ["zero\u200Bwidth\uFEFF.txt", "zerowidth.txt"],
  ['a"b<c>d|e?f*g:h.txt', "a_b_c_d_e_f_g_h.txt"],
  ["line\r\nSet-Cookie: a=b.txt", "lineSet-Cookie_ a=b.txt"],
  ["CON", "_CON"],
  ["nul.txt", "_nul.txt"],
  ["Com1.tar.gz", "_Com1.tar.gz"],
  ["ends. . .", "ends"],
  ["U\u0308bersicht 表.docx", "Übersicht 表.docx"],
])("%j is stored as %j", (original, cleaned) => {
  expect(cleanFilename(original)).toBe(cleaned);
});

test("a long name is cut between characters and keeps its ending", () => {
  const cut = cleanFilename(`${"表".repeat(300)}.pdf`);
  expect(cut).toBe(`${"表".repeat(65)}.pdf`);
  expect(cleanFilename("a".repeat(300))).toBe("a".repeat(200));
});

test("a re-encoded image has a matching extension", () => {
  expect(cleanFilename("shell.php", "png")).toBe("shell.png");
  expect(cleanFilename("photo", "jpg")).toBe("photo.jpg");
  expect(cleanFilename("", "webp")).toBe("file.webp");
});
