import { env } from "@/lib/env";
import { jobHandlers } from "@/server/jobs/handlers";
import { startWorker } from "@/server/jobs/worker";

// A process that runs jobs, for tests to kill.

const { databaseUrl = "", baseUrl } = env();
startWorker({ databaseUrl, handlers: jobHandlers({ deliver: async () => {}, baseUrl }), log: () => {} });
process.stdout.write("started\n");
