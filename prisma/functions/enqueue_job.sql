-- Queues a job of the current workspace. kb_tenant cannot enter the schema graphile_worker, and no payload can name another
-- workspace. pg_temp comes last, or a temporary table could replace one that this function reads as its owner.
CREATE OR REPLACE FUNCTION enqueue_job(task text, payload json, due timestamptz DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
BEGIN
  -- Imports and exports take long, and so may a server of vectors. At most two of the former and one request to the latter
  -- run at the same time, so that emails do not wait for them.
  PERFORM graphile_worker.add_job(task, json_build_object('workspace_id', workspace, 'payload', payload),
    queue_name := CASE task WHEN 'transfer' THEN 'transfers ' || (hashtext(workspace::text) & 1)
      WHEN 'embed_article' THEN 'embeddings' END, run_at := due);
END
$$;
REVOKE EXECUTE ON FUNCTION enqueue_job FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_job TO kb_tenant;
