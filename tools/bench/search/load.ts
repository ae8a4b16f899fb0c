import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { programBeside } from "./beside";
import { endsWithUs } from "./interruption";
import type { LoaderReply } from "./loader";
import type { PlannedWorkspace } from "./plan";

/** More processes would only wait for the database. */
const MOST_PROCESSES = 4;

/**
 * Fills a migrated database with the articles of a plan, several workspaces at a time.
 * @param onProgress receives the number of articles so far
 */
export async function loadWorkspaces(
  url: string,
  plan: readonly PlannedWorkspace[],
  onProgress: (loaded: number) => void,
): Promise<void> {
  const waiting = [...plan];
  let loaded = 0;
  const count = Math.min(MOST_PROCESSES, availableParallelism(), plan.length);
  const children = Array.from({ length: count }, () => fork(programBeside("loader"), [url]));
  const ended = endsWithUs(() => killAll(children));
  try {
    await Promise.all(
      children.map((child) =>
        work(
          child,
          () => waiting.shift(),
          (more) => onProgress((loaded += more)),
        ),
      ),
    );
  } finally {
    ended();
    killAll(children);
  }
}

function killAll(children: readonly ChildProcess[]): void {
  for (const child of children) child.kill();
}

/** Gives a process one workspace after the other until none are left. */
function work(
  child: ChildProcess,
  next: () => PlannedWorkspace | undefined,
  onLoaded: (more: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error("A loading process ended unexpectedly.")));
    child.on("message", (reply: LoaderReply) => {
      if ("loaded" in reply) return onLoaded(reply.loaded);
      if ("error" in reply) return reject(new Error(reply.error));
      const workspace = next();
      if (workspace) child.send(workspace);
      else resolve();
    });
  });
}
