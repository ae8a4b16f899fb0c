import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("V8's garbage collection gets a lower priority than the main thread, where threads have priorities", async () => {
  const code = `
    import { readdirSync } from "node:fs";
    import { getPriority } from "node:os";
    import { collectAfterRequests } from "./lib/threads/priority.ts";
    const isLinux = process.platform === "linux";
    const later = isLinux ? readdirSync("/proc/self/task").map(Number).filter((id) => id > process.pid).sort((a, b) => a - b) : [];
    const before = getPriority();
    collectAfterRequests();
    console.log(JSON.stringify([getPriority() - before, ...later.slice(0, 3).map((id) => getPriority(id) > before)]));`;
  const args = ["--v8-pool-size=1", "--import", "tsx", "--input-type=module", "--eval", code];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual(process.platform === "linux" ? [0, true, true, true] : [0]);
});
