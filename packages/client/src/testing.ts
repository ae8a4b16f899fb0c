import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { copyFile, mkdir } from "node:fs/promises";
import { createServer, type RequestListener, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";
import { GET as unknownPath } from "@/app/api/[...path]/route";
import { routes } from "@/app/api/external/v2/routes";
import { serveApi } from "@/lib/api/http";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/http/host";

const root = join(import.meta.dirname, "../../..");

/** @throws Error with what the compiler says */
export async function tsc(...args: string[]): Promise<void> {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, ...args]).catch(({ stdout }) => {
    throw new Error(stdout);
  });
}

/** Builds the package into a project's node_modules, and returns its folder. */
export async function installClient(project: string): Promise<string> {
  const installed = join(project, "node_modules/lectern-client");
  await mkdir(installed, { recursive: true });
  await copyFile(join(root, "packages/client/package.json"), join(installed, "package.json"));
  await tsc("-p", join(root, "packages/client/tsconfig.build.json"), "--outDir", join(installed, "dist"));
  return installed;
}

/** Listens on this machine until the test is over, and returns its URL. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const api = serveApi([{ prefix: "/api/external/v2", paths: routes }], unknownPath);

/**
 * The external API of one workspace, either in this process or in the server that the contract's tests run against
 * (testing/server.ts). Node resolves no names below localhost and fetch cannot set the Host header, so this sets
 * the workspace's host, as a proxy would, and a unique client IP.
 */
export function apiOf(workspace: { subdomain: string }): RequestListener {
  const { host } = new URL(workspaceUrl(workspace.subdomain, env().baseUrl));
  const client = [10, ...randomBytes(3)].join(".");
  return (incoming, outgoing) => {
    Object.assign(incoming.headers, { host, "x-forwarded-for": client });
    if (!process.env.CONTRACT_SERVER) return void api(incoming, outgoing);
    const { method, url: path, headers } = incoming;
    const passedOn = request(process.env.CONTRACT_SERVER, { method, path, headers }, (answer) => {
      answer.pipe(outgoing.writeHead(answer.statusCode ?? 0, answer.headers));
    });
    incoming.pipe(passedOn);
  };
}

/** The error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<any> {
  return call.then(
    () => expect.unreachable("The call succeeded."),
    (error: unknown) => error,
  );
}
