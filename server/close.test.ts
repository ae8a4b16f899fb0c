import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { closeServer } from "./close";

/** Sends requests from another thread, so also while this one is busy. It counts them in `sent`. */
const CLIENT = `
const { connect } = require("node:net");
const { parentPort, workerData: { port, sent } } = require("node:worker_threads");
const sockets = [];
const request = (socket) => socket.write("GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n", () => {
  Atomics.add(sent, 0, 1);
  Atomics.notify(sent, 0);
});
const open = () => {
  const socket = connect(port, "127.0.0.1");
  socket.on("data", (data) => parentPort.postMessage(String(data).split("\\r\\n")[0]));
  socket.on("error", ({ code }) => parentPort.postMessage(code));
  socket.on("connect", () => request(socket));
  return socket;
};
sockets.push(open());
parentPort.on("message", (index) => (sockets[index] ? request(sockets[index]) : sockets.push(open())));
`;

async function aServer(answer: (response: ServerResponse, client: Client) => void) {
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const server = createServer((_, response) => answer(response, client));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const thread = new Worker(CLIENT, { eval: true, workerData: { port, sent } });
  const told: string[] = [];
  thread.on("message", (line: string) => told.push(line));
  const client: Client = {
    told,
    send: (connection) => thread.postMessage(connection),
    untilSent(count) {
      while (Atomics.load(sent, 0) < count) Atomics.wait(sent, 0, count - 1);
    },
    close: async () => void (await thread.terminate()),
  };
  return { server, client };
}

interface Client {
  /** The first line of each answer, or the code of an error. */
  told: string[];
  /** Sends a request on the connection of this number, or on a new one. The client sends its first request itself, on connection 0. */
  send: (connection: number) => void;
  /** Keeps this thread busy until the client has sent this many requests. */
  untilSent: (count: number) => void;
  close: () => Promise<void>;
}

const here = "HTTP/1.1 200 OK";

test("a request on a connection that the busy server has not accepted yet is answered", async () => {
  const { server, client } = await aServer((response) => response.end("here"));
  client.untilSent(1);
  await closeServer(server);
  await expect.poll(() => client.told).toEqual([here]);
  await client.close();
});

test("a request that the busy server has not read yet is answered, although its connection was idle", async () => {
  let requests = 0;
  const { server, client } = await aServer((response, client) => {
    if (++requests > 1) return response.end("here");
    const closeIdleConnections = server.closeIdleConnections.bind(server);
    server.closeIdleConnections = () => {
      server.closeIdleConnections = closeIdleConnections;
      response.end("here");
      setImmediate(() => {
        client.send(0);
        client.untilSent(2);
        // Until idle connections are to be closed again.
        for (const end = performance.now() + 100; performance.now() < end; );
      });
    };
  });
  await expect.poll(() => requests).toBe(1);
  await closeServer(server);
  await expect.poll(() => client.told).toEqual([here, here]);
  await client.close();
});

test("all of many connections that come while the server is busy are answered", async () => {
  const { server, client } = await aServer((response) => response.end("here"));
  for (let connection = 1; connection < 50; connection++) client.send(connection);
  client.untilSent(50);
  await closeServer(server);
  await expect.poll(() => client.told).toEqual(Array.from({ length: 50 }, () => here));
  await client.close();
});

test("a server that always has a waiting connection closes", async () => {
  let requests = 3;
  const { server, client } = await aServer((response, client) => {
    // Two for each, so that one always waits.
    for (const next of [requests * 2 + 1, requests * 2 + 2]) if (server.listening) client.send(next);
    requests++;
    for (const end = performance.now() + 20; performance.now() < end; );
    response.end("here");
  });
  for (const next of [1, 2, 3]) client.send(next);
  client.untilSent(4);
  await closeServer(server);
  expect(requests).toBeLessThan(100);
  await client.close();
});

test("a connection that comes during a slow last request is answered", async () => {
  let requests = 0;
  const { server, client } = await aServer((response, client) => {
    if (++requests === 2) {
      client.send(1);
      client.untilSent(3);
      for (const end = performance.now() + 700; performance.now() < end; );
    }
    response.end("here");
  });
  await expect.poll(() => client.told).toEqual([here]);
  client.send(0);
  client.untilSent(2);
  await closeServer(server);
  await expect.poll(() => client.told).toEqual([here, here, here]);
  await client.close();
});

test("connections are kept until no more are taken, so that clients don't need new ones", async () => {
  const kept: (string | undefined)[] = [];
  const server = createServer((_, response) => response.end("here")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = async () => {
    const [answer] = (await once(request({ port, agent }).end(), "response")) as [IncomingMessage];
    kept.push(answer.headers.connection);
    await once(answer.resume(), "end");
  };
  await send();
  const closed = closeServer(server);
  await expect.poll(() => server.listening).toBe(false);
  await send();
  await closed;
  expect(kept).toEqual(["keep-alive", "close"]);
});

test("a response that began before the server closes asks the client to close the connection", async () => {
  const open: ServerResponse[] = [];
  const server = createServer((_, response) => open.push(response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const closed = closeServer(server, 20);
  const { port } = server.address() as AddressInfo;
  const answered = once(request({ port, agent: new Agent({ keepAlive: true }) }).end(), "response");
  await expect.poll(() => [server.listening, open.length]).toEqual([false, 1]);
  open[0]?.end("here");
  const [answer] = (await answered) as [IncomingMessage];
  expect(answer.headers.connection).toBe("close");
  answer.resume();
  await closed;
});
