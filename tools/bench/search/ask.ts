import { fork } from "node:child_process";
import type { Answered, Query } from "./asker";
import { programBeside } from "./beside";
import { endsWithUs } from "./interruption";

/** An application in its own process, which searches one database. */
export interface Asker {
  /** Sends one request at a time. */
  ask(query: Query): Promise<Answered>;
  stop(): void;
}

/** Starts one with the settings of a production server. */
export function startAsker(databaseUrl: string): Asker {
  const child = fork(programBeside("asker"), {
    env: { ...process.env, NODE_ENV: "production", DATABASE_URL: databaseUrl, LOG_LEVEL: "silent" },
  });
  const ended = endsWithUs(() => child.kill());
  return {
    ask: (query) =>
      new Promise((resolve, reject) => {
        const onExit = () => reject(new Error("The search process ended unexpectedly."));
        child.once("exit", onExit);
        child.once("message", (answered) => {
          child.off("exit", onExit);
          resolve(answered as Answered);
        });
        child.send(query);
      }),
    stop() {
      ended();
      child.kill();
    },
  };
}
