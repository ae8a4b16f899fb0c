import { randomBytes, randomUUID } from "node:crypto";
import { hostOf, type RequestSample } from "./sample";
import { sendRequest, type Target } from "./send";
import { words } from "./texts";
import type { World } from "./world";

async function read(
  target: Target,
  host: string,
  key: string,
  path: string,
): Promise<{ status: number; etag: string; body: any }> {
  const { answers, problem } = await sendRequest(target, sampleOf("GET", path, host, key));
  const answer = answers[0];
  if (!answer) throw new Error(`${path} was not answered at ${host}: ${problem}.`);
  const etag = answer.headers.find(([name]) => name.toLowerCase() === "etag")?.[1] ?? "";
  return { status: answer.status, etag, body: JSON.parse(answer.body.toString()) };
}

export const sampleOf = (method: string, path: string, host: string, key: string): RequestSample => ({
  kind: "request",
  name: "",
  method,
  path,
  headers: [
    ["Host", host],
    ["X-Api-Key", key],
  ],
  limited: false,
  expected: [],
  invalidFields: [],
  documentedAs: path,
  toRival: false,
});

/**
 * The world of another installation, read from its API with a read-only key.
 * @param host of the workspace, such as docs.example.com
 */
export async function remoteWorld(target: Target, host: string, key: string): Promise<World> {
  const base = "/api/external/v2";
  const me = await read(target, host, key, `${base}/me`);
  if (me.status !== 200) throw new Error(`${host} refuses the key (${me.status}). Give a key of this workspace.`);
  if (!(me.body.api_key.scopes as string[]).every((scope) => scope === "public" || scope.endsWith(".read")))
    throw new Error(
      "This key can write, so the requests would change your workspace. Give a key with the scopes content.read, members.read, insights.read and audit.read.",
    );
  const [subdomain, ...domain] = host.split(".");
  const list = async (path: string, name: string) =>
    (await read(target, host, key, `${base}${path}`)).body[name] as {
      id: string;
      slug: string;
      email: string;
      organization_role: string;
    }[];
  const [categories, articles, members] = [
    await list("/categories?scope=all&page_size=100", "categories"),
    await list("/articles?page_size=100", "articles"),
    await list("/team-members?page_size=100", "team_members"),
  ];
  const known = (values: string[]) => (values.length > 0 ? values : [randomUUID()]);
  const world: World = {
    domain: domain.join("."),
    own: [
      {
        subdomain: subdomain!,
        keys: { read: key, readWrite: null },
        formerKeys: [],
        categoryIds: known(categories.map(({ id }) => id)),
        articles: known(articles.flatMap(({ id, slug }) => [id, slug])),
        memberIds: known(members.map(({ id }) => id)),
        emails: known(members.map(({ email }) => email)),
        roles: known(members.map(({ organization_role: role }) => role)),
        words,
      },
    ],
    rival: {
      subdomain: `x${randomBytes(8).toString("hex")}`,
      word: randomUUID(),
      key: null,
      ids: { articles: [], categoryIds: [], memberIds: [] },
    },
    tags: [],
    writes: false,
    written: null,
    hasLimits: true,
  };
  return { ...world, tags: await tagsOf(target, world) };
}

/** Paths of the first workspace with a stable answer, and their tags. */
export async function tagsOf(target: Target, { own, domain }: World): Promise<World["tags"]> {
  const { keys } = own[0]!;
  const paths = ["v1", "v2"].flatMap((version) =>
    ["/setting", "/articles?page_size=5", "/categories?scope=all", "/search?search_term=pass", "/openapi.json"].map(
      (path) => `/api/external/${version}${path}`,
    ),
  );
  const tags: World["tags"] = [];
  for (const path of paths) {
    const { status, etag } = await read(target, hostOf(own[0]!, domain), keys.read ?? "", path);
    if (status === 200) tags.push({ path, tag: etag });
  }
  return tags;
}

/**
 * Waits until a fresh server answers several requests at the same time, a write among them: its first answers take
 * longer.
 */
export async function warmedUp(target: Target, { own, domain }: World): Promise<void> {
  const host = hostOf(own[0]!, domain);
  const write: RequestSample = {
    ...sampleOf("PATCH", `/api/external/v2/team-members/${own[0]!.memberIds[0]}`, host, own[0]!.keys.readWrite ?? ""),
    body: { bytes: Buffer.from("{}") },
  };
  write.headers.push(["Content-Type", "application/json"]);
  for (let round = 0; round < 100; round++) {
    const several = Array.from({ length: 8 }, () => read(target, host, "", "/api/external/v2/openapi.json"));
    const [{ answers }, ...others] = await Promise.all([sendRequest(target, write), ...several]);
    if ([...answers, ...others].every(({ status }) => status === 200)) return;
  }
  throw new Error("The server is not ready. It keeps returning errors.");
}
