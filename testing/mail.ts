import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail as a mail program shows it. */
export interface ReadMail {
  /** The names of all header fields, in lowercase, in order. */
  fields: string[];
  /** The value of a header field on one line, with its encoded words decoded; "" when there is none. */
  header: (name: string) => string;
  text: string;
  html: string;
}

/** Reads the bytes of a mail with a text and an HTML part. */
export function readMail(bytes: Buffer): ReadMail {
  const whole = partOf(bytes.toString("latin1"));
  const boundary = /boundary="([^"]+)"/.exec(whole.header("content-type"))?.[1] ?? "";
  const parts = whole.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partOf(part.replace(/^\r\n|\r\n$/g, "")));
  const textOf = (type: string) => {
    const part = parts.find((candidate) => candidate.header("content-type").startsWith(type));
    return part ? decoded(part.body, part.header("content-transfer-encoding")) : "";
  };
  return { fields: whole.fields, header: whole.header, text: textOf("text/plain"), html: textOf("text/html") };
}

function partOf(source: string): { fields: string[]; header: (name: string) => string; body: string } {
  const end = source.indexOf("\r\n\r\n");
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const entries = lines.map(
    (line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()] as const,
  );
  return {
    fields: entries.map(([name]) => name),
    header: (name) => words(entries.find((entry) => entry[0] === name)?.[1] ?? ""),
    body: source.slice(end + 4),
  };
}

/** The text of a header's value. RFC 2047 encodes characters outside ASCII. */
function words(value: string): string {
  const joined = value.replace(/(=\?[^?]+\?[QB]\?[^?]*\?=)\s+(?==\?)/gi, "$1");
  return joined.replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
    kind.toUpperCase() === "B"
      ? Buffer.from(text, "base64").toString()
      : decoded(text.replaceAll("_", "=20"), "quoted-printable"),
  );
}

function decoded(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  if (encoding !== "quoted-printable") return body.replaceAll("\r\n", "\n");
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString().replaceAll("\r\n", "\n");
}

/** A mail as an SMTP server received it. */
export interface Arrived extends ReadMail {
  from: string;
  to: string[];
}

/**
 * An SMTP server on this machine that stores what it receives.
 * @param port a free one by default
 * @param options of smtp-server, such as a hook that refuses
 */
export async function anSmtpServer(port = 0, options: SMTPServerOptions = {}) {
  const arrived: Arrived[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : "";
        arrived.push({ from, to: rcptTo.map(({ address }) => address), ...readMail(Buffer.concat(chunks)) });
        done();
      });
    },
    ...options,
  });
  // A client that disconnects early is not this server's failure.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const taken = (server.server.address() as AddressInfo).port;
  return {
    port: taken,
    url: `smtp://127.0.0.1:${taken}`,
    arrived,
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

/** A port of this machine on which nobody listens. */
export async function aFreePort(): Promise<number> {
  const { port, stop } = await anSmtpServer();
  await stop();
  return port;
}
