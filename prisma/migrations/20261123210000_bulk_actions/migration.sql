-- One action on many articles. A job works through them in order, a few per transaction, and continues after a kill.
CREATE TABLE bulk_actions (
  workspace_id    uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  -- Also the batch in the trash that undoes the action, and the id of its entry in the audit log.
  id              uuid NOT NULL DEFAULT gen_random_uuid(),
  action          text NOT NULL CHECK (action IN ('published', 'unpublished', 'moved', 'tagged', 'deleted', 'undone', 'restored')),
  -- 'stopping': a member canceled it, and the job has not seen it yet.
  state           text NOT NULL CHECK (state IN ('running', 'stopping', 'done', 'failed', 'cancelled')),
  -- Articles, or the entries of the trash that an undo restores.
  ids             uuid[] NOT NULL,
  -- The number of ids that are dealt with.
  done            integer NOT NULL DEFAULT 0,
  -- What the action needs, such as a category, and what its report says.
  details         jsonb NOT NULL DEFAULT '{}',
  -- The reason of a failure, for people.
  problem         text,
  created_by      uuid,
  created_by_name text NOT NULL,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, created_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (created_by)
);

-- The articles behind an entry of the audit log that stands for many. No foreign key: they are written in the transactions of
-- the changes, the entry when the action ends.
CREATE TABLE audit_items (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  entry_id     uuid NOT NULL,
  subject_id   uuid NOT NULL,
  subject_name text NOT NULL,
  details      jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX audit_items_entry_id_idx ON audit_items (workspace_id, entry_id);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['bulk_actions', 'audit_items'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY wall ON %I TO kb_tenant USING (workspace_id = current_setting(''app.workspace_id'')::uuid) '
      'WITH CHECK (workspace_id = current_setting(''app.workspace_id'')::uuid)', name);
  END LOOP;
END
$$;
GRANT SELECT, INSERT, UPDATE, DELETE ON bulk_actions TO kb_tenant;
GRANT SELECT, INSERT ON audit_items TO kb_tenant;
