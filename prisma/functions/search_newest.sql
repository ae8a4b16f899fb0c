-- The newest published articles that match "wanted" and are not in "without", for search_rank, in the cheapest of three
-- ways that give the same answer:
-- 1. When many match, the newest are looked at one by one. The newest hundred tell whether that pays: if a fifth of them
--    match, the first 1,500 likely hold 300.
-- 2. When few match "needed" (pairs of neighbors, a condition of "wanted"), the words of those few are read.
-- 3. Otherwise all matches are collected from the index.
CREATE OR REPLACE FUNCTION search_newest(wanted tsquery, needed tsquery, without uuid[], hidden uuid[], expected bigint, most integer)
RETURNS uuid[]
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
  all_open CONSTANT boolean := cardinality(hidden) = 0;
  many CONSTANT integer := 10000;
  sampled CONSTANT integer := 100;
  walked CONSTANT integer := 1500;
  sample_matches integer := 0;
  found uuid[];
BEGIN
  IF expected >= many THEN
    SELECT count(*) FILTER (WHERE n.words @@ wanted) INTO sample_matches FROM (
      SELECT d.words FROM search_documents d
      WHERE d.workspace_id = workspace AND d.published AND uuid_hash(d.workspace_id) = uuid_hash(workspace)
      ORDER BY d.updated_at DESC, d.id LIMIT sampled
    ) n;
    IF sample_matches >= sampled / 5 THEN
      found := ARRAY(
        SELECT n.id FROM (
          SELECT d.id, d.updated_at, d.words FROM search_documents d
          WHERE d.workspace_id = workspace AND d.published AND uuid_hash(d.workspace_id) = uuid_hash(workspace)
          ORDER BY d.updated_at DESC, d.id LIMIT walked
        ) n
        WHERE n.id <> ALL(without) AND n.words @@ wanted
          AND (all_open OR n.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
        ORDER BY n.updated_at DESC, n.id LIMIT most);
      IF cardinality(found) = most THEN
        RETURN found;
      END IF;
    END IF;
  END IF;
  IF needed IS NOT NULL AND sample_matches = 0 THEN
    -- With the LIMIT inside, the planner would look through articles instead of using the index.
    WITH n AS MATERIALIZED (
      SELECT d.id FROM search_documents d WHERE d.workspace_id = workspace AND d.published AND d.words @@ needed
    ) SELECT coalesce(array_agg(l.id), '{}') INTO found FROM (SELECT n.id FROM n LIMIT most + 1) l;
    IF cardinality(found) <= most THEN
      RETURN ARRAY(
        SELECT w.id FROM unnest(found) f (id) CROSS JOIN LATERAL (
          SELECT d.id, d.updated_at, d.words FROM search_documents d WHERE d.workspace_id = workspace AND d.id = f.id OFFSET 0
        ) w
        WHERE w.words @@ wanted AND w.id <> ALL(without)
          AND (all_open OR w.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
        ORDER BY w.updated_at DESC, w.id);
    END IF;
  END IF;
  RETURN ARRAY(
    SELECT d.id FROM search_documents d
    WHERE d.workspace_id = workspace AND d.published AND d.words @@ wanted AND d.id <> ALL(without)
      AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
    ORDER BY d.updated_at DESC, d.id LIMIT most);
END
$$;
REVOKE EXECUTE ON FUNCTION search_newest FROM PUBLIC;
