import sharp from "sharp";
import { expect, test, vi } from "vitest";
import { inWorkspace } from "@/lib/db";
import { uploadStorage } from "@/lib/uploads/chosen-storage";
import { uploadFor } from "@/lib/uploads/uploads";
import { aCategory, aWorkspace, call, type TestWorkspace } from "@/testing/workspace";
import { paths } from "../_document/operations";

const path = "/api/external/v2/uploads";

// For requests without HTTP.
vi.stubEnv("UPLOAD_IMAGE_MB", "1");
vi.stubEnv("UPLOAD_ATTACHMENT_MB", "2");
vi.stubEnv("UPLOAD_QUOTA_MB", "3");

const image = () =>
  sharp({ create: { width: 20, height: 10, channels: 3, background: "red" } })
    .png()
    .toBuffer();

const upload = (
  workspace: TestWorkspace,
  body: string | Uint8Array,
  { query = "", ...headers }: Record<string, string> = {},
) =>
  call(paths["/uploads"], workspace, path + query, {
    method: "POST",
    body,
    headers: { "content-type": "application/octet-stream", ...headers },
  });

/** Without HTTP, with the settings of this process. */
const uploadHere = ({ subdomain, key }: TestWorkspace, body: AsyncIterable<Uint8Array>) => {
  const headers = new Headers({ host: `${subdomain}.localhost:3000`, "x-api-key": key.text });
  const request = { method: "POST", url: `http://api${path}`, headers, body: body as never };
  return paths["/uploads"].answer(request, {});
};

const form = (boundary: string, content: string, name = "file") =>
  [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"; filename="notes.txt"`,
    "Content-Type: text/plain",
    "",
    content,
    `--${boundary}--`,
    "",
  ].join("\r\n");
const formType = (boundary: string) => ({ "content-type": `multipart/form-data; boundary=${boundary}` });

async function* partsOf(parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(part);
}

async function storedIn({ id }: TestWorkspace): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of uploadStorage().list(id)) keys.push(key);
  return keys;
}

test("an image is uploaded, shown in an article and attached, and readers get it once the article is published", async () => {
  const workspace = await aWorkspace();
  const made = await upload(workspace, await image(), { query: "?file_name=..%2Fred%20square.bin" });
  const { id } = made.body.upload;
  const url = `http://${workspace.subdomain}.localhost:3000/uploads/${id}`;
  expect([made.status, made.headers.get("location"), made.body.upload]).toEqual([
    201,
    url,
    {
      id,
      filename: "red square.png",
      content_type: "image/png",
      byte_size: expect.any(Number),
      width: 20,
      height: 10,
      url,
    },
  ]);
  const category = await aCategory(workspace);
  const articles = "/api/external/v2/articles";
  const body = { title: "Red", html_content: `<p><img src="${url}" alt="Red"></p>`, category_id: category.id };
  const article = await call(paths["/articles"], workspace, articles, {
    method: "POST",
    body: { ...body, attachment_ids: [id] },
  });
  expect(article.body.article).toMatchObject({
    html_content: expect.stringContaining(`src="${url}"`),
    attachments: [{ id, filename: "red square.png", url }],
  });
  const isPublic = async () => (await uploadFor(workspace, "anyone", id)) !== null;
  expect(await isPublic()).toBe(false);
  const name = article.body.article.id;
  await call(paths["/articles/{article_id}/publish"], workspace, `${articles}/${name}/publish`, { method: "POST" });
  expect(await isPublic()).toBe(true);
  const change = (attachment_ids: string[]) =>
    call(paths["/articles/{article_id}"], workspace, `${articles}/${name}`, {
      method: "PATCH",
      body: { attachment_ids, publish: true },
    });
  const unknown = await change(["5b3e2a0c-9d8f-4b1a-8c7d-6e5f4a3b2c1d"]);
  const message = "An attached file doesn't exist. Upload it again.";
  expect(unknown.body.details).toEqual([{ field: "attachment_ids", code: "not_found", message }]);
  expect((await change([])).body.article.attachments).toEqual([]);
});

test("a form is the same file as its content, whatever its boundaries", async () => {
  const workspace = await aWorkspace();
  const key = { "idempotency-key": "one" };
  const first = await upload(workspace, form("x1", "Notes"), { ...key, ...formType("x1") });
  expect([first.status, first.body.upload.filename, first.body.upload.byte_size]).toEqual([201, "notes.txt", 5]);
  const again = await upload(workspace, form("y2", "Notes"), { ...key, ...formType("y2") });
  expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
  expect((await upload(workspace, form("x1", "Other"), { ...key, ...formType("x1") })).status).toBe(422);
  const named = await upload(workspace, form("x", "Notes"), { query: "?file_name=a.md", ...formType("x") });
  expect(named.body.upload.filename).toBe("a.md");
  expect(await inWorkspace(workspace.id, (db) => db.upload.count())).toBe(2);
});

test("a file that can't be stored is refused with what to do, and leaves nothing", async () => {
  const workspace = await aWorkspace();
  const refusals = [
    [await upload(workspace, ""), 422, "The file is empty. Choose another one."],
    [
      await upload(workspace, (await image()).subarray(0, 60)),
      422,
      "The image is damaged. Save it again or choose another one.",
    ],
    [
      await upload(workspace, form("x", "Notes", "other"), formType("x")),
      400,
      "The form has no file. Send it in a field named file, with a filename.",
    ],
    [
      await upload(workspace, form("x", "Notes").slice(0, -9), formType("x")),
      400,
      "The body was cut off. Send it again.",
    ],
  ] as const;
  for (const [{ status, body }, expected, error] of refusals) expect([status, body.error]).toEqual([expected, error]);
  expect(await inWorkspace(workspace.id, (db) => db.upload.count())).toBe(0);
  const here = async (...parts: Uint8Array[]) => {
    const { status, body } = await uploadHere(workspace, partsOf(parts));
    return [status, JSON.parse(String(body)).error];
  };
  expect(await here(await image(), Buffer.alloc(1_000_001))).toEqual([
    413,
    "An image can be up to 1 MB. Make it smaller, or compress it as a zip.",
  ]);
  expect(await storedIn(workspace)).toEqual([]);
  expect((await here(Buffer.alloc(1_900_000, "a")))[0]).toBe(201);
  expect(await here(Buffer.alloc(1_900_000, "b"))).toEqual([
    422,
    "The workspace has used its 3 MB of storage. Remove attachments you no longer need, or ask your installation's operator for more.",
  ]);
  expect(await storedIn(workspace)).toHaveLength(1);
});

test("a file that is too large is refused before it has arrived", async () => {
  const workspace = await aWorkspace();
  let sent = 0;
  const endless = async function* () {
    for (;;) {
      sent += 100_000;
      yield Buffer.alloc(100_000);
    }
  };
  const answer = await uploadHere(workspace, endless());
  expect(answer.status).toBe(413);
  expect(sent).toBeLessThan(2_200_000);
});

test("accepts four files at a time, and refuses the next one with a time to wait", async () => {
  const workspace = await aWorkspace();
  const held: (() => void)[] = [];
  const slow = async function* () {
    await new Promise<void>((resolve) => held.push(resolve));
    yield Buffer.from("Notes");
  };
  const waiting = Array.from({ length: 4 }, () => uploadHere(workspace, slow()));
  await expect.poll(() => held.length).toBe(4);
  const full = await uploadHere(workspace, slow());
  expect([full.status, full.headers.get("Retry-After")]).toEqual([503, "2"]);
  for (const release of held) release();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
});

test("the log names the key, because no member has uploaded the file", async () => {
  const workspace = await aWorkspace();
  const { body } = await upload(workspace, "Notes", { query: "?file_name=notes.txt" });
  const entry = await inWorkspace(workspace.id, (db) =>
    db.auditEntry.findFirstOrThrow({ where: { action: "file.uploaded" } }),
  );
  expect(entry).toMatchObject({ actorKind: "api_key", actorId: workspace.key.id, subjectId: body.upload.id });
});
