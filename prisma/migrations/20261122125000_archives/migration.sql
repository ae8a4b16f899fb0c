-- Of what an import brought: the hash of the bytes as they came, by which another run finds the upload that it made of them.
ALTER TABLE uploads ADD COLUMN source_sha256 bytea;

-- Archives on their way out or in: a row for each export and import that somebody asked for in the browser, what became of
-- it, and where its bytes are. Readers see nothing of it.
CREATE TABLE transfers (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  kind         text NOT NULL CHECK (kind IN ('export', 'import')),
  -- Of an import 'ready' is: looked at, and nothing stored yet.
  state        text NOT NULL CHECK (state IN ('checking', 'ready', 'running', 'done', 'failed', 'cancelled')),
  filename     text NOT NULL CHECK (length(filename) BETWEEN 1 AND 255),
  byte_size    bigint NOT NULL DEFAULT 0 CHECK (byte_size >= 0),
  -- Where its bytes are, in order, each of the size that lib/transfers/parts.ts says but for the last.
  parts        text[] NOT NULL DEFAULT '{}',
  phase        text,
  done         integer NOT NULL DEFAULT 0,
  total        integer NOT NULL DEFAULT 0,
  report       jsonb,
  -- Why it failed, for a person.
  problem      text,
  created_by   uuid,
  created_by_name text NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  updated_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, created_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (created_by)
);
-- One of a kind at a time.
CREATE UNIQUE INDEX transfers_one_key ON transfers (workspace_id, kind) WHERE state IN ('checking', 'running');
CREATE INDEX transfers_created_at_idx ON transfers (workspace_id, kind, created_at DESC);

ALTER TABLE transfers ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON transfers TO kb_tenant
  USING (workspace_id = current_setting('app.workspace_id')::uuid)
  WITH CHECK (workspace_id = current_setting('app.workspace_id')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON transfers TO kb_tenant;

-- Archives are long work: of all that wait, two at most are at work at once, so that mails do not wait for them.
CREATE OR REPLACE FUNCTION enqueue_job(task text, payload json) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
BEGIN
  PERFORM graphile_worker.add_job(task, json_build_object('workspace_id', workspace, 'payload', payload),
    queue_name := CASE WHEN task = 'transfer' THEN 'transfers ' || (hashtext(workspace::text) & 1) END);
END
$$;
