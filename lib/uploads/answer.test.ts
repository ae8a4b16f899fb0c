import { expect, onTestFinished, test } from "vitest";
import { openLog } from "@/lib/log";
import type { ServedUpload } from "@/lib/uploads/uploads";
import { noUpload, unavailableUpload, uploadAnswer } from "./answer";

const text = "0123456789";
const file: ServedUpload = {
  ...{ id: "0", storageKey: "0", path: "/uploads/0", sha256: "ab12", audience: "shown" },
  ...{
    filename: 'Größe "100%".txt',
    contentType: "text/plain; charset=utf-8",
    byteSize: 10,
    width: null,
    height: null,
  },
};
const image: ServedUpload = {
  ...file,
  filename: "a.png",
  contentType: "image/png",
  width: 1,
  height: 1,
  audience: "public",
};

const storage = {
  open: async (_: string, { start, end }: { start: number; end: number }) =>
    new Response(text.slice(start, end + 1)).body,
};

async function ask(upload: ServedUpload, headers: Record<string, string> = {}, method = "GET") {
  const answer = await uploadAnswer(new Request("http://docs.localhost/", { headers, method }), upload, storage);
  return { status: answer.status, body: await answer.text(), headers: Object.fromEntries(answer.headers) };
}

test("a file is saved under its name, and could do nothing if it were shown", async () => {
  expect(await ask(file)).toEqual({
    status: 200,
    body: text,
    headers: {
      "accept-ranges": "bytes",
      "cache-control": "public, max-age=0, must-revalidate, no-transform",
      "content-disposition": `attachment; filename="Gr__e _100__.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%22100%25%22.txt`,
      "content-length": "10",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-type": "text/plain; charset=utf-8",
      etag: '"ab12"',
      vary: "Cookie",
      "x-content-type-options": "nosniff",
    },
  });
});

test("an image is shown, and kept for good where everybody may see it", async () => {
  const { headers } = await ask(image);
  expect(headers["content-disposition"]).toBe("inline; filename=\"a.png\"; filename*=UTF-8''a.png");
  expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable, no-transform");
  expect(headers).not.toHaveProperty("vary");
  const hidden = (await ask({ ...image, audience: "private" })).headers;
  expect(hidden["cache-control"]).toBe("private, max-age=0, must-revalidate, no-transform");
});

test("a client that has the file gets a 304", async () => {
  const { status, body, headers } = await ask(file, { "if-none-match": 'W/"x", "ab12"' });
  expect([status, body, headers.etag]).toEqual([304, "", '"ab12"']);
  expect((await ask(file, { "if-none-match": '"x"' })).status).toBe(200);
});

test.each([
  ["bytes=2-4", 206, "234", "bytes 2-4/10"],
  ["bytes=8-", 206, "89", "bytes 8-9/10"],
  ["bytes=-3", 206, "789", "bytes 7-9/10"],
  ["bytes=-30", 206, text, "bytes 0-9/10"],
  ["bytes=5-500", 206, "56789", "bytes 5-9/10"],
  ["bytes=10-", 416, "", "bytes */10"],
  ["bytes=-0", 416, "", "bytes */10"],
  ["bytes=4-2", 200, text, undefined],
  ["bytes=0-1,4-5", 200, text, undefined],
  ["lines=1-2", 200, text, undefined],
  ["bytes=-", 200, text, undefined],
])("the part %s", async (range, status, body, contentRange) => {
  const answer = await ask(file, { range });
  expect([answer.status, answer.body, answer.headers["content-range"]]).toEqual([status, body, contentRange]);
  if (status !== 416) expect(answer.headers["content-length"]).toBe(String(body.length));
});

test("a part is sent only of what the client has the beginning of", async () => {
  const range = "bytes=2-4";
  expect((await ask(file, { range, "if-range": '"ab12"' })).body).toBe("234");
  expect((await ask(file, { range, "if-range": '"other"' })).body).toBe(text);
});

test("HEAD opens nothing", async () => {
  const request = new Request("http://docs.localhost/", { method: "HEAD" });
  const answer = await uploadAnswer(request, file, { open: () => Promise.reject(new Error("It was opened.")) });
  expect([answer.status, answer.headers.get("content-length"), await answer.text()]).toEqual([200, "10", ""]);
});

test("an upload whose file is gone is answered as one that never was, and the operator is told", async () => {
  const lines: string[] = [];
  openLog({ level: "warn", format: "json", write: (line) => void lines.push(line) });
  onTestFinished(() => openLog({ level: "error", format: "text", write: (line) => process.stderr.write(line) }));
  const request = new Request("http://docs.localhost/");
  const answer = await uploadAnswer(request, file, { open: async () => null });
  expect([answer.status, await answer.text()]).toEqual([404, await noUpload().text()]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", file: file.storageKey, msg: expect.stringContaining("missing. Restore it") },
  ]);
});

test("while files can't be read, a person gets a page and a program gets plain text", async () => {
  const asked = (accept: string) =>
    unavailableUpload(new Request("http://docs.localhost/uploads/0", { headers: { accept } }));
  const [page, line] = [asked("text/html,*/*;q=0.8"), asked("image/avif,*/*;q=0.8")];
  expect(
    [page, line].map(({ status, headers }) => [status, headers.get("retry-after"), headers.get("content-type")]),
  ).toEqual([
    [503, "5", "text/html; charset=utf-8"],
    [503, "5", "text/plain; charset=utf-8"],
  ]);
  expect(await page.text()).toContain("<p>This file can't be sent right now. Try again in a few seconds.</p>");
  expect(await line.text()).toBe("This file can't be sent right now. Try again in a few seconds.\n");
});
