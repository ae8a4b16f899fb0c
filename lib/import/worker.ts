import { parentPort, workerData } from "node:worker_threads";
import { type AddressBook, Addresses } from "@/lib/import/addresses";
import { checkedBody, preparedBody } from "@/lib/import/prepare";
import type { Reply, Request } from "@/lib/import/preparing";

// A thread of lib/import/preparing.ts: turns bodies into what is stored, so that a second core helps.

const addresses = new Addresses(workerData as AddressBook);

async function answer({ id, path, file, checkOnly }: Request): Promise<Reply> {
  try {
    const result = checkOnly ? checkedBody(path, file, addresses) : await preparedBody(path, file, addresses);
    return { id, result };
  } catch (error) {
    return { id, error };
  }
}

parentPort?.on("message", (request: Request) => {
  void answer(request).then((reply) => parentPort?.postMessage(reply));
});
