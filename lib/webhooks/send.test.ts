import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { isPublicAddress } from "@/lib/outgoing/networks";
import type { Network } from "@/lib/outgoing/send";
import { post } from "@/lib/webhooks/send";
import { aRawReceiver, aReceiver } from "@/testing/receiver";

const message = { headers: { "webhook-id": "1" }, body: '{"type":"ping"}' };
const send = (url: string, options: Parameters<typeof post>[2] = {}) => post(url, message, options);

/** Addresses that a webhook must never reach, as a URL may write them. */
const refused = [
  ...["127.0.0.1", "127.255.255.254", "127.1", "0x7f.0.0.1", "2130706433", "017700000001", "0.0.0.0", "0"],
  ...["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255", "0xa000001"],
  ...["169.254.0.1", "169.254.169.254", "169.254.170.2", "100.64.0.1", "100.100.100.200", "100.127.255.255"],
  ...["168.63.129.16", "192.0.0.1", "192.0.0.192", "192.0.2.1", "198.51.100.7", "203.0.113.9", "192.88.99.1"],
  ...["198.18.0.1", "198.19.255.255", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255"],
  ...["[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[::ffff:a9fe:a9fe]", "[::ffff:8.8.8.8]"],
  ...["[0:0:0:0:0:ffff:7f00:1]", "[::127.0.0.1]", "[::7f00:1]", "[fe80::1]", "[febf::1]", "[fec0::1]"],
  ...["[fc00::1]", "[fd00:ec2::254]", "[fdff::1]", "[ff02::1]", "[ff0e::1]", "[64:ff9b::7f00:1]"],
  ...["[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]", "[100::1]", "[2001::1]", "[2001:10::1]", "[2001:20::1]"],
  ...["[2001:db8::1]", "[2002:7f00:1::1]", "[2002:a9fe:a9fe::]", "[3fff::1]", "[4000::1]"],
];

describe("a webhook goes to the public internet only", () => {
  test("and to none of some sixty special addresses, whether written in the URL or found by name", async () => {
    expect(refused.length).toBeGreaterThan(60);
    const production: Network = { resolve: async () => [], allowsLoopback: false };
    for (const host of refused) {
      const { hostname } = new URL(`https://${host}/`);
      const address = hostname.replace(/^\[|\]$/g, "");
      expect([host, isPublicAddress(address)]).toEqual([host, false]);
      const written = await send(`https://${host}/`, { network: production });
      expect([host, written.status, written.problem]).toEqual([
        ...[host, null, `The host ${address} is not on the public internet.`],
      ]);
      const named = await send("https://hooks.example/", {
        network: { ...production, resolve: async () => [address] },
      });
      expect([host, named.problem]).toEqual([host, "The host hooks.example is not on the public internet."]);
    }
    for (const address of ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450:4001::8"])
      expect([address, isPublicAddress(address)]).toEqual([address, true]);
    for (const text of ["", "example.com", "fe80::1%eth0", "2606:4700::1111%lo"])
      expect(isPublicAddress(text)).toBe(false);
  });

  test("also when a name resolves to something else the second time", async () => {
    const receiver = await aReceiver(onTestFinished);
    const { port } = new URL(receiver.url);
    const answers = [["93.184.215.14"], ["127.0.0.1"]];
    const asked: string[] = [];
    const network: Network = {
      resolve: async (name) => {
        asked.push(name);
        return answers[asked.length - 1] ?? [];
      },
      allowsLoopback: false,
    };
    // The first answer is public, and nobody is there. The connection does not ask again.
    const first = await send(`https://flips.example:${port}/`, { network, ms: 500 });
    expect([first.status, asked.length]).toEqual([null, 1]);
    const second = await send(`https://flips.example:${port}/`, { network });
    expect([second.problem, asked.length]).toEqual(["The host flips.example is not on the public internet.", 2]);
    expect(receiver.received).toEqual([]);
  });

  test("to the checked address, whatever the name", async () => {
    const receiver = await aReceiver(onTestFinished);
    const { port } = new URL(receiver.url);
    const network: Network = { resolve: async () => ["127.0.0.1"], allowsLoopback: true };
    expect(await send(`http://anywhere.invalid:${port}/x`, { network })).toMatchObject({ status: 204, problem: null });
    expect(receiver.received).toMatchObject([{ path: "/x", headers: { host: `anywhere.invalid:${port}` } }]);
    // http is for this machine in development alone.
    const outside: Network = { resolve: async () => ["93.184.215.14"], allowsLoopback: true };
    expect((await send("http://example.com/", { network: outside })).problem).toMatch(/not on the public internet/);
    const production: Network = { ...network, allowsLoopback: false };
    expect((await send("http://example.com/", { network: production })).problem).toBe(
      "The host example.com needs https.",
    );
  });

  test("not to a name that nobody has", async () => {
    const network: Network = { resolve: async () => [], allowsLoopback: false };
    expect((await send("https://gone.example/", { network })).problem).toBe("The host gone.example was not found.");
  });
});

describe("an attempt ends, whatever the other side does", () => {
  test("with the status, the first 2 kB of the response, and Retry-After", async () => {
    const { url, received } = await aReceiver(onTestFinished, (_, response) => {
      response.writeHead(503, { "Retry-After": "120" }).end(`a\0b${"c".repeat(100_000)}`);
    });
    const outcome = await send(url);
    expect(outcome).toEqual({
      ...{ status: 503, problem: null, retryAfter: "120", tookMs: expect.any(Number) },
      response: `a\uFFFDb${"c".repeat(2_045)}`,
    });
    expect(received).toMatchObject([
      { body: message.body, headers: { "webhook-id": "1", "content-length": "15", "user-agent": "Lectern" } },
    ]);
  });

  test("once it has 2 kB of a response that stays open", async () => {
    const { url } = await aReceiver(onTestFinished, (_, response) => {
      response.writeHead(200);
      response.write("x".repeat(2_048));
    });
    const { status, response, tookMs } = await send(url);
    expect([status, response.length, tookMs < 5_000]).toEqual([200, 2_048, true]);
  });

  test.each([301, 302, 303, 307, 308])("a redirect %i is not followed", async (status) => {
    const target = await aReceiver(onTestFinished);
    const { url } = await aReceiver(onTestFinished, (_, response) => {
      response.writeHead(status, { Location: target.url }).end();
    });
    expect(await send(url)).toMatchObject({
      status,
      problem: "Lectern doesn't follow redirects. Enter the final URL.",
    });
    expect(target.received).toEqual([]);
  });

  test("an endless body counts with its status, and is not read to the end", async () => {
    const { url } = await aReceiver(onTestFinished, (_, response) => {
      response.writeHead(200);
      const more = () => response.writable && response.write("x".repeat(65_536), () => setImmediate(more));
      more();
    });
    const outcome = await send(url, { ms: 10_000 });
    expect([outcome.status, outcome.response.length, outcome.problem]).toEqual([200, 2_048, null]);
    expect(outcome.tookMs).toBeLessThan(5_000);
  });

  test("a body that never ends counts with its status when time is up", async () => {
    const { url } = await aReceiver(onTestFinished, (_, response) => void response.writeHead(200).write("half"));
    expect(await send(url, { ms: 300 })).toMatchObject({ status: 200, response: "half", problem: null });
  });

  test.each<[string, string, string | RegExp, number | null]>([
    [
      "switching protocols",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
      /another protocol/,
      101,
    ],
    ["101 alone", "HTTP/1.1 101 Switching Protocols\r\n\r\n", /another protocol/, 101],
    ["endless interim responses", "HTTP/1.1 102 Processing\r\n\r\n".repeat(5_000), /too many interim/, null],
    ["endless headers", `HTTP/1.1 200 OK\r\n${"X-A: b\r\n".repeat(50_000)}`, /not valid HTTP/, null],
    ["no HTTP", "SSH-2.0-OpenSSH_9.6\r\n", /not valid HTTP/, null],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", /not valid HTTP/, null],
  ])("%s is a failure", async (_, bytes, problem, status) => {
    const url = await aRawReceiver(onTestFinished, (socket) => void socket.write(bytes));
    const outcome = await send(url, { ms: 2_000 });
    expect(outcome.problem).toMatch(problem);
    if (status !== null) expect(outcome.status).toBe(status);
  });

  test("a closed or reset connection, a closed port and silence are failures", async () => {
    const closing = await aRawReceiver(onTestFinished, (socket) => void socket.end());
    const resetting = await aRawReceiver(onTestFinished, (socket) => void socket.resetAndDestroy());
    const silent = await aRawReceiver(onTestFinished, () => {});
    const problems = [];
    for (const url of [closing, resetting]) problems.push((await send(url)).problem);
    expect(problems).toEqual(Array(2).fill("The server closed the connection without a response."));
    expect((await send("http://127.0.0.1:1/")).problem).toBe("The connection was refused.");
    const outcome = await send(silent, { ms: 300 });
    expect(outcome.problem).toBe("No response within 0.3 seconds.");
    expect(outcome.tookMs).toBeLessThan(2_000);
  });

  test("so is a DNS server that is silent, and a certificate that is not valid", async () => {
    const network: Network = { resolve: () => new Promise(() => {}), allowsLoopback: false };
    expect((await send("https://slow.example/", { network, ms: 200 })).problem).toBe("No response within 0.2 seconds.");
    const url = await aRawReceiver(onTestFinished, (socket) => void socket.end("no TLS at all"));
    expect((await send(url.replace("http:", "https:"))).problem).toMatch(/not secure|failed|closed/);
  });

  test("a response that breaks off has its status", async () => {
    const url = await aRawReceiver(onTestFinished, (socket) => {
      socket.write("HTTP/1.1 500 Oops\r\nContent-Length: 100\r\n\r\nhalf");
      setTimeout(() => socket.destroy(), 50);
    });
    expect(await send(url)).toMatchObject({ status: 500, response: "half", problem: null });
  });

  test("a server that stops leaves the outcome open", async () => {
    const url = await aRawReceiver(onTestFinished, () => {});
    const stop = new AbortController();
    const sent = send(url, { stop: stop.signal });
    sent.catch(() => {});
    await sleep(50);
    stop.abort(new Error("It stops."));
    await expect(sent).rejects.toThrow("It stops.");
  });
});
