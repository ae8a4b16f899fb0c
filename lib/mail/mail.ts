import { mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import { type Env, isMailbox } from "@/lib/env";

export interface Mail {
  /** The same for every try of this mail, and for no other mail. */
  id: string;
  to: { name: string; address: string };
  subject: string;
  paragraphs: string[];
  link?: { label: string; url: string };
}

/** Throws an Error whose message names the cause and contains nothing of the mail. */
export type Deliver = (mail: Mail) => Promise<void>;

type MailSettings = Pick<Env, "smtpUrl" | "mailFrom" | "dataDir" | "baseUrl">;

/** For each step of a delivery. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

/** Delivers through SMTP_URL, or without it into files in DATA_DIR/mail. */
export function mailDelivery(settings: MailSettings, log: (line: string) => void = console.log): Deliver {
  const from = settings.mailFrom ?? { name: "Lectern", address: `noreply@${new URL(settings.baseUrl).hostname}` };
  const { smtpUrl } = settings;
  return async (mail) => {
    if (!isMailbox(mail.to.address)) throw new Error("The recipient's email is not valid.");
    const bytes = await composed(mail, from);
    if (smtpUrl) return send(bytes, smtpUrl, { from: from.address, to: mail.to.address });
    const file = await keep(bytes, join(settings.dataDir, "mail"), mail);
    log(`SMTP_URL is not set, so the email to ${mail.to.address} was written to ${file}.`);
  };
}

function composed(mail: Mail, from: Mail["to"]): Promise<Buffer> {
  const subject = inHeader(mail.subject);
  const paragraphs = mail.paragraphs.map((paragraph) => oneLine(paragraph, 5_000));
  const link = mail.link && { label: oneLine(mail.link.label), url: new URL(mail.link.url).href };
  const named = ({ name, address }: Mail["to"]) => ({ name: inHeader(name), address });
  return new MailComposer({
    from: named(from),
    to: named(mail.to),
    subject,
    text: onTheWire([...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : [])].join("\n\n").concat("\n")),
    html: onTheWire(page(subject, paragraphs, link)),
    // Lets a receiver recognize a second try.
    messageId: `<${mail.id}@${from.address.split("@")[1]}>`,
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

const onTheWire = (lines: string) => lines.replaceAll("\n", "\r\n");

/** Untrusted text as one line: line breaks and bidirectional controls become blanks. */
function oneLine(text: string, most = 200): string {
  const line = text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ").trim();
  const characters = Array.from(line);
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : line;
}

/** Breaks encoded words, which would decode to the characters that oneLine removes. */
const inHeader = (text: string) => oneLine(text).replaceAll("=?", "= ?");

const page = (subject: string, paragraphs: string[], link: Mail["link"]) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="margin: 0; padding: 24px; font: 16px/1.5 sans-serif; color: #1c1917; background: #ffffff">
<div style="max-width: 560px">
${paragraphs.map((paragraph) => `<p style="margin: 0 0 16px">${escaped(paragraph)}</p>`).join("\n")}
${link ? `<p style="margin: 0"><a href="${escaped(link.url)}" style="color: #1d4ed8">${escaped(link.label)}</a></p>` : ""}
</div>
</body>
</html>
`;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");

async function send(raw: Buffer, smtpUrl: string, envelope: { from: string; to: string }): Promise<void> {
  const transport = transportTo(smtpUrl);
  try {
    await transport.sendMail({ envelope, raw });
  } catch (error) {
    throw problemOf(error, envelope.to, new URL(smtpUrl).hostname);
  } finally {
    transport.close();
  }
}

/** Signs in to the mail server without sending anything. @throws what the server or the network says */
export async function tryMailServer(smtpUrl: string): Promise<void> {
  const transport = transportTo(smtpUrl);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function transportTo(smtpUrl: string) {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  const secure = protocol === "smtps:";
  const isHere = /^(localhost|127\.[\d.]+|::1)$/.test(host);
  return createTransport({
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // Passwords need TLS, except on this machine, where certificates are rare.
    requireTLS: password !== "" && !isHere,
    ignoreTLS: isHere,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    dnsTimeout: CONNECT_MS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  });
}

const remedies: Record<string, string> = {
  EAUTH: " Check the user and password in SMTP_URL.",
  ETLS: " Passwords need encryption. Try smtps:// in SMTP_URL.",
};

/** A server may quote the message in its answer, so only the number of the answer is logged. */
function problemOf(error: unknown, to: string, host: string): Error {
  if (!(error instanceof Error)) return new Error(`The email to ${to} was not delivered by ${host}.`);
  const { code = "", command = "", response, responseCode } = error as SmtpError;
  const knowsMessage = !/^(EHLO|HELO|STARTTLS|AUTH|MAIL|RCPT)/.test(command);
  const reason =
    response && knowsMessage ? `${error.message.replace(response, "")}${responseCode ?? ""}` : error.message;
  return new Error(
    `The email to ${to} was not delivered by ${host}: ${oneLine(`${reason} ${code}`, 300)}.${remedies[code] ?? ""}`,
  );
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** Writes the file atomically, with the same content for every try. */
async function keep(bytes: Buffer, folder: string, mail: Mail): Promise<string> {
  const name = `${mail.id}_${mail.to.address.replace(/[^\w.@+-]/g, "_").slice(0, 100)}.eml`;
  const file = join(folder, name);
  const unfinished = join(folder, `.${name}.part`);
  // Only for this user: mails contain sign-in links.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await open(unfinished, "w", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
  return file;
}
