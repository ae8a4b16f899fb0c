-- One engine for every search. The words of a document now carry the workspace's tag and the mark of their field
-- (lib/search/lexemes.ts), so that the index alone knows in which fields a query is found.

DROP FUNCTION search_filter(tsquery);
DROP FUNCTION search_rank(tsquery, tsquery, tsquery, tsquery, text, integer, bigint);

ALTER TABLE search_documents DROP COLUMN category_words;
-- "id" first: an index that begins with the workspace would be taken in place of the words' own where a word is in most
-- articles, and every document's words be read.
ALTER TABLE search_documents DROP CONSTRAINT search_documents_pkey;
ALTER TABLE search_documents ADD CONSTRAINT search_documents_pkey PRIMARY KEY (id, workspace_id);
-- Which form the words of a workspace's documents have. Those of an older form are made anew by the server, in the background.
ALTER TABLE workspaces ADD COLUMN search_form smallint NOT NULL DEFAULT 0;
GRANT UPDATE (search_form) ON workspaces TO kb_tenant;
DO $$
BEGIN
  -- Words are read for the few that are ranked, so they lie aside, uncompressed: the rows that are counted stay narrow.
  FOR remainder IN 0..63 LOOP
    EXECUTE format('ALTER TABLE search_documents_%s SET (toast_tuple_target = 128)', lpad(remainder::text, 2, '0'));
    EXECUTE format('ALTER TABLE search_documents_%s ALTER COLUMN words SET STORAGE EXTERNAL', lpad(remainder::text, 2, '0'));
  END LOOP;
END
$$;
ALTER TABLE search_documents ALTER COLUMN words SET STORAGE EXTERNAL;

-- The words of each workspace, for corrections. A word is added with the article that brings it. There is no unique
-- key: two writers who bring the same word at once would wait for each other, and a word that is there twice does no harm.
-- Words that left with their article stay until a reindex; a correction is only made to a word that finds something.
CREATE TABLE search_words (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  -- Folded; and from its end, to find words by their last letters.
  word         text COLLATE "C" NOT NULL,
  backwards    text COLLATE "C" NOT NULL GENERATED ALWAYS AS (reverse(word)) STORED,
  -- As it is written, in lower case.
  spelling     text NOT NULL,
  added_at     timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX search_words_word_idx ON search_words (workspace_id, word);
CREATE INDEX search_words_backwards_idx ON search_words (workspace_id, backwards);
ALTER TABLE search_words ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON search_words TO kb_tenant USING (workspace_id = current_setting('app.workspace_id')::uuid)
  WITH CHECK (workspace_id = current_setting('app.workspace_id')::uuid);
GRANT SELECT, INSERT, DELETE ON search_words TO kb_tenant;

-- The hatches in the wall that read: behind a policy "@@" may not use an index, so these filter by the workspace
-- themselves. plpgsql keeps its plan, where a LANGUAGE sql function would plan again on each call.
-- pg_temp is named last, or PostgreSQL would look there first: a temporary view could pose as a table and run as us.
-- Plans are made for the values at hand, so that one partition is planned and not 64. Never by reading the whole
-- partition: what that costs, the words of every document, the planner does not know. Statements are too short for JIT.

-- Articles of either state that the query finds, for lists that keep an order of their own.
CREATE FUNCTION search_filter(query tsquery) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
BEGIN
  RETURN QUERY SELECT d.id FROM search_documents d WHERE d.workspace_id = workspace AND d.words @@ query;
END
$$;

-- How many published articles each of some queries finds, counted up to a bound.
CREATE FUNCTION search_counts(queries tsquery[], most integer) RETURNS TABLE (query integer, found bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
BEGIN
  FOR number IN 1..cardinality(queries) LOOP
    RETURN QUERY SELECT number, count(*) FROM (
      SELECT FROM search_documents d WHERE d.workspace_id = workspace AND d.published AND d.words @@ queries[number] LIMIT most
    ) few;
  END LOOP;
END
$$;

-- Published articles by relevance: one page of their ids, and the true total.
-- A search is a list of stages: queries without an article in common, the best first (lib/search/query.ts). A stage with a
-- title is ordered by that alone: equal, begins with it, holds it in this order, whole words before beginnings, then the shorter
-- one. Another is ordered
-- by phrase, then by how close the words stand, which means reading the words of each article. Either way the order is
-- total: date, then id.
--
-- The total is counted on narrow rows: the words lie aside and need no second look, since a GIN index is exact for
-- queries without labels and phrases. Of up to 400 articles each is read, and told its stage: one walk through the index.
-- Of more, the stages are looked up one after the other until the page is full, so that a word that a third of all articles
-- have costs a count and the articles whose title has it. Where a stage without a title has more than 300, those are
-- ranked that have the words side by side (pairs of neighbours are words of their own), then the newest; the rest follow
-- by date.
-- The place of a title is written out twice, because PostgreSQL would call a function of ours for each row.
-- "setweight" of no words is a copy: what lies aside is read once for all that is asked of it.
CREATE FUNCTION search_rank(wanted tsquery, stages tsquery[], near tsquery[], phrases tsquery[], pairs tsquery[],
  titles text[], page_size integer, page_offset bigint)
RETURNS TABLE (total bigint, ids uuid[])
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
  read_whole CONSTANT integer := 400;
  ranked_most CONSTANT integer := 300;
  -- Articles of the stages so far, of this one, and those of it that belong on the page.
  before bigint := 0;
  here bigint;
  part uuid[];
BEGIN
  ids := '{}';
  SELECT count(*) INTO total FROM search_documents d WHERE d.workspace_id = workspace AND d.published AND d.words @@ wanted;
  IF total <= read_whole THEN
    ids := ARRAY(
      SELECT p.id FROM (
        SELECT w.id, w.updated_at, s.stage, length(w.title) AS length, CASE
            WHEN titles[s.stage] IS NULL THEN NULL
            WHEN w.title = titles[s.stage] THEN 0
            WHEN starts_with(w.title, titles[s.stage] || ' ') THEN 1
            WHEN strpos(w.title || ' ', ' ' || titles[s.stage] || ' ') > 0 THEN 2
            WHEN starts_with(w.title, titles[s.stage]) THEN 3
            WHEN strpos(w.title, ' ' || titles[s.stage]) > 0 THEN 4
            ELSE 5
          END AS place,
          CASE WHEN titles[s.stage] IS NULL THEN w.words @@ phrases[s.stage] END AS phrase,
          CASE WHEN titles[s.stage] IS NULL THEN ts_rank_cd('{0.1, 0.2, 0.4, 1}', w.words, near[s.stage]) END AS closeness
        FROM (
          SELECT d.id, d.updated_at, d.title, setweight(d.words, 'A', '{}'::text[]) AS words FROM search_documents d
          WHERE d.workspace_id = workspace AND d.published AND d.words @@ wanted
          OFFSET 0
        ) w
        CROSS JOIN LATERAL (SELECT stage FROM generate_series(1, cardinality(stages)) stage WHERE w.words @@ stages[stage] LIMIT 1) s
        OFFSET 0
      ) p
      ORDER BY p.stage, p.place, CASE WHEN p.place IS NOT NULL THEN p.length END, p.phrase DESC, p.closeness DESC,
        p.updated_at DESC, p.id
      LIMIT page_size OFFSET page_offset);
    RETURN NEXT;
    RETURN;
  END IF;
  FOR stage IN 1..cardinality(stages) LOOP
    EXIT WHEN before >= total OR cardinality(ids) >= page_size;
    IF titles[stage] IS NOT NULL THEN
      WITH found AS MATERIALIZED (
        SELECT d.id, d.updated_at, d.title FROM search_documents d
        WHERE d.workspace_id = workspace AND d.published AND d.words @@ stages[stage]
      )
      SELECT (SELECT count(*) FROM found), ARRAY(
        SELECT f.id FROM found f
        ORDER BY CASE
            WHEN titles[stage] IS NULL THEN NULL
            WHEN f.title = titles[stage] THEN 0
            WHEN starts_with(f.title, titles[stage] || ' ') THEN 1
            WHEN strpos(f.title || ' ', ' ' || titles[stage] || ' ') > 0 THEN 2
            WHEN starts_with(f.title, titles[stage]) THEN 3
            WHEN strpos(f.title, ' ' || titles[stage]) > 0 THEN 4
            ELSE 5
          END, length(f.title), f.updated_at DESC, f.id
        LIMIT page_size - cardinality(ids) OFFSET greatest(page_offset - before, 0)
      ) INTO here, part;
    ELSE
      WITH found AS MATERIALIZED (
        SELECT d.id, d.updated_at FROM search_documents d
        WHERE d.workspace_id = workspace AND d.published AND d.words @@ stages[stage]
      ), paired AS MATERIALIZED (
        SELECT d.id FROM search_documents d
        WHERE (SELECT count(*) FROM found) > ranked_most AND d.workspace_id = workspace AND d.published
          AND d.words @@ (stages[stage] && pairs[stage])
      ), candidates AS MATERIALIZED (
        SELECT f.id FROM found f
        ORDER BY f.id IN (SELECT p.id FROM paired p) DESC, f.updated_at DESC, f.id LIMIT ranked_most
      ), ranked AS MATERIALIZED (
        SELECT w.id, w.updated_at, w.words @@ phrases[stage] AS phrase,
          ts_rank_cd('{0.1, 0.2, 0.4, 1}', w.words, near[stage]) AS closeness
        FROM (
          SELECT d.id, d.updated_at, setweight(d.words, 'A', '{}'::text[]) AS words
          FROM candidates c JOIN search_documents d ON d.workspace_id = workspace AND d.id = c.id
          OFFSET 0
        ) w
      )
      SELECT (SELECT count(*) FROM found), ARRAY(
        SELECT o.id FROM (
          SELECT r.id, r.updated_at, true AS is_ranked, r.phrase, r.closeness FROM ranked r
          UNION ALL
          -- "NOT IN" is looked up in a table of hashes; for a join the planner takes a handful of rows and compares all with all.
          SELECT f.id, f.updated_at, false, NULL, NULL FROM found f WHERE f.id NOT IN (SELECT c.id FROM candidates c)
        ) o
        ORDER BY o.is_ranked DESC, o.phrase DESC, o.closeness DESC, o.updated_at DESC, o.id
        LIMIT page_size - cardinality(ids) OFFSET greatest(page_offset - before, 0)
      ) INTO here, part;
    END IF;
    ids := ids || part;
    before := before + here;
  END LOOP;
  RETURN NEXT;
END
$$;
REVOKE EXECUTE ON FUNCTION search_filter(tsquery) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION search_counts(tsquery[], integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION search_rank(tsquery, tsquery[], tsquery[], tsquery[], tsquery[], text[], integer, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_filter(tsquery) TO kb_tenant;
GRANT EXECUTE ON FUNCTION search_counts(tsquery[], integer) TO kb_tenant;
GRANT EXECUTE ON FUNCTION search_rank(tsquery, tsquery[], tsquery[], tsquery[], tsquery[], text[], integer, bigint) TO kb_tenant;
