import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSocketServer, type Socket } from "node:net";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Clean = (work: () => Promise<void> | void) => void;

/** A receiver of webhooks on this machine. */
export async function aReceiver(
  onTestFinished: Clean,
  answer: (received: Received, response: ServerResponse, request: IncomingMessage) => void = (_, response) =>
    void response.writeHead(204).end(),
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      answer(one, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return { url: `http://127.0.0.1:${portOf(server)}/hook`, received };
}

/** A receiver that answers with any bytes. */
export async function aRawReceiver(onTestFinished: Clean, answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return `http://127.0.0.1:${portOf(server)}/hook`;
}

function portOf(server: { address: () => unknown }): number {
  return (server.address() as { port: number }).port;
}
