import { createHash, createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Upload {
  key: string;
  parts: Map<number, Buffer>;
  initiated: Date;
}

export interface S3Server {
  endpoint: string;
  objects: Map<string, Buffer>;
  uploads: Map<string, Upload>;
  /** Requests as "PUT lectern/a.zip partNumber uploadId". */
  seen: string[];
  /** Answers instead of the server if it returns a status. 200 is a success whose body is an error. */
  refuse: (request: string) => number | undefined | Promise<number | undefined>;
  /** Whether it answers with whole objects, as some proxies do. */
  ignoresRanges: boolean;
  /** Answers after the server has done what was asked. */
  refuseAfter: (request: string) => number | undefined;
}

const s3Key = "AKIATEST";
const s3Secret = "a secret of forty characters, and no less";
const REGION = "eu-test-1";

/** The settings of a program that keeps backups there. */
export const awsOf = ({ endpoint }: S3Server) => ({ endpoint, region: REGION, key: s3Key, secret: s3Secret });
export const awsVariables = ({ endpoint }: S3Server) => ({
  ...{ AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION: REGION },
  ...{ AWS_ACCESS_KEY_ID: s3Key, AWS_SECRET_ACCESS_KEY: s3Secret },
});

/** A store with the bucket `backups`, which checks signatures and the sums of parts. Objects are in memory. */
export async function anS3Server(onEnd: (work: () => void) => void): Promise<S3Server> {
  const objects: S3Server["objects"] = new Map();
  const uploads: S3Server["uploads"] = new Map();
  const state: S3Server = {
    endpoint: "",
    objects,
    uploads,
    seen: [],
    ignoresRanges: false,
    refuse: () => undefined,
    refuseAfter: () => undefined,
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => void answer(state, request, response, Buffer.concat(chunks)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return state;
}

async function answer(
  state: S3Server,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Promise<void> {
  const url = new URL(request.url ?? "/", state.endpoint);
  const [, bucket = "", ...rest] = decodeURIComponent(url.pathname).split("/");
  const [key, method = "", query] = [rest.join("/"), request.method, url.searchParams];
  const seen = [method, key, ...query.keys()].join(" ");
  state.seen.push(seen);
  const reply = (status: number, text: string | Buffer = "", headers: Record<string, string> = {}) =>
    void response.writeHead(status, { "content-type": "application/xml", ...headers }).end(text);
  const fail = (status: number, code: string) =>
    reply(status, `<Error><Code>${code}</Code><Message>No.</Message></Error>`);
  const send: typeof reply = (...all) => {
    const refusal = state.refuseAfter(seen);
    return refusal === undefined ? reply(...all) : fail(refusal, "Refused");
  };
  const refusal = await state.refuse(seen);
  if (refusal !== undefined) return fail(refusal, "Refused");
  if (!isSigned(request, url)) return fail(403, "SignatureDoesNotMatch");
  if (bucket !== "backups") return fail(404, "NoSuchBucket");

  const id = query.get("uploadId");
  const upload = id === null ? undefined : state.uploads.get(id);
  if (id !== null && upload?.key !== key) return fail(404, "NoSuchUpload");

  if (method === "POST" && query.has("uploads")) {
    const made = randomUUID();
    state.uploads.set(made, { key, parts: new Map(), initiated: new Date() });
    return send(200, `<InitiateMultipartUploadResult><UploadId>${made}</UploadId></InitiateMultipartUploadResult>`);
  }
  if (method === "PUT") {
    const sum = createHash("md5").update(body);
    const [etag, md5] = [sum.copy().digest("hex"), sum.digest("base64")];
    if (request.headers["content-md5"] !== md5) return fail(400, "BadDigest");
    if (upload) upload.parts.set(Number(query.get("partNumber")), body);
    else state.objects.set(key, body);
    return send(200, "", { etag: `"${etag}"` });
  }
  if (method === "POST" && upload && id !== null) {
    const asked = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"?(\w+)"?<\/ETag>/g)];
    const parts = asked.map(([, number]) => upload.parts.get(Number(number)) ?? Buffer.alloc(0));
    const isInOrder = asked.every(([, number], index) => Number(number) === index + 1);
    const isWhole = parts.every((part, index) => createHash("md5").update(part).digest("hex") === asked[index]?.[2]);
    if (!isInOrder) return fail(400, "InvalidPartOrder");
    if (!isWhole || parts.length !== upload.parts.size) return fail(400, "InvalidPart");
    state.objects.set(key, Buffer.concat(parts));
    state.uploads.delete(id);
    return send(200, `<CompleteMultipartUploadResult><ETag>"x-${asked.length}"</ETag></CompleteMultipartUploadResult>`);
  }
  if (method === "DELETE") {
    if (id === null) state.objects.delete(key);
    else state.uploads.delete(id);
    return send(204);
  }
  if (key === "" && query.has("uploads")) return send(200, listedUploads(state, query.get("prefix") ?? ""));
  if (key === "") return send(200, listed(state, query));
  const object = state.objects.get(key);
  if (!object) return fail(404, "NoSuchKey");
  if (method === "HEAD") return send(200, "", { "content-length": String(object.length) });
  const isAll = request.headers.range === `bytes=0-${object.length - 1}`;
  if (!request.headers.range || (state.ignoresRanges && isAll))
    return send(200, object, { "content-length": String(object.length) });
  const [, from = "0", to = ""] = /^bytes=(\d+)-(\d+)$/.exec(String(request.headers.range)) ?? [];
  // A client that reads this waits for the rest.
  if (state.ignoresRanges)
    return void response.writeHead(200, { "content-length": object.length }).write(object.subarray(0, 1));
  send(206, object.subarray(Number(from), Number(to) + 1));
}

/** At most two keys a page, so that tests see several pages. */
function listed({ objects }: S3Server, query: URLSearchParams): string {
  const after = query.get("continuation-token") ?? "";
  const keys = [...objects.keys()].sort().filter((key) => key.startsWith(query.get("prefix") ?? "") && key > after);
  const page = keys.slice(0, 2);
  const next = keys.length > 2 ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  const contents = page.map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size></Contents>`);
  return `<ListBucketResult><IsTruncated>${next !== ""}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`;
}

function listedUploads({ uploads }: S3Server, prefix: string): string {
  const found = [...uploads].filter(([, { key }]) => key.startsWith(prefix));
  const shown = found.map(
    ([id, { key, initiated }]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
  );
  return `<ListMultipartUploadsResult>${shown.join("")}</ListMultipartUploadsResult>`;
}

function isSigned({ method, headers }: IncomingMessage, url: URL): boolean {
  const { authorization = "", ...others } = headers;
  const [, key, day = "", region = "", names = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  if (key !== s3Key || region !== REGION) return false;
  const signed = names.split(";").map((name) => `${name}:${String(others[name])}\n`);
  const query = url.search
    .slice(1)
    .split("&")
    .map((pair) => (pair === "" || pair.includes("=") ? pair : `${pair}=`))
    .sort()
    .join("&");
  const payload = String(others["x-amz-content-sha256"]);
  const canonical = [method, url.pathname, query, signed.join(""), names, payload].join("\n");
  const digest = createHash("sha256").update(canonical).digest("hex");
  const text = ["AWS4-HMAC-SHA256", others["x-amz-date"], `${day}/${region}/s3/aws4_request`, digest].join("\n");
  const signing = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(
    (last, part) => createHmac("sha256", last).update(part).digest(),
    `AWS4${s3Secret}`,
  );
  return createHmac("sha256", signing).update(text).digest("hex") === signature;
}
