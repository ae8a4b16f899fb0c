-- What writing needs: jobs that wait for their time, deleted articles that can be brought back for a day, and drafts that
-- are saved every few seconds without a reader's page being made anew for it.

SET LOCAL lock_timeout = '150ms';

-- The same function with a time before which the job is not begun. One of the two, so that the way stays one way; servers
-- of the version before go on calling it with two arguments.
DROP FUNCTION enqueue_job(text, json);
CREATE FUNCTION enqueue_job(task text, payload json, due timestamptz DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
BEGIN
  PERFORM graphile_worker.add_job(task, json_build_object('workspace_id', workspace, 'payload', payload),
    queue_name := CASE WHEN task = 'transfer' THEN 'transfers ' || (hashtext(workspace::text) & 1) END, run_at := due);
END
$$;
REVOKE EXECUTE ON FUNCTION enqueue_job(text, json, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_job(text, json, timestamptz) TO kb_tenant;

-- Articles that were deleted, with every row that went with them, so that the deletion can be undone for a day.
CREATE TABLE deleted_articles (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  -- The article's own.
  id           uuid NOT NULL,
  -- The same for all that were deleted together.
  batch        uuid NOT NULL,
  title        text NOT NULL,
  -- By table, what was there.
  rows         jsonb NOT NULL,
  deleted_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX deleted_articles_batch_idx ON deleted_articles (workspace_id, batch);
CREATE INDEX deleted_articles_deleted_at_idx ON deleted_articles (workspace_id, deleted_at);
ALTER TABLE deleted_articles ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON deleted_articles TO kb_tenant
  USING (workspace_id = current_setting('app.workspace_id')::uuid)
  WITH CHECK (workspace_id = current_setting('app.workspace_id')::uuid);
GRANT SELECT, INSERT, DELETE ON deleted_articles TO kb_tenant;

-- Of an article that is not published, readers see nothing that could change.
DROP TRIGGER change_content_version ON articles;
CREATE CONSTRAINT TRIGGER add_content_version AFTER INSERT ON articles DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.state = 'published') EXECUTE FUNCTION change_content_version();
CREATE CONSTRAINT TRIGGER change_content_version
  AFTER UPDATE OF permalink, slug, category_id, sequence, author_id, state, title, published_at, created_at, updated_at
  ON articles DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.state = 'published' OR NEW.state = 'published') EXECUTE FUNCTION change_content_version();
CREATE CONSTRAINT TRIGGER remove_content_version AFTER DELETE ON articles DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.state = 'published') EXECUTE FUNCTION change_content_version();
