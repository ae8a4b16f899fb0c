import cluster from "node:cluster";
import { statfs } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { connectionCounts, replicaCounts } from "@/lib/db";
import { env } from "@/lib/env";
import { version } from "@/package.json";

/** Every combination of these becomes a series, so each field but `seconds` has few values. */
interface Answer {
  surface: string;
  /** A name from the source, never a requested path. */
  operation: string;
  method: string;
  status: number;
  seconds: number;
}

const labels = ["surface", "operation", "method", "status"] as const;
const methods = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE"]);

interface Metrics {
  registry: Registry;
  count(answer: Answer): void;
  countPage(isKept: boolean): void;
}

type Waiting = () => Promise<{ task: string; count: number }[]>;

let metrics: Metrics | undefined;

export function countAnswer(answer: Answer): void {
  metrics?.count(answer);
}

/** @param isKept whether the page was in memory */
export function countPage(isKept: boolean): void {
  metrics?.countPage(isKept);
}

/**
 * Starts counting. If there are several processes, the first one collects the counts (server/processes.ts).
 * @param waiting counts the background jobs that are due and not running
 */
export function countMetrics(waiting: Waiting): () => Promise<string> {
  const { registry } = (metrics ??= made(waiting));
  AggregatorRegistry.setRegistries([registry]);
  if (cluster.isWorker) {
    // Each process has counters of its own, so that none of them falls when a process ends.
    registry.setDefaultLabels({ process: String(process.env.PROCESS) });
    new AggregatorRegistry();
  }
  return () => registry.metrics();
}

/** The metrics of all processes together. */
export function metricsOfAll(): () => Promise<string> {
  const all = new AggregatorRegistry();
  return () => all.clusterMetrics();
}

/**
 * Serves metrics to Prometheus at `/metrics` of a private port.
 * @throws a sentence with its remedy if the port is taken
 */
export function serveMetrics(
  { port, host }: { port: number; host: string },
  metricsNow: () => Promise<string>,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url?.split("?", 1)[0] !== "/metrics")
      return void response.writeHead(404).end("Metrics are at /metrics.\n");
    metricsNow().then(
      (text) => response.writeHead(200, { "Content-Type": Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end("The metrics could not be collected.\n"),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new Error(
          `The metrics can't be served at ${host}:${port} (${error.code}). Choose another METRICS_PORT or METRICS_HOST, or unset them.`,
        ),
      ),
    );
    server.listen(port, host, () => resolve(server));
  });
}

function made(waiting: Waiting): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const answers = new Counter({
    name: "lectern_requests_total",
    help: "Answered requests, by class of status.",
    labelNames: labels,
    registers,
  });
  const durations = new Histogram({
    name: "lectern_request_duration_seconds",
    help: "Duration of requests, from the arrival of their head to the end of the response.",
    labelNames: labels,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const limited = new Counter({
    name: "lectern_rate_limited_total",
    help: "Requests that a rate limit refused.",
    labelNames: ["operation"],
    registers,
  });
  const pages = new Counter({
    name: "lectern_pages_total",
    help: "Requests for pages and files that can be kept, answered from memory or by rendering.",
    labelNames: ["from"],
    registers,
  });
  new Gauge({
    name: "lectern_data_free_bytes",
    help: "Free space in the file system of DATA_DIR.",
    registers,
    aggregator: "first",
    async collect() {
      // With a bucket and a database elsewhere, there may be no folder.
      const disk = await statfs(env().dataDir).catch(() => null);
      if (disk) this.set(disk.bavail * disk.bsize);
      else this.remove();
    },
  });
  new Gauge({
    name: "lectern_database_connections",
    help: "Connections of this process, and requests waiting for one, by database and state.",
    labelNames: ["database", "state"],
    registers,
    collect() {
      const pools = { primary: connectionCounts(), replica: replicaCounts()?.connections };
      for (const [database, counts] of Object.entries(pools)) {
        for (const [state, count] of Object.entries(counts ?? {})) this.set({ database, state }, count);
      }
    },
  });
  new Counter({
    name: "lectern_replica_transactions_total",
    help: "Read transactions that may run on the replica, by the database that ran them.",
    labelNames: ["database"],
    registers,
    collect() {
      this.reset();
      for (const [database, count] of Object.entries(replicaCounts()?.opened ?? {})) this.inc({ database }, count);
    },
  });
  new Gauge({
    name: "lectern_jobs_waiting",
    help: "Background jobs of all servers that are due and not running, by task.",
    labelNames: ["task"],
    registers,
    async collect() {
      this.reset();
      if (cluster.isWorker && process.env.PROCESS !== "0") return;
      // The other metrics matter most while the database is away.
      const jobs = await waiting().catch(() => []);
      for (const { task, count } of jobs) this.set({ task }, count);
    },
  });
  new Gauge({
    name: "lectern_info",
    help: "The version, always 1.",
    labelNames: ["version"],
    registers,
    aggregator: "max",
  }).set({ version }, 1);
  return {
    registry,
    count({ surface, operation, method, status, seconds }) {
      const values = {
        surface,
        operation,
        method: methods.has(method) ? method : "other",
        status: `${Math.floor(status / 100)}xx`,
      };
      answers.inc(values);
      durations.observe(values, seconds);
      if (status === 429) limited.inc({ operation });
    },
    countPage: (isKept) => pages.inc({ from: isKept ? "memory" : "rendering" }),
  };
}
