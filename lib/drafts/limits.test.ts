import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { countSave, takeSave } from "./limits";

test("a member saves one long text at a time, and short ones meanwhile; so do others", () => {
  const [workspace, ada, grace] = [randomUUID(), randomUUID(), randomUUID()];
  const [long, short] = ["x".repeat(50_000), "<p>x</p>"];
  const free = takeSave(workspace, ada, long);
  expect([free !== null, takeSave(workspace, ada, long)]).toEqual([true, null]);
  expect([takeSave(workspace, ada, short), takeSave(workspace, grace, long)]).not.toContain(null);
  free?.();
  expect(takeSave(workspace, ada, long)).not.toBeNull();
});

test("a member may save 120 times a minute, and is told then how long to wait", async () => {
  const [workspace, ada] = [randomUUID(), randomUUID()];
  const waits = await Promise.all(Array.from({ length: 120 }, () => countSave(workspace, ada)));
  expect(waits.filter((wait) => wait !== null)).toEqual([]);
  const wait = await countSave(workspace, ada);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(await countSave(workspace, randomUUID())).toBeNull();
});
