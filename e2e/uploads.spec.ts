import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, type Page } from "playwright/test";
import sharp from "sharp";
import { inWorkspace } from "@/lib/db";
import { setLogo } from "@/lib/settings/appearance";
import type { UploadKind } from "@/lib/uploads/kinds";
import { setPicture, storeUpload } from "@/lib/uploads/uploads";
import {
  actor,
  ask,
  baseUrl,
  complaintsOf,
  cookieOfMember,
  expectAccessible,
  ownAddress,
  signedIn,
  signIn,
  signInByForm,
  type TestWorkspace,
  test,
} from "./kit";
import { draw, publish, putCategory, putMember } from "./library";

// Uploads as browsers get them, from the server whose folder holds the files.

const script = "<!doctype html><script>document.title = 'It ran'</script>";

async function put(workspace: TestWorkspace, kind: UploadKind, filename = "a file.png", content?: Buffer) {
  return storeUpload(workspace.id, { filename, content: content ?? (await draw()), by: workspace.memberId, kind });
}

test("a logo, a picture and what articles show reach readers, and nothing else does", async ({ aWorkspace, page }) => {
  const complaints = complaintsOf(page);
  const [ours, theirs] = [
    await aWorkspace({ name: "Uploads", subdomain: "uploads" }),
    await aWorkspace({ name: "Elsewhere", subdomain: "elsewhere" }),
  ];
  const [logo, picture, image] = [await put(ours, "logo"), await put(ours, "picture"), await put(ours, "image")];
  const [file, hidden] = [
    await put(ours, "attachment", "Größe.html", Buffer.from(script)),
    await put(ours, "attachment", "hidden.txt", Buffer.from("for members")),
  ];
  await inWorkspace(ours.id, async (db) => {
    await setLogo(db, logo.id, actor);
    await setPicture(db, ours.memberId, picture.id, actor);
  });
  const article = await publish(ours, await putCategory(ours, "Guides"), {
    title: "Shown",
    html: `<p><img src="${image.path}" alt="A drawing"></p>`,
  });
  await inWorkspace(ours.id, (db) =>
    db.articleAttachment.create({ data: { articleId: article.id, uploadId: file.id, inLive: true, inDraft: true } }),
  );

  await page.goto(article.url);
  const sizes = () =>
    page.evaluate(() =>
      [...document.images].map((one) => [new URL(one.src).pathname, one.naturalWidth, one.naturalHeight]),
    );
  // Images in texts load lazily.
  await expect.poll(sizes).toEqual([
    [logo.path, 384, 128],
    [picture.path, 256, 256],
    [image.path, 600, 200],
  ]);
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Größe.html" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Größe.html");
  // Opening its URL also downloads it, and none of its scripts run.
  await expect(page.goto(ours.url + file.path)).rejects.toThrow("Download is starting");
  expect(complaints).toEqual([]);

  const host = new URL(ours.url).host;
  for (const path of [logo.path, file.path]) {
    const { status, headers } = await ask(host, path);
    expect([status, headers["content-security-policy"], headers["x-content-type-options"]]).toEqual([
      200,
      "default-src 'none'; sandbox",
      "nosniff",
    ]);
  }
  const { headers } = await ask(host, file.path);
  expect([headers["content-type"], headers["cache-control"]]).toEqual([
    "text/plain; charset=utf-8",
    "public, max-age=0, must-revalidate, no-transform",
  ]);
  const part = await ask(host, file.path, { headers: { Range: "bytes=2-8", "Accept-Encoding": "gzip" } });
  expect([part.status, part.body, part.headers["content-range"]]).toEqual([
    206,
    "doctype",
    `bytes 2-8/${script.length}`,
  ]);
  const etag = String(headers.etag);
  expect((await ask(host, file.path, { headers: { "If-None-Match": etag } })).status).toBe(304);

  const unknown = await ask(host, `/uploads/${crypto.randomUUID()}`);
  expect([unknown.status, unknown.body]).toEqual([404, "No such file.\n"]);
  const without = ({ "x-request-id": _, date: __, "x-middleware-rewrite": ___, ...rest }: typeof headers) => rest;
  for (const [at, path] of [
    [host, hidden.path],
    [new URL(theirs.url).host, logo.path],
    [new URL(theirs.url).host, file.path],
    [host, `/uploads/${randomBytes(8).toString("hex")}`],
  ] as const) {
    const answer = await ask(at, path);
    expect({ ...answer, headers: without(answer.headers) }).toEqual({ ...unknown, headers: without(unknown.headers) });
  }

  await signInByForm(page, ours);
  const said = await page.evaluate(async (path) => (await fetch(path)).text(), hidden.path);
  expect(said).toBe("for members");
});

/** Every file that the server stores for a workspace, and every row about them. */
async function keptOf(workspace: TestWorkspace): Promise<{ files: string[]; rows: number }> {
  const folder = join(process.env.DATA_DIR ?? "", "uploads", workspace.id);
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const rows = await inWorkspace(workspace.id, (db) => db.upload.count());
  return { files: names.filter((name) => name.includes("/")).sort(), rows };
}

/** A small PNG that says it has 60,000 × 60,000 pixels. */
async function pixelFlood(): Promise<Buffer> {
  const png = Buffer.from(await draw());
  png.writeUInt32BE(60_000, 16);
  png.writeUInt32BE(60_000, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** A small GIF whose only frame would not fit in memory. */
async function gifBomb(): Promise<Buffer> {
  const gif = Buffer.from(
    await sharp(await draw())
      .gif()
      .toBuffer(),
  );
  const frame = gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0]));
  for (const place of [6, 8, frame + 5, frame + 7]) gif.writeUInt16LE(65_535, place);
  return gif;
}

async function truncated(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const whole = await sharp({ create: { width: 300, height: 300, channels: 3, background: "red", noise } })
    .jpeg()
    .toBuffer();
  return whole.subarray(0, whole.length / 2);
}

const svg = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="document.title='It ran'"><script>document.title='It ran'</script></svg>`;

interface Attack {
  name: string;
  bytes: Buffer;
  status: number;
  says: RegExp;
}

const attacks = async (): Promise<Attack[]> => [
  {
    name: "logo.svg",
    bytes: Buffer.from(svg),
    status: 415,
    says: /can't be an SVG file, because SVG can contain scripts/,
  },
  { name: "svg as.png", bytes: Buffer.from(svg), status: 415, says: /can't be an SVG file/ },
  { name: "page.png", bytes: Buffer.from(script), status: 415, says: /must be a PNG, JPEG, WebP, GIF, or AVIF file/ },
  {
    name: "paper.jpg",
    bytes: Buffer.from("%PDF-1.7\n"),
    status: 415,
    says: /must be a PNG, JPEG, WebP, GIF, or AVIF file/,
  },
  {
    name: "polyglot.gif",
    bytes: Buffer.from(`GIF89a/*${"\0".repeat(30)}*/=1;document.title='It ran'`),
    status: 422,
    says: /The image is damaged/,
  },
  { name: "flood.png", bytes: await pixelFlood(), status: 422, says: /40 million/ },
  { name: "bomb.gif", bytes: await gifBomb(), status: 422, says: /40 million/ },
  { name: "half.jpg", bytes: await truncated(), status: 422, says: /The image is damaged/ },
  { name: "empty.png", bytes: Buffer.alloc(0), status: 422, says: /The file is empty/ },
];

const fileInput = (page: Page) => page.getByLabel(/^New (picture|logo)$/);
const upload = (page: Page) => page.getByRole("button", { name: /^Upload (picture|logo)$/ }).click();

test("attacks through the real forms are refused with a sentence, run nothing and leave nothing", async ({
  aWorkspace,
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  const workspace = await aWorkspace({ name: "Attacked", subdomain: "attacked" });
  const complaints = complaintsOf(page);
  await signIn(page, workspace);
  const before = await keptOf(workspace);
  const all = await attacks();
  const large = { name: "large.png", bytes: Buffer.alloc(10_000_001, 1), status: 413, says: /up to 10 MB/ };
  for (const at of ["profile", "appearance"]) {
    await page.goto(`${workspace.url}/admin/${at}`);
    for (const { name, bytes, says } of [...all, large]) {
      await fileInput(page).setInputFiles({ name, mimeType: "image/png", buffer: bytes });
      await upload(page);
      await expect(page.getByRole("alert").filter({ hasText: says })).toBeVisible();
      await expect(page.getByRole("button", { name: /^Upload/ })).toBeEnabled();
    }
    await expectAccessible(page);
  }
  expect(await page.title()).not.toContain("It ran");

  // The same without scripts: redirected back to the form.
  const plain = await signedIn(browser, workspace, { javaScriptEnabled: false });
  // Refused before it is read, but then read to the end, because otherwise the browser would show its own error.
  const huge = { ...large, name: "huge.png", bytes: Buffer.alloc(30_000_000, 1) };
  for (const at of ["profile", "appearance"]) {
    for (const { name, bytes, says } of [...all, large, huge]) {
      await plain.goto(`${workspace.url}/admin/${at}`);
      await fileInput(plain).setInputFiles({ name, mimeType: "image/png", buffer: bytes });
      await upload(plain);
      await plain.waitForURL(`${workspace.url}/admin/${at}?refused=*`);
      await expect(plain.getByRole("alert").filter({ hasText: says })).toBeVisible();
    }
  }
  await plain.context().close();
  expect(await keptOf(workspace)).toEqual(before);
  expect(complaints).toEqual([]);
});

test("attacks on the route alone are refused by status and sentence, and leave nothing", async ({ aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Attacked", subdomain: "attacked" });
  const host = new URL(workspace.url).host;
  const Cookie = await cookieOfMember(workspace);
  const own = { Cookie, Origin: workspace.url, Accept: "application/json" };
  const send = async (query: string, body: Uint8Array, headers: Record<string, string> = own) => {
    const answer = await ask(host, `/api/uploads?${query}`, { method: "POST", headers, body });
    return {
      status: answer.status,
      headers: answer.headers,
      said: answer.body.startsWith("{") ? JSON.parse(answer.body) : answer.body,
    };
  };
  const before = await keptOf(workspace);
  for (const { name, bytes, status, says } of await attacks()) {
    for (const as of ["picture", "logo", "image"]) {
      const answer = await send(`as=${as}&name=${encodeURIComponent(name)}`, bytes);
      expect([name, as, answer.status, answer.said.error]).toEqual([name, as, status, expect.stringMatching(says)]);
      expect(answer.headers["content-type"]).toMatch(/^application\/json/);
      expect([answer.headers["cache-control"], answer.headers["x-content-type-options"]]).toEqual([
        "no-store",
        "nosniff",
      ]);
    }
  }

  const png = await draw();
  // From another site, without an Origin, and from another workspace's page.
  for (const Origin of ["https://evil.example", "null", baseUrl, baseUrl.replace("//", "//other.")])
    expect([Origin, (await send("as=picture", png, { ...own, Origin })).status]).toEqual([Origin, 403]);
  const { Origin: _, ...without } = own;
  expect((await send("as=picture", png, without)).status).toBe(403);
  expect((await ask(host, "/api/uploads?as=picture", { headers: own })).status).toBe(405);
  // Signed out, or with an invalid target.
  expect((await send("as=picture", png, { ...own, Cookie: "" })).status).toBe(401);
  const plain = await send("as=picture", png, { Origin: workspace.url });
  expect([plain.status, plain.headers.location]).toEqual([303, "/admin/sign-in"]);
  for (const query of ["", "as=script", "as=picture&member=x", "as=picture&member="])
    expect([query, (await send(query, png)).status]).toEqual([query, 422]);
  expect((await send(`as=picture&member=${crypto.randomUUID()}`, png)).status).toBe(404);
  // Invalid forms.
  const edge = "----WebKitFormBoundaryAbCdEfGhIjKlMnOp";
  const multipart = (text: string) =>
    send("as=picture", Buffer.from(text), { ...own, "Content-Type": `multipart/form-data; boundary=${edge}` });
  expect([(await multipart("")).status, (await multipart(`--${edge}\r\nbroken`)).status]).toEqual([400, 400]);
  const empty = `--${edge}\r\nContent-Disposition: form-data; name="file"\r\n\r\ntext\r\n--${edge}--\r\n`;
  expect((await multipart(empty)).said).toEqual({
    error: expect.stringContaining("No file was chosen"),
    reason: "missing",
  });
  expect(await keptOf(workspace)).toEqual(before);

  const theirs = await aWorkspace({ name: "Elsewhere", subdomain: "elsewhere" });
  expect((await send(`as=picture&member=${theirs.memberId}`, png)).status).toBe(404);
  const away = { ...own, Origin: theirs.url };
  const there = await ask(new URL(theirs.url).host, "/api/uploads?as=logo", {
    method: "POST",
    headers: away,
    body: png,
  });
  expect(there.status).toBe(401);
  expect([await keptOf(theirs), await keptOf(workspace)]).toEqual([before, before]);
});

test("a body without end is stopped, and a role may upload only what it may use", async ({ aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Attacked", subdomain: "attacked" });
  await inWorkspace(workspace.id, (db) => db.role.create({ data: { name: "Looks", permissions: [] } }));
  const { email } = await putMember(workspace, ["Eve", "Looks"], "Looks");
  const host = new URL(workspace.url).host;
  const headers = {
    Cookie: await cookieOfMember(workspace),
    Origin: workspace.url,
    Accept: "application/json",
    Host: host,
  };
  const before = await keptOf(workspace);

  const endless = await new Promise<{ status: number; sent: number }>((resolve, reject) => {
    let sent = 0;
    let status = 0;
    const path = "/api/uploads?as=picture";
    const request = httpRequest(
      { host: "127.0.0.1", port: new URL(baseUrl).port, path, method: "POST", headers },
      (response) => {
        status = response.statusCode ?? 0;
        response.resume();
        request.destroy();
        resolve({ status, sent });
      },
    );
    // After the answer, the connection may be cut.
    request.on("error", (error) => status || reject(error));
    const part = Buffer.alloc(256 * 1024, 1);
    const more = () => {
      sent += part.length;
      if (status === 0 && sent < 200_000_000) request.write(part, () => setImmediate(more));
    };
    more();
  });
  expect(endless.status).toBe(413);
  expect(endless.sent).toBeLessThan(60_000_000);
  // If the announced size is too large, the server reads nothing.
  const body = Buffer.alloc(11_000_000, 1);
  const answer = await ask(host, "/api/uploads?as=image", { method: "POST", headers, body });
  expect([answer.status, JSON.parse(answer.body).error]).toEqual([413, expect.stringContaining("up to 10 MB")]);
  expect(await keptOf(workspace)).toEqual(before);

  const theirs = { ...headers, Cookie: await cookieOfMember(workspace, email) };
  const png = await draw();
  const as = async (query: string) =>
    (await ask(host, `/api/uploads?as=${query}`, { method: "POST", headers: theirs, body: png })).status;
  expect([await as("logo"), await as("image"), await as("attachment")]).toEqual([403, 403, 403]);
  expect(await as(`picture&member=${workspace.memberId}`)).toBe(404);
  expect(await keptOf(workspace)).toEqual(before);
  expect(await as("picture")).toBe(201);
});

test("what is uploaded is called what its name says at the end, and holds nothing but what is seen", async ({
  aWorkspace,
}) => {
  const workspace = await aWorkspace({ name: "Names", subdomain: "names" });
  const host = new URL(workspace.url).host;
  const headers = {
    Cookie: await cookieOfMember(workspace),
    Origin: workspace.url,
    Accept: "application/json",
  };
  const png = await draw();
  const take = async (query: string, body: Uint8Array, more = {}) => {
    const answer = await ask(host, `/api/uploads?${query}`, { method: "POST", headers: { ...headers, ...more }, body });
    return { status: answer.status, said: JSON.parse(answer.body) };
  };
  for (const [name, kept] of [
    ["../../../etc/passwd", "passwd.png"],
    ["..\\..\\boot.ini", "boot.png"],
    ["/etc/cron.d/x.png", "x.png"],
    ["a\u0001\u202eb.php", "ab.png"],
    ["..", "file.png"],
    ["x".repeat(900), `${"x".repeat(196)}.png`],
  ] as const) {
    const { status, said } = await take(`as=image&name=${encodeURIComponent(name)}`, png);
    expect([name, status, said]).toEqual([
      name,
      201,
      {
        ...{ id: expect.any(String), filename: kept, contentType: "image/png", byteSize: expect.any(Number) },
        ...{ width: 600, height: 200, path: `/uploads/${said.id}` },
      },
    ]);
  }
  const form = new FormData();
  form.set("file", new File([new Uint8Array(png)], "../../../shell.php"));
  const encoded = new Request("http://form", { method: "POST", body: form });
  const type = { "Content-Type": encoded.headers.get("content-type") ?? "" };
  const sent = await take("as=attachment", new Uint8Array(await encoded.arrayBuffer()), type);
  expect([sent.status, sent.said.filename]).toEqual([201, "shell.png"]);

  // A real image with an appended page becomes only an image.
  const jpeg = await sharp(png).jpeg().toBuffer();
  const { said } = await take("as=image", Buffer.concat([jpeg, Buffer.from(script)]));
  const answer = await ask(host, said.path, { headers: { Cookie: headers.Cookie } });
  expect([answer.status, answer.headers["content-type"], answer.body.includes("script")]).toEqual([
    200,
    "image/jpeg",
    false,
  ]);
  const page = await take("as=attachment&name=page.html", Buffer.from(script));
  expect(page.said).toMatchObject({ filename: "page.html", contentType: "text/plain; charset=utf-8", width: null });

  // Every file has a name that we chose.
  const { files, rows } = await keptOf(workspace);
  expect(files.length).toBe(rows);
  for (const file of files) expect(file).toMatch(/^[0-9a-f]{2}\/[0-9a-f]{32}$/);
});

test("uploads are limited per minute, together, and by the space that is left", async ({ aWorkspace }) => {
  const workspace = await aWorkspace({ name: "Much", subdomain: "much" });
  const host = new URL(workspace.url).host;
  const headers = {
    Cookie: await cookieOfMember(workspace),
    Origin: workspace.url,
    Accept: "application/json",
  };
  const localAddress = ownAddress();
  const send = () =>
    ask(host, "/api/uploads?as=attachment&name=a.txt", {
      method: "POST",
      headers,
      body: Buffer.from("a"),
      localAddress,
    });
  // Another upload of the same workspace, as large as all uploads together may be.
  await inWorkspace(workspace.id, (db) =>
    db.upload.create({
      data: {
        storageKey: "x",
        filename: "x",
        contentType: "text/plain",
        byteSize: 5_000_000_000n,
        sha256: Buffer.alloc(32),
      },
    }),
  );
  const full = await send();
  expect([full.status, JSON.parse(full.body)]).toEqual([
    422,
    { reason: "no_room", error: expect.stringContaining("The workspace has used its 5,000 MB of storage") },
  ]);
  await inWorkspace(workspace.id, (db) => db.upload.deleteMany({ where: { storageKey: "x" } }));

  // Starts, and does not end.
  const begin = () => {
    const path = "/api/uploads?as=attachment";
    const request = httpRequest({
      ...{ host: "127.0.0.1", port: new URL(baseUrl).port, path, method: "POST", localAddress },
      headers: { ...headers, Host: host, "Transfer-Encoding": "chunked" },
    });
    request.on("error", () => {});
    request.write("a");
    return request;
  };
  const started = Array.from({ length: 4 }, begin);
  await expect
    .poll(async () => {
      const { status } = await send();
      // The check itself may have taken a slot.
      if (status !== 503) started.push(begin());
      return status;
    })
    .toBe(503);
  for (const request of started) request.destroy();
  await expect.poll(async () => (await send()).status).toBe(201);
  const before = await keptOf(workspace);
  // Incomplete uploads are not stored.
  expect(before.files.length).toBe(before.rows);

  let answer = await send();
  for (let count = 0; count < 200 && answer.status === 201; count++) answer = await send();
  expect([answer.status, JSON.parse(answer.body).error]).toEqual([429, expect.stringContaining("Wait a minute")]);
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
});
