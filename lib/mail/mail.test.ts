import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { isMailbox } from "@/lib/env";
import { type Mail, mailDelivery } from "@/lib/mail/mail";
import { aFreePort, anSmtpServer, readMail } from "@/testing/mail";

// The same texts in every run; FUZZ_SEED and FUZZ_TIMES draw others and more.
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) });
const times = Number(process.env.FUZZ_TIMES ?? 1);

let dataDir: string;
const said: string[] = [];
const cleanUp: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "lectern-mail-"));
});
afterAll(() => rm(dataDir, { recursive: true }));
afterEach(async () => {
  said.length = 0;
  for (const work of cleanUp.splice(0)) await work();
});

const settings = (options: { smtpUrl?: string } = {}) => ({
  smtpUrl: undefined,
  mailFrom: { name: "Lectern", address: "lectern@example.com" },
  baseUrl: "https://example.com",
  dataDir,
  ...options,
});
const deliver = (mail: Mail, options: { smtpUrl?: string } = {}) =>
  mailDelivery(settings(options), (line) => said.push(line))(mail);

const mail: Mail = {
  id: "20260131T093000000Z-1",
  to: { name: "Ada Admin", address: "ada@example.com" },
  subject: "A subject",
  paragraphs: ["Hello Ada,", "this is a text."],
  link: { label: "Go to Docs", url: "https://docs.example.com" },
};
const fields = ["from", "to", "subject", "message-id", "auto-submitted", "x-auto-response-suppress"].concat(
  ...["date", "mime-version", "content-type"],
);

async function smtpServer(...options: Parameters<typeof anSmtpServer>) {
  const server = await anSmtpServer(...options);
  cleanUp.push(server.stop);
  return server;
}

/** The content of a written mail. */
const written = async ({ id, to }: Mail) => readMail(await readFile(join(dataDir, "mail", `${id}_${to.address}.eml`)));

describe("with a mail server", () => {
  test("a mail arrives with a text and an HTML part that say the same", async () => {
    const server = await smtpServer();
    await deliver(mail, { smtpUrl: server.url });
    expect(server.arrived).toHaveLength(1);
    const [arrived] = server.arrived;
    expect({ ...arrived, fields: arrived?.fields.sort() }).toMatchObject({
      from: "lectern@example.com",
      to: ["ada@example.com"],
      fields: fields.toSorted(),
      text: "Hello Ada,\n\nthis is a text.\n\nGo to Docs:\nhttps://docs.example.com/\n",
    });
    expect(["from", "to", "subject", "message-id"].map((name) => arrived?.header(name))).toEqual([
      ...["Lectern <lectern@example.com>", "Ada Admin <ada@example.com>", "A subject"],
      "<20260131T093000000Z-1@example.com>",
    ]);
    expect(arrived?.html.match(/<p[^]*<\/p>/)?.[0]).toBe(
      `<p style="margin: 0 0 16px">Hello Ada,</p>\n<p style="margin: 0 0 16px">this is a text.</p>\n` +
        `<p style="margin: 0"><a href="https://docs.example.com/" style="color: #1d4ed8">Go to Docs</a></p>`,
    );
    expect(arrived?.html).not.toMatch(/<img|<link|<script|url\(/);
    expect(said).toEqual([]);
  });

  test("a user and a password with signs of their own are sent decoded", async () => {
    const seen: unknown[] = [];
    const server = await smtpServer(0, {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _, done) {
        seen.push([username, password]);
        done(null, { user: username });
      },
    });
    await deliver(mail, { smtpUrl: `smtp://me%40example.com:p%2Fw%25%3A@127.0.0.1:${server.port}` });
    expect(seen).toEqual([["me@example.com", "p/w%:"]]);
    expect(server.arrived).toHaveLength(1);
  });

  test("a server that is not there is named, with the reason", async () => {
    const port = await aFreePort();
    await expect(deliver(mail, { smtpUrl: `smtp://127.0.0.1:${port}` })).rejects.toThrow(
      `The email to ada@example.com was not delivered by 127.0.0.1: connect ECONNREFUSED 127.0.0.1:${port} ESOCKET.`,
    );
  });

  test("a recipient that is refused is reported in the server's words, a message in its number alone", async () => {
    const refusal = (text: string) => Object.assign(new Error(text), { responseCode: 550 });
    const strict = await smtpServer(0, { onRcptTo: (_, __, done) => done(refusal("5.1.1 No such person")) });
    await expect(deliver(mail, { smtpUrl: strict.url })).rejects.toThrow(/550 5\.1\.1 No such person EENVELOPE\.$/);
    const filter = await smtpServer(0, {
      onData(stream, _, done) {
        stream.resume();
        stream.on("end", () => done(refusal("5.7.1 I do not like: Hello Ada, this is a text.")));
      },
    });
    const failure = await deliver(mail, { smtpUrl: filter.url }).catch(String);
    expect(failure).toBe(
      "Error: The email to ada@example.com was not delivered by 127.0.0.1: Message failed: 550 EMESSAGE.",
    );
  });

  test("a wrong password is reported with what to do, and without the password", async () => {
    const server = await smtpServer(0, {
      allowInsecureAuth: true,
      onAuth: (_, __, done) => done(new Error("Wrong")),
    });
    const failure = await deliver(mail, { smtpUrl: `smtp://me:hunter2@127.0.0.1:${server.port}` }).catch(String);
    expect(failure).toMatch(/Invalid login.* EAUTH\. Check the user and password in SMTP_URL\.$/);
    expect(failure).not.toContain("hunter2");
  });

  test("a password goes to another machine only over an encrypted connection", async () => {
    const plain = await smtpServer(0, { allowInsecureAuth: true, onAuth: (_, __, done) => done(null, { user: "me" }) });
    // Not "localhost", and this machine all the same.
    const address = `smtp://me:secret@0.0.0.0:${plain.port}`;
    await expect(deliver(mail, { smtpUrl: address })).rejects.toThrow(/ETLS\. Passwords need encryption/);
    expect(plain.arrived).toEqual([]);
    await deliver(mail, { smtpUrl: address.replace("me:secret@", "") });
    expect(plain.arrived).toHaveLength(1);
  });

  test("what answers and does not speak SMTP is given up", async () => {
    const web: Server = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    cleanUp.push(() => new Promise((resolve) => web.close(resolve)));
    const { port } = web.address() as { port: number };
    await expect(deliver(mail, { smtpUrl: `smtp://127.0.0.1:${port}` })).rejects.toThrow(/Invalid greeting.*EPROTOCOL/);
  });
});

describe("without a mail server", () => {
  test("a mail is a file that only this user reads, and the log says whose it is and where", async () => {
    const one = { ...mail, id: "20260131T093000000Z-2" };
    await deliver(one);
    const file = join(dataDir, "mail/20260131T093000000Z-2_ada@example.com.eml");
    expect(said).toEqual([`SMTP_URL is not set, so the email to ada@example.com was written to ${file}.`]);
    expect((await written(one)).text).toContain("this is a text.");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, "mail"))).mode & 0o777).toBe(0o700);
  });

  test("a second try leaves one whole file, also after one that was cut off", async () => {
    const one = { ...mail, id: "20260131T093000000Z-3" };
    await deliver(one);
    await writeFile(join(dataDir, "mail", `.${one.id}_ada@example.com.eml.part`), "From: cut o");
    await deliver(one);
    const names = await readdir(join(dataDir, "mail"));
    expect(names.filter((name) => name.includes(one.id))).toEqual([`${one.id}_ada@example.com.eml`]);
    expect((await written(one)).header("subject")).toBe("A subject");
  });

  test("an address cannot lead out of the folder", async () => {
    await deliver({ ...mail, id: "4", to: { name: "", address: "../../../x/a@example.com" } }).catch(() => {});
    await deliver({ ...mail, id: "5", to: { name: "", address: "a/../b/c@example.com" } }).catch(() => {});
    await deliver({ ...mail, id: "6", to: { name: "", address: "a/b@example.com" } });
    expect(await readdir(dataDir)).toEqual(["mail"]);
    expect((await readdir(join(dataDir, "mail"))).filter((name) => /^[456]_/.test(name))).toEqual([
      "6_a_b@example.com.eml",
    ]);
  });

  test("a sender is made from the base address", async () => {
    const one = { ...mail, id: "7" };
    await mailDelivery({ ...settings(), mailFrom: undefined }, () => {})(one);
    expect((await written(one)).header("from")).toBe("Lectern <noreply@example.com>");
  });
});

describe("what people wrote", () => {
  const evil = `<b>"x"\r\nBcc: a@b.c\0`;

  test("is text in every part of a mail, and no header", async () => {
    const one: Mail = {
      id: "evil",
      to: { name: evil, address: "ada@example.com" },
      subject: evil,
      paragraphs: [evil],
      link: { label: evil, url: `https://docs.example.com/?"><script>` },
    };
    await deliver(one);
    const { fields: found, header, text, html } = await written(one);
    expect(found.toSorted()).toEqual(fields.toSorted());
    expect(header("subject")).toBe(`<b>"x" Bcc: a@b.c`);
    expect(header("to")).toBe(`"<b>\\"x\\" Bcc: a@b.c" <ada@example.com>`);
    expect(text).toBe(`<b>"x" Bcc: a@b.c\n\n<b>"x" Bcc: a@b.c:\nhttps://docs.example.com/?%22%3E%3Cscript%3E\n`);
    expect(html).toContain(`<title>&lt;b&gt;&quot;x&quot; Bcc: a@b.c</title>`);
    expect(html).toContain(`<p style="margin: 0 0 16px">&lt;b&gt;&quot;x&quot; Bcc: a@b.c</p>`);
    expect(html).not.toMatch(/<b>|<script>/);
  });

  test("of whatever signs it is made, changes neither the headers nor the recipient", async () => {
    const sign = fc.oneof(
      fc.constantFrom(
        ..."\r\n\t\0\"'\\<>()[]:;,@=?_ ",
        "\r\n\r\n",
        "\nBcc: a@b.c",
        "=?utf-8?Q?=0ABcc:_a@b.c?=",
        "\u2028",
      ),
      fc.constantFrom("\ud800", "\u202e", "é", "日本", "🙂", "ada@example.com", "<x@y.z>", "--", ".", "."),
      fc.string({ unit: "binary", maxLength: 20 }),
    );
    const wild = fc.array(sign, { maxLength: 30 }).map((signs) => signs.join(""));
    const address = fc.oneof(
      fc.constant("ada@example.com"),
      fc.emailAddress(),
      wild,
      wild.map((text) => `${text}@example.com`),
    );
    const seen = { refused: 0, delivered: 0 };
    await fc.assert(
      fc.asyncProperty(wild, address, wild, wild, async (name, to, subject, paragraph) => {
        const one: Mail = { id: "wild", to: { name, address: to }, subject: `S${subject}`, paragraphs: [paragraph] };
        const bytes = await deliver(one).then(
          () => readFile(said.at(-1)?.replace(/^.* was written to (.*)\.$/s, "$1") ?? ""),
          () => null,
        );
        expect(bytes !== null).toBe(isMailbox(to));
        if (bytes === null) return void seen.refused++;
        seen.delivered++;
        const { fields: found, header, html } = readMail(bytes);
        expect(found.toSorted()).toEqual(fields.toSorted());
        // Domains are folded, and there is no second address outside the quotes.
        expect(
          header("to")
            .replace(/"(\\.|[^"\\])*"/g, "")
            .toLowerCase(),
        ).toMatch(new RegExp(`(^|[\\s<])${to.toLowerCase().replace(/[^\w@]/g, "\\$&")}>?$`));
        expect(bytes.includes("\0")).toBe(false);
        expect(bytes.toString("latin1").replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
        const outside = html.replaceAll(/<\/?(html|head|meta|title|body|div|p|!doctype)\b[^<>]*>/g, "");
        expect(outside).not.toMatch(/[<>"]/);
      }),
      { numRuns: 300 * times },
    );
    expect(seen.delivered).toBeGreaterThan(50 * times);
    expect(seen.refused).toBeGreaterThan(50 * times);
  });
});
