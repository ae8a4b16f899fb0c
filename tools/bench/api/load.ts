import { connect, type Socket } from "node:net";

// A process of tools/bench/api.ts: sends requests over kept connections, one at a time on each. It reads only as much of a
// response as it must, so that it costs less than any server.

export interface Load {
  port: number;
  host: string;
  /** Each connection uses one, in turn. */
  keys: string[];
  accept: string;
  encoding: string;
  /** The paths to request, in turn. */
  paths: string[];
  /** Adds an ignored parameter, so that no URL is requested twice. Numbers before this one were used. */
  differentFrom?: number;
  connections: number;
  seconds: number;
  /** The number of requests that are sent even if the time is over. */
  least: number;
  /** The number of requests that are sent at most. */
  most?: number;
  /** Milliseconds between a response and the next request. */
  pauseMs?: number;
}

export interface Loaded {
  requests: number;
  failed: number;
  /** Of answers with their headers. */
  bytes: number;
  seconds: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
  /** The number after the last URL that was different. */
  different: number;
}

const HEAD_END = Buffer.from("\r\n\r\n");

async function run({
  port,
  host,
  keys,
  accept,
  encoding,
  paths,
  differentFrom,
  connections,
  seconds,
  least,
  most = Number.POSITIVE_INFINITY,
  pauseMs,
}: Load): Promise<Loaded> {
  const took: number[] = [];
  let [requests, failed, bytes, next] = [0, 0, 0, 0];
  let different = differentFrom ?? 0;
  const start = performance.now();
  const until = start + seconds * 1000;

  const work = (index: number) =>
    new Promise<void>((resolve, reject) => {
      const socket: Socket = connect(port, "127.0.0.1");
      socket.setNoDelay(true);
      const head = `Host: ${host}\r\nX-Api-Key: ${keys[index % keys.length]}\r\nAccept: ${accept}`;
      const rest = ` HTTP/1.1\r\n${head}\r\nAccept-Encoding: ${encoding}\r\n\r\n`;
      let asked = 0;
      let parts: Buffer[] = [];
      let [received, wanted] = [0, Number.POSITIVE_INFINITY];
      const ask = () => {
        asked = performance.now();
        if ((asked >= until && next >= least) || next >= most) {
          socket.end();
          return resolve();
        }
        const path = paths[next++ % paths.length] as string;
        const whole = differentFrom === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}n=${different++}`;
        socket.write(`GET ${whole}${rest}`);
      };
      socket.on("data", (part) => {
        received += part.length;
        if (wanted === Number.POSITIVE_INFINITY) {
          parts.push(part);
          const all = parts.length === 1 ? part : Buffer.concat(parts);
          const end = all.indexOf(HEAD_END);
          if (end < 0) return;
          const head = all.toString("latin1", 0, end);
          if (!head.startsWith("HTTP/1.1 200")) failed++;
          wanted = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
          if (Number.isNaN(wanted)) return void socket.destroy(new Error(`No length: ${head}`));
        }
        if (received < wanted) return;
        took.push(performance.now() - asked);
        requests++;
        bytes += received;
        parts = [];
        [received, wanted] = [0, Number.POSITIVE_INFINITY];
        if (pauseMs) setTimeout(ask, pauseMs);
        else ask();
      });
      socket.once("connect", ask);
      socket.once("error", reject);
      socket.once("close", () => resolve());
    });

  await Promise.all(Array.from({ length: connections }, (_, index) => work(index)));
  const real = (performance.now() - start) / 1000;
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN;
  return { requests, failed, bytes, seconds: real, p50: at(0.5), p99: at(0.99), different };
}

process.once("disconnect", () => process.exit());
process.on("message", (load: Load) => {
  run(load).then(
    (loaded) => process.send?.(loaded),
    (error: Error) => {
      console.error(error.message);
      process.exit(1);
    },
  );
});
