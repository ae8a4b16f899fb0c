import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { encode } from "next-auth/jwt";
import { paletteFor } from "@/app/sites/[workspace]/admin/(signed-in)/_pages";
import { workspaceUrl } from "@/lib/http/host";
import { permissions } from "@/lib/members/roles";
import { SESSION_COOKIE } from "@/lib/session/cookie";
import { withClient } from "../search/indexes";
import type { BenchServer } from "./server";
import type { AdminWorkspace } from "./workspace";

/** Requests that warm up compilation and query plans. */
const FIRST = 3;

/** Every page in the palette, so that new pages are included automatically, and one page of each kind of thing. */
export async function placesToAsk({ url, id, memberId }: AdminWorkspace): Promise<string[]> {
  const [category, role] = await withClient(url, async (client) => {
    const first = async (table: string) => {
      const { rows } = await client.query<{ id: string }>(
        `SELECT id FROM ${table} WHERE workspace_id = $1 ORDER BY id LIMIT 1`,
        [id],
      );
      return rows[0]?.id;
    };
    return [await first("categories"), await first("roles")];
  });
  const paths = [
    ...paletteFor([...permissions]).map(({ href }) => href),
    "/admin/members?q=number+4&state=active",
    "/admin/members/invitations",
    `/admin/members/${memberId}`,
    `/admin/roles/${role}`,
    `/admin/categories/${category}`,
    "/admin/find?q=a",
    "/admin/find?q=member+number",
  ];
  return [...new Set(paths)];
}

/** Requests a page this many times, one at a time. Returns the median and the 99th percentile. */
export async function askAdmin(
  server: BenchServer,
  { id: workspace, sessionId: session, subdomain }: AdminWorkspace,
  path: string,
  requests: number,
): Promise<{ path: string; status: number; bytes: number; p50: number; p99: number }> {
  const value = await encode({ token: { session, workspace }, secret: server.secret });
  const headers = { Host: new URL(workspaceUrl(subdomain, server.baseUrl)).host, Cookie: `${SESSION_COOKIE}=${value}` };
  const took: number[] = [];
  let last = { status: 0, bytes: 0 };
  for (let number = -FIRST; number < requests; number++) {
    const start = performance.now();
    last = await ask(server.address, path, headers);
    if (number >= 0) took.push(performance.now() - start);
  }
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN;
  return { path, ...last, p50: at(0.5), p99: at(0.99) };
}

/** Uses node:http, because fetch cannot set the Host header. */
function ask(
  address: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const asking = request(address, { path, headers }, (response) => {
      buffer(response).then((body) => resolve({ status: response.statusCode ?? 0, bytes: body.length }), reject);
    });
    asking.once("error", reject);
    asking.end();
  });
}
