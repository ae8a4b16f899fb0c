-- Published articles that have some of a search's words, best first, at most "most".
--
-- Articles that match "wholes" (all words; the first of these before the second) come before the others. Of these, a title
-- that is exactly the text comes first, then titles that begin with it, then titles that hold it, then the rest; then the score decides, to which closeness ("near") adds where all words are there. A word that an article has adds its weight, more in the title and when it occurs
-- often; its other forms add less. Factors raise the score for a title that the search covers, and for the text as a phrase,
-- the more the longer it is. Words that are neighbors in search and article add one. The factors are measured with
-- "npm run bench -- search-quality".
--
-- Only articles that match "drivers" are scored, which the caller keeps to two thousand. Articles of "leave_out" and of the
-- categories "hidden" are left out.
CREATE OR REPLACE FUNCTION search_some(drivers tsquery[], wholes tsquery[], near tsquery[], exact text, phrases tsquery[], terms tsquery[],
  forms tsquery[], titles tsquery[], weights real[], pairs tsquery[], leave_out uuid[], hidden uuid[], most integer)
RETURNS TABLE (id uuid, score real)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off
SET enable_indexscan = off AS $$
#variable_conflict use_column
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
  all_open CONSTANT boolean := cardinality(hidden) = 0;
  -- Category and keywords, content, slug and description, title: labels D to A.
  fields CONSTANT real[] := '{0.2, 0.39, 0.4, 1}';
  driver tsquery;
  candidates uuid[] := '{}';
  words_in_exact CONSTANT integer := length(exact) - length(replace(exact, ' ', '')) + 1;
BEGIN
  -- One at a time: for all of them together, the planner would rather read the words of every article.
  FOREACH driver IN ARRAY drivers LOOP
    candidates := candidates || ARRAY(
      SELECT d.id FROM search_documents d
      WHERE d.workspace_id = workspace AND d.published AND d.words @@ driver AND d.id <> ALL(leave_out)
        AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden))));
  END LOOP;
  RETURN QUERY
  SELECT s.id, s.score::real FROM (
    SELECT w.id, w.updated_at, w.title = exact AS is_title, w.whole,
      CASE strpos(' ' || w.title || ' ', ' ' || exact || ' ') WHEN 0 THEN 3 WHEN 1 THEN 1 ELSE 2 END AS place,
      coalesce((SELECT sum(weights[i] * least(1, numnode(terms[i]) * ts_rank(fields, w.words, terms[i])
         + 0.35 * numnode(forms[i]) * ts_rank(fields, w.words, forms[i])))
       FROM generate_subscripts(terms, 1) i), 0)
      * (1 + 2 * t.covered / greatest(3, w.words_in_title)::real)
      * CASE WHEN t.covered = cardinality(titles) THEN 3 * sqrt(t.covered / greatest(t.covered, w.words_in_title)::real) ELSE 1 END
      * CASE WHEN w.whole IS NOT NULL AND EXISTS (SELECT FROM unnest(phrases) p WHERE w.words @@ p) THEN 1 + 0.3 * (words_in_exact - 1) ^ 2 ELSE 1 END
      + (SELECT count(*) FROM unnest(pairs) p WHERE w.words @@ p)
      + CASE WHEN w.whole IS NULL THEN 0 ELSE ts_rank_cd(fields, w.words, near[w.whole]) END AS score
    FROM (
      SELECT r.id, r.updated_at, r.title, r.words,
        length(r.title) - length(replace(r.title, ' ', '')) + 1 AS words_in_title,
        (SELECT min(i) FROM generate_subscripts(wholes, 1) i WHERE r.words @@ wholes[i]) AS whole
      FROM (
        SELECT d.id, d.updated_at, d.title, setweight(d.words, 'A', '{}'::text[]) AS words
        FROM (SELECT DISTINCT id FROM unnest(candidates) id) c
        CROSS JOIN LATERAL (
          SELECT k.id, k.updated_at, k.title, k.words FROM search_documents k
          WHERE k.workspace_id = workspace AND k.id = c.id OFFSET 0
        ) d
        OFFSET 0
      ) r
      OFFSET 0
    ) w
    CROSS JOIN LATERAL (SELECT count(*)::integer AS covered FROM unnest(titles) t WHERE w.words @@ t) t
    OFFSET 0
  ) s
  ORDER BY s.whole, s.is_title DESC, s.place, s.score DESC, s.updated_at DESC, s.id
  LIMIT most;
END
$$;
REVOKE EXECUTE ON FUNCTION search_some FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_some TO kb_tenant;
