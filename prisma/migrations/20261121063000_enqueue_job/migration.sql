-- The way for work that is done later, outside the request: the third and last function that passes through the wall.
--
-- Jobs wait in the schema graphile_worker, which belongs to the library that runs them and is made by its own
-- migrations (lib/migrate/jobs.ts); kb_tenant may not enter it. This function takes the workspace from the setting,
-- like the policies: what a job says of itself cannot name another. pg_temp is named last, as in every such function.
CREATE FUNCTION enqueue_job(task text, payload json) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
BEGIN
  PERFORM graphile_worker.add_job(task, json_build_object('workspace_id', workspace, 'payload', payload));
END
$$;
REVOKE EXECUTE ON FUNCTION enqueue_job(text, json) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_job(text, json) TO kb_tenant;
