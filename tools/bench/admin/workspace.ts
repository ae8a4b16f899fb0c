import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { progress } from "@/bin/kb/output";
import { permissions } from "@/lib/members/roles";
import { migrate } from "@/server/migrate";
import { startPostgres } from "@/server/postgres";
import { contentOf, idOf } from "../search/articles";
import { tidyUp, withClient } from "../search/indexes";
import { loadWorkspaces } from "../search/load";

/** The largest realistic workspace, with a signed-in member. */
export interface AdminWorkspace {
  url: string;
  id: string;
  subdomain: string;
  memberId: string;
  sessionId: string;
  /** Stops the database. */
  release: () => Promise<void>;
}

/** Counts of everything except articles. */
export const MANY = { categories: 1_000, members: 500, invitations: 100, keys: 50, days: 180 };

/** Creates it in its own database in the folder. */
export async function makeAdminWorkspace(folder: string, articles: number): Promise<AdminWorkspace> {
  const server = await startPostgres({ dataDir: join(folder, "database"), durable: false, log: () => {} });
  await migrate(server.url);
  const id = idOf(articles, 0);
  const subdomain = "bench";
  const bar = progress();
  await loadWorkspaces(server.url, [{ id, subdomain, articles, content: contentOf(0), role: null }], (loaded) =>
    bar.show("Loading", loaded, articles),
  );
  bar.end();
  const sessionId = randomUUID();
  const memberId = await withClient(server.url, async (client) => {
    await client.query("SELECT set_config('app.workspace_id', $1, false)", [id]);
    await client.query("INSERT INTO content_versions (workspace_id) VALUES ($1) ON CONFLICT DO NOTHING", [id]);
    await client.query("UPDATE roles SET permissions = $1", [permissions]);
    await client.query(
      `INSERT INTO categories (name, slug, parent_id)
       SELECT 'Category below ' || n, 'below-' || n, (SELECT id FROM categories ORDER BY id OFFSET n % 100 LIMIT 1)
       FROM generate_series(1, greatest($1 - (SELECT count(*) FROM categories), 0)) n`,
      [MANY.categories],
    );
    await client.query(
      `INSERT INTO members (email, first_name, last_name, role_id)
       SELECT 'member-' || n || '@example.com', 'Member', 'Number ' || n, (SELECT id FROM roles LIMIT 1)
       FROM generate_series(2, $1) n`,
      [MANY.members],
    );
    await client.query(
      `INSERT INTO invitations (email, role_id, token_hash, expires_at)
       SELECT 'guest-' || n || '@example.com', (SELECT id FROM roles LIMIT 1), decode(md5(n::text), 'hex'), now() + interval '1 day'
       FROM generate_series(1, $1) n`,
      [MANY.invitations],
    );
    await client.query(
      `INSERT INTO api_keys (name, key_hash, last_four, scopes)
       SELECT 'Key ' || n, decode(md5(n::text), 'hex'), 'abcd', ARRAY['content.read'] FROM generate_series(1, $1) n`,
      [MANY.keys],
    );
    await client.query(
      `INSERT INTO article_views (article_id, day, viewer_hash)
       SELECT a.id, current_date - d, decode(md5(a.id::text || d), 'hex')
       FROM (SELECT id FROM articles WHERE state = 'published' ORDER BY id LIMIT 1000) a, generate_series(0, $1) d`,
      [MANY.days],
    );
    await client.query(
      `INSERT INTO searches (term, term_folded, results_count, created_at)
       SELECT 'term ' || n % 2000, 'term ' || n % 2000, n % 7, now() - make_interval(hours => n % ($1 * 24))
       FROM generate_series(1, 100000) n`,
      [MANY.days],
    );
    await client.query(
      `INSERT INTO audit_entries (actor_kind, actor_name, action, subject_kind, subject_name, created_at)
       SELECT 'member', 'member-2@example.com', 'member.updated', 'member', 'member-' || n, now() - make_interval(mins => n)
       FROM generate_series(1, 50000) n`,
    );
    const { rows } = await client.query<{ id: string }>(
      "SELECT id FROM members WHERE email = 'admin@example.com' LIMIT 1",
    );
    const member = rows[0]?.id as string;
    await client.query("INSERT INTO sessions (id, member_id, expires_at) VALUES ($1, $2, now() + interval '1 day')", [
      sessionId,
      member,
    ]);
    return member;
  });
  await tidyUp(server.url);
  return { url: server.url, id, subdomain, memberId, sessionId, release: () => server.release() };
}
