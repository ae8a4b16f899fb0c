-- Published articles and drafts that match, for lists with an order of their own.
--
-- The search functions pass through the wall, because "@@" may not use an index behind a policy, and filter by workspace
-- themselves. pg_temp comes last, or a temporary table could pose as one that they read as their owner.
-- plpgsql, because a LANGUAGE sql function is planned again for each call. Plans are made for the values, so that one
-- partition is planned and not 64; never by a sequential scan, because the planner does not know what reading the words
-- of every document costs. See search_rank for enable_indexscan and cpu_tuple_cost.
CREATE OR REPLACE FUNCTION search_filter(query tsquery) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off
SET enable_indexscan = off SET cpu_tuple_cost = 0.1 AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
BEGIN
  RETURN QUERY SELECT d.id FROM search_documents d WHERE d.workspace_id = workspace AND d.words @@ query;
END
$$;
REVOKE EXECUTE ON FUNCTION search_filter FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_filter TO kb_tenant;
