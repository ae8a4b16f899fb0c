import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { takeLimit } from "@/lib/counters";
import { asSave, TooOftenError, takeSave } from "./save-limits";

test("a member saves one long text at a time, and short ones meanwhile; so do others", () => {
  const [workspace, ada, grace] = [randomUUID(), randomUUID(), randomUUID()];
  const [long, short] = ["x".repeat(50_000), "<p>x</p>"];
  const free = takeSave(workspace, ada, long);
  expect([free !== null, takeSave(workspace, ada, long)]).toEqual([true, null]);
  expect([takeSave(workspace, ada, short), takeSave(workspace, grace, long)]).not.toContain(null);
  free?.();
  expect(takeSave(workspace, ada, long)).not.toBeNull();
});

test("what is as much work as saving is counted with it, and a member has one of unknown length at a time", async () => {
  const [workspace, ada, grace] = [randomUUID(), randomUUID(), randomUUID()];
  const publish = (member: string, work: () => Promise<string>) => asSave(workspace, member, null, work);
  let finish: (answer: string) => void = () => {};
  let first: Promise<string> | undefined;
  await new Promise<void>((started) => {
    first = publish(ada, () => {
      started();
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
  });
  await expect(publish(ada, async () => "second")).rejects.toThrow(
    "Another save is still running. Wait a moment, then check whether it already worked.",
  );
  expect(await publish(grace, async () => "of Grace")).toBe("of Grace");
  finish("first");
  expect(await first).toBe("first");
  await expect(publish(ada, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await publish(ada, async () => "again")).toBe("again");
  await Promise.all(Array.from({ length: 116 }, () => takeLimit("save", { workspace, member: ada })));
  const refused = publish(ada, async () => "one too many");
  await expect(refused).rejects.toThrow(TooOftenError);
  await expect(refused).rejects.toThrow(/^Too many saves in a short time\. Nothing is /);
});
