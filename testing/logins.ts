import { randomBytes } from "node:crypto";
import { Client } from "pg";

/**
 * SQL that creates the role of the server's logins, which an operator creates (docs/operate.md, "Two database logins"). Migrations
 * after it grant what the role needs. It belongs to the whole PostgreSQL, so other tests may have created it.
 */
export const MAKE_SERVER_ROLE = `DO $$ BEGIN
  CREATE ROLE kb_server;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END $$`;

export interface ServerLogin {
  /** The URL of the owner's database, with this login. */
  url: string;
  drop: () => Promise<void>;
}

/** Creates a login that may do what a running server needs, and no more. */
export async function aServerLogin(ownerUrl: string): Promise<ServerLogin> {
  const [name, password] = [`server_${randomBytes(6).toString("hex")}`, randomBytes(12).toString("hex")];
  await run(ownerUrl, `CREATE ROLE ${name} LOGIN PASSWORD '${password}' IN ROLE kb_server`);
  return {
    url: Object.assign(new URL(ownerUrl), { username: name, password }).href,
    drop: () => run(ownerUrl, `DROP ROLE ${name}`),
  };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
