import type { Client } from "pg";

/**
 * Lets the members of kb_server do what the running server does, and no more. An operator creates that role, and lets a member
 * connect (deploy/server-login.sql). Without that, nothing happens. Only adds what is missing, such as grants on the tables of a new migration.
 */
export const serverGrants = `DO $$
DECLARE
  item record;
BEGIN
  -- The role belongs to the whole PostgreSQL. Until an operator lets one of its members into this database, they are the servers of
  -- other installations.
  IF NOT EXISTS (
    SELECT FROM pg_database d, aclexplode(d.datacl) a JOIN pg_roles r ON r.oid = a.grantee
    WHERE d.datname = current_database() AND a.privilege_type = 'CONNECT' AND r.oid <> d.datdba AND NOT r.rolsuper
      AND pg_has_role(r.oid, to_regrole('kb_server'), 'MEMBER')
  ) THEN
    RETURN;
  END IF;
  -- For requests, which run behind the wall.
  IF NOT pg_has_role('kb_server', 'kb_tenant', 'USAGE') THEN
    BEGIN
      GRANT kb_tenant TO kb_server;
    EXCEPTION WHEN insufficient_privilege THEN
      RAISE EXCEPTION 'The role kb_tenant belongs to another user: have an administrator run GRANT kb_tenant TO kb_server.';
    END;
  END IF;

  -- For questions across workspaces. Nothing asks a partition directly.
  FOR item IN
    SELECT c.oid::regclass AS name FROM pg_class c
    WHERE c.relnamespace IN (current_schema()::regnamespace, 'graphile_worker'::regnamespace)
      AND c.relrowsecurity AND NOT c.relispartition
      AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'server')
  LOOP
    EXECUTE format('CREATE POLICY server ON %s TO kb_server USING (true) WITH CHECK (true)', item.name);
  END LOOP;

  -- More than kb_tenant may do.
  FOR item IN
    SELECT c.oid::regclass AS name, privilege
    FROM (VALUES
      ('_applied_functions', 'SELECT'),
      ('_prisma_migrations', 'SELECT'),
      ('article_changes', 'DELETE'),
      ('audit_entries', 'DELETE'),
      ('audit_items', 'DELETE'),
      ('content_versions', 'INSERT'),
      ('daily_salts', 'SELECT, INSERT, UPDATE, DELETE'),
      ('former_subdomains', 'SELECT, INSERT, DELETE'),
      ('idempotency_keys', 'DELETE'),
      ('rate_limits', 'SELECT, INSERT, UPDATE, DELETE'),
      ('tries', 'SELECT, INSERT, UPDATE, DELETE'),
      ('workspaces', 'INSERT, DELETE')
    ) v (name, privileges)
    JOIN pg_class c ON c.relname = v.name AND c.relnamespace = current_schema()::regnamespace,
    unnest(string_to_array(privileges, ', ')) privilege
    WHERE NOT has_table_privilege('kb_server', c.oid, privilege)
    UNION ALL
    SELECT c.oid::regclass, format('UPDATE (%s)', a.attname)
    FROM (VALUES ('audit_entries', 'ip'), ('workspaces', 'subdomain'), ('workspaces', 'delete_after')) v (name, changed)
    JOIN pg_class c ON c.relname = v.name AND c.relnamespace = current_schema()::regnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = v.changed
    WHERE NOT has_column_privilege('kb_server', c.oid, a.attnum, 'UPDATE')
    -- Background jobs. The library has no list of what it needs.
    UNION ALL
    SELECT c.oid::regclass, privilege
    FROM pg_class c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) privilege
    WHERE c.relnamespace = 'graphile_worker'::regnamespace AND c.relkind IN ('r', 'p', 'v')
      AND (privilege = 'SELECT' OR (c.relkind <> 'v' AND c.relname <> 'migrations'))
      AND NOT has_table_privilege('kb_server', c.oid, privilege)
  LOOP
    EXECUTE format('GRANT %s ON %s TO kb_server', item.privilege, item.name);
  END LOOP;
  IF NOT has_schema_privilege('kb_server', 'graphile_worker', 'USAGE') THEN
    GRANT USAGE ON SCHEMA graphile_worker TO kb_server;
  END IF;
END
$$`;

export interface Login {
  name: string;
  /** Whether it owns the tables, or can create them in an empty database. */
  isOwner: boolean;
  /** Whether it can read which migrations were applied, as members of kb_server can. */
  isServer: boolean;
}

/** The login of a connection. */
export async function loginOf(client: Client): Promise<Login> {
  const { rows } = await client.query<Login>(
    `SELECT current_user AS name,
       coalesce((SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('_prisma_migrations')),
         has_schema_privilege(current_schema(), 'CREATE'), false) AS "isOwner",
       coalesce(has_table_privilege(to_regclass('_prisma_migrations'), 'SELECT'), false) AS "isServer"`,
  );
  return rows[0] as Login;
}
