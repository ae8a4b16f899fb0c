import { chmod, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findPlace, rememberPort } from "@/server/postgres/place";

const ROOT = process.getuid?.() === 0;

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(ROOT ? "/tmp" : tmpdir(), "lectern-place-"));
  await chmod(dataDir, 0o755);
});
afterEach(() => rm(dataDir, { recursive: true }));

test("a place is chosen once: cluster, password and port stay", async () => {
  const first = await findPlace(dataDir);
  expect(first).toMatchObject({ cluster: join(dataDir, "postgres"), home: dataDir, port: undefined });
  await rememberPort(dataDir, 4321);
  expect(await findPlace(dataDir)).toEqual({ ...first, port: 4321 });
});

test("a folder that was moved is found where it is now", async () => {
  const { password } = await findPlace(dataDir);
  const moved = `${dataDir}-moved`;
  await rename(dataDir, moved);
  expect(await findPlace(moved)).toMatchObject({ cluster: join(moved, "postgres"), password });
  await rename(moved, dataDir);
});

if (ROOT) {
  test("root keeps the database below /var/lib when the server's user may not enter the folder", async () => {
    await chmod(dataDir, 0o700);
    const place = await findPlace(dataDir);
    expect(place.home).toMatch(/^\/var\/lib\/lectern-[0-9a-f]{8}$/);
    expect((await stat(place.home)).mode & 0o777).toBe(0o755);
    expect(await findPlace(dataDir)).toEqual(place);
    await rm(place.home, { recursive: true });
    await expect(findPlace(dataDir)).rejects.toThrow(
      `${place.home}, the folder of the database of ${dataDir}, is gone. Restore it from a backup, or delete ${join(dataDir, "postgres.json")}`,
    );
  });

  test("root is told when the server's user may no longer enter the folder", async () => {
    await findPlace(dataDir);
    await chmod(dataDir, 0o700);
    await expect(findPlace(dataDir)).rejects.toThrow(/can no longer enter .* Run chmod o\+x/);
  });
}
