import { randomBytes } from "node:crypto";
import { Client } from "pg";

/**
 * Creates the role of the server's logins, and lets it into a database, as an operator does (docs/operate.md, "Two database
 * logins"). Migrations after it grant what the role needs. It belongs to the whole PostgreSQL, so other tests may have created it.
 */
export function letServersIn(ownerUrl: string): Promise<void> {
  return run(
    ownerUrl,
    `DO $$ BEGIN
      CREATE ROLE kb_server;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END $$;
    GRANT CONNECT ON DATABASE ${databaseOf(ownerUrl)} TO kb_server`,
  );
}

const databaseOf = (url: string) => new URL(url).pathname.slice(1);

export interface ServerLogin {
  /** The URL of the owner's database, with this login. */
  url: string;
  drop: () => Promise<void>;
}

/** Creates a login that may do what a running server needs, and no more. */
export async function aServerLogin(ownerUrl: string): Promise<ServerLogin> {
  const [name, password] = [`server_${randomBytes(6).toString("hex")}`, randomBytes(12).toString("hex")];
  const database = databaseOf(ownerUrl);
  await run(
    ownerUrl,
    `CREATE ROLE ${name} LOGIN PASSWORD '${password}' IN ROLE kb_server; GRANT CONNECT ON DATABASE ${database} TO ${name}`,
  );
  return {
    url: Object.assign(new URL(ownerUrl), { username: name, password }).href,
    drop: () => run(ownerUrl, `REVOKE CONNECT ON DATABASE ${database} FROM ${name}; DROP ROLE ${name}`),
  };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
