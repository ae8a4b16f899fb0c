import { createWriteStream } from "node:fs";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { closeConnections } from "@/lib/db";
import { exportWorkspace } from "@/lib/export/run";
import { importArticles } from "@/lib/import/run";
import type { Message, Task, Watch } from "@/lib/import-export/thread";
import { goAfterRequests } from "@/lib/threads/priority";

// The thread of lib/import-export/thread.ts.

goAfterRequests();

const port = parentPort as MessagePort;
const post = (message: Message) => port.postMessage(message);
const stop = new AbortController();
port.on("message", () => stop.abort(new Error("It was stopped.")));
const watch: Watch = {
  onProgress: (progress) => post({ progress }),
  onFile: (file) => post({ file }),
  onStored: (stored) => post({ stored }),
  signal: stop.signal,
};

function run(task: Task) {
  if (task.kind === "import") return importArticles({ ...task.options, ...watch });
  const { out, ...options } = task.options;
  return exportWorkspace({ ...options, ...watch }, createWriteStream(out, { mode: 0o600 }));
}

try {
  const result = await run(workerData as Task);
  await closeConnections();
  post({ result });
} catch (error) {
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  post({ error: { name, message, stack, code } });
}
