import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "@/lib/members/passwords";

test("the right password is verified, another one and a differing case are not", async () => {
  const kept = await hashPassword("correct horse");
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(kept).not.toBe(await hashPassword("correct horse"));
  expect(await verifyPassword("correct horse", kept)).toBe(true);
  expect(await verifyPassword("Correct horse", kept)).toBe(false);
  expect(await verifyPassword("", kept)).toBe(false);
});

test("the same letters typed on another keyboard are the same password", async () => {
  expect(await verifyPassword("cafe\u0301 au lait", await hashPassword("caf\u00e9 au lait"))).toBe(true);
});

test("a member without a password is refused after the same work", async () => {
  const kept = await hashPassword("correct horse");
  const time = async (passwordHash: string | null) => {
    const start = performance.now();
    expect(await verifyPassword("another password", passwordHash)).toBe(false);
    return performance.now() - start;
  };
  const least = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 10; round++) {
    least.known = Math.min(least.known, await time(kept));
    least.unknown = Math.min(least.unknown, await time(null));
  }
  expect(least.unknown).toBeGreaterThan(least.known * 0.6);
  expect(least.unknown).toBeLessThan(least.known * 1.7);
});

test.each([
  ...["password1234", "Passw0rd!!!!!", "PasswordPassword12", "qwertyuiop123", "123456789012", "121212121212"],
  ...["aaaaaaaaaaaa", "abcabcabcabc", "!!!!!!!!!!!!", "Letmein-2026!!", "eva.example@kb.example", "Eva-Example2026"],
  ...["Harbour Coffee", "harbourcoffee 2026"],
  ...["P@ssw0rd1234", "1qaz2wsx3edc", "1Qaz2Wsx3Edc!", "correcthorsebatterystaple", "Correct Horse Battery Staple"],
  ...["sunshine2026!!", "!!Michelle1987", "M1ch3lle-1987", "abc123456789", "qazwsxedcrfv", "Unbelievable"],
])("%s is easy to guess", async (password) => {
  const refused = hashPassword(password, ["eva.example@kb.example", "Harbour Coffee"]);
  await expect(refused).rejects.toThrow("easy to guess");
});

test("words of one's own are a password, also beside what is refused alone", async () => {
  for (const password of [
    "correct horse",
    "Harbour Coffee at noon",
    "my password is a poem",
    "4 words, 1 poem",
    "kjh3 bq7x mmp2",
    "sunshine on 2 roofs",
  ]) {
    expect(await verifyPassword(password, await hashPassword(password, ["Harbour Coffee"]))).toBe(true);
  }
});

test("a password has 12 to 200 characters, and blanks around it are none", async () => {
  for (const password of ["", "eleven char", `  ${"short one"}  `, "a b c ".repeat(40)]) {
    await expect(hashPassword(password)).rejects.toThrow(/Use (at least 12|up to 200) characters/);
  }
});
