import { expect, test, vi } from "vitest";
import { drawSocialImage } from "@/lib/reader/draw-social-image";
import { type SocialImage, socialImageVersion } from "@/lib/reader/social-image";

const image: SocialImage = {
  workspace: "Acme Help",
  host: "acme.example.com",
  accentColor: "#d9480f",
  category: "Start",
  title: "Reset your password",
};

const drawn = async (changed: Partial<SocialImage>) =>
  Buffer.from((await drawSocialImage({ ...image, ...changed })) ?? []);

test("when the fonts cannot be read, the next picture reads them again", async () => {
  const folder = vi.spyOn(process, "cwd").mockReturnValue("/nowhere");
  await expect(drawn({ title: "Without fonts" })).rejects.toThrow("ENOENT");
  folder.mockRestore();
  expect((await drawn({ title: "Without fonts" })).length).toBeGreaterThan(1_000);
});

test("a picture is a PNG of 1200 by 630, the same for the same things and another for others", async () => {
  const png = await drawn({});
  expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(await drawn({})).toEqual(png);
  for (const changed of [
    { workspace: "Other" },
    { host: "other.example.com" },
    { accentColor: null },
    { category: null },
    { title: "Reset your passwords" },
    { title: "Сбросить пароль" },
  ]) {
    expect((await drawn(changed)).equals(png)).toBe(false);
    expect(socialImageVersion({ ...image, ...changed })).not.toBe(socialImageVersion(image));
  }
});

test("a text that the fonts have no letters for is left out, and of another only the signs", async () => {
  for (const title of ["パスワードをリセットする", "كيفية إعادة تعيين كلمة المرور", "Password をリセット"]) {
    expect((await drawn({ title })).equals(await drawn({ title: null }))).toBe(true);
  }
  expect((await drawn({ title: "Reset → your 🎉 password" })).equals(await drawn({}))).toBe(true);
});

test("a title of any length and kind is drawn", async () => {
  for (const title of ["x".repeat(5000), "word ".repeat(2000), `</text><script>&"'`, "", "\u0000\ud800"]) {
    expect((await drawn({ title })).length).toBeGreaterThan(5000);
  }
});

test("many who ask for one picture wait for one drawing, and too many pictures are refused", async () => {
  const same = await Promise.all(Array.from({ length: 30 }, () => drawSocialImage({ ...image, title: "Same" })));
  expect(new Set(same).size).toBe(1);
  const many = await Promise.all(
    Array.from({ length: 25 }, (_, number) => drawSocialImage({ ...image, title: `Number ${number}` })),
  );
  expect(many.filter((png) => png === null)).toHaveLength(5);
  expect(await drawSocialImage({ ...image, title: "Number 24" })).not.toBeNull();
});
