-- Queues a job of the current workspace. kb_tenant cannot enter the schema graphile_worker, and no payload can name another
-- workspace. pg_temp comes last, or a temporary table could replace one that this function reads as its owner.
CREATE OR REPLACE FUNCTION enqueue_job(task text, payload json, due timestamptz DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
BEGIN
  -- At most two imports or exports, two invitations, two changes of categories or snippets, one bulk action and one request to a server
  -- of vectors run at the same time, and one of each in a workspace. A server delivers the webhooks of at most four workspaces
  -- (lib/webhooks/deliver.ts). The last slot of a server (server/jobs/worker.ts) is thus left for publishing and for mails that
  -- someone waits for. Jobs with a lower number come first.
  PERFORM graphile_worker.add_job(task, json_build_object('workspace_id', workspace, 'payload', payload),
    queue_name := CASE WHEN task IN ('bulk_action', 'embed_article') THEN task
      WHEN task IN ('transfer', 'invitation', 'reindex_category') THEN task || ' ' || (hashtext(workspace::text) & 1)
      WHEN task = 'update_snippets' THEN 'reindex_category ' || (hashtext(workspace::text) & 1) END,
    priority := CASE WHEN task IN ('transfer', 'bulk_action', 'embed_article', 'invitation', 'reindex_category', 'update_snippets',
      'deliver_webhooks')
      THEN 10 ELSE 0 END,
    -- A workspace has one such job. With a time, an earlier one stays as it is.
    job_key := CASE WHEN task IN ('deliver_webhooks', 'update_snippets') THEN task || ' ' || workspace END,
    job_key_mode := CASE WHEN due IS NULL THEN 'replace' ELSE 'preserve_run_at' END,
    run_at := due);
END
$$;
REVOKE EXECUTE ON FUNCTION enqueue_job FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_job TO kb_tenant;
