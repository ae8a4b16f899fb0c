-- search_rank as before (20261122030000, which says how it works), but for the stage of titles that only begin with
-- what was asked. Half of all titles have a word with a given first letter or two, and each was compared in three ways, after
-- being put together anew with a space at both ends; whole words cannot be among them.
CREATE OR REPLACE FUNCTION search_rank(wanted tsquery, stages tsquery[], near tsquery[], phrases tsquery[], pairs tsquery[],
  titles text[], hidden uuid[], known_version bigint, known_total bigint, page_size integer, page_offset bigint)
RETURNS TABLE (total bigint, ids uuid[], version bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
  all_open CONSTANT boolean := cardinality(hidden) = 0;
  read_whole CONSTANT integer := 400;
  ranked_most CONSTANT integer := 300;
  -- Articles of the stages so far, and of this one.
  before bigint := 0;
  here bigint;
  -- What the page still wants of this stage, after so many of it.
  missing bigint;
  skipped bigint;
  -- Those of it that belong on the page; those that are ranked.
  part uuid[];
  candidates uuid[];
  -- The text of a stage with a title: alone, where a word begins, as whole words.
  asked text;
  begun text;
  whole text;
  -- The stage before took the titles that have it as whole words.
  begins_only boolean;
BEGIN
  ids := '{}';
  -- What a transaction has changed itself has no version yet.
  IF current_setting('transaction_read_only')::boolean THEN
    SELECT v.version INTO version FROM content_versions v WHERE v.workspace_id = workspace;
  END IF;
  IF version = known_version THEN
    total := known_total;
  ELSE
    SELECT count(*) INTO total FROM search_documents d
    WHERE d.workspace_id = workspace AND d.published AND d.words @@ wanted
      AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)));
  END IF;
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
            AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
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
    missing := page_size - cardinality(ids);
    skipped := greatest(page_offset - before, 0);
    IF titles[stage] IS NOT NULL THEN
      asked := titles[stage];
      begun := ' ' || asked;
      whole := begun || ' ';
      begins_only := stage > 1 AND titles[stage - 1] = asked;
      part := ARRAY(
        SELECT d.id FROM search_documents d
        WHERE d.workspace_id = workspace AND d.published AND d.words @@ stages[stage]
          AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
        ORDER BY CASE
            WHEN begins_only AND starts_with(d.title, asked) THEN 3
            WHEN begins_only AND strpos(d.title, begun) > 0 THEN 4
            WHEN begins_only THEN 5
            ELSE CASE strpos(' ' || d.title || ' ', whole)
              WHEN 0 THEN CASE strpos(' ' || d.title, begun) WHEN 0 THEN 5 WHEN 1 THEN 3 ELSE 4 END
              WHEN 1 THEN CASE WHEN d.title = asked THEN 0 ELSE 1 END
              ELSE 2
            END
          END, length(d.title), d.updated_at DESC, d.id
        LIMIT missing OFFSET skipped);
      ids := ids || part;
      -- How many the stage has is only asked where all that were wanted of it lie behind them.
      IF cardinality(part) = 0 AND skipped > 0 THEN
        SELECT count(*) INTO here FROM search_documents d
        WHERE d.workspace_id = workspace AND d.published AND d.words @@ stages[stage]
          AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)));
      ELSE
        here := skipped + cardinality(part);
      END IF;
    ELSE
      candidates := '{}';
      IF pairs[stage] IS NOT NULL THEN
        candidates := ARRAY(
          SELECT d.id FROM search_documents d
          WHERE d.workspace_id = workspace AND d.published AND d.words @@ (stages[stage] && pairs[stage])
            AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
          ORDER BY d.updated_at DESC, d.id LIMIT ranked_most);
      END IF;
      IF cardinality(candidates) < ranked_most THEN
        candidates := candidates || ARRAY(
          SELECT d.id FROM search_documents d
          WHERE d.workspace_id = workspace AND d.published AND d.words @@ stages[stage] AND d.id <> ALL(candidates)
            AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
          ORDER BY d.updated_at DESC, d.id LIMIT ranked_most - cardinality(candidates));
      END IF;
      ids := ids || ARRAY(
        SELECT w.id FROM (
          SELECT d.id, d.updated_at, setweight(d.words, 'A', '{}'::text[]) AS words
          FROM unnest(candidates) c (id) JOIN search_documents d ON d.workspace_id = workspace AND d.id = c.id
          OFFSET 0
        ) w
        ORDER BY w.words @@ phrases[stage] DESC, ts_rank_cd('{0.1, 0.2, 0.4, 1}', w.words, near[stage]) DESC, w.updated_at DESC, w.id
        LIMIT missing OFFSET skipped);
      here := cardinality(candidates);
      IF here = ranked_most AND cardinality(ids) < page_size THEN
        SELECT count(*) INTO here FROM search_documents d
        WHERE d.workspace_id = workspace AND d.published AND d.words @@ stages[stage]
          AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)));
        ids := ids || ARRAY(
          SELECT d.id FROM search_documents d
          WHERE d.workspace_id = workspace AND d.published AND d.words @@ stages[stage] AND d.id <> ALL(candidates)
            AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
          ORDER BY d.updated_at DESC, d.id
          LIMIT page_size - cardinality(ids) OFFSET greatest(skipped - ranked_most, 0));
      END IF;
    END IF;
    before := before + here;
  END LOOP;
  RETURN NEXT;
END
$$;

-- Rows are kept narrow by laying their words aside, and titles had gone with them: comparing one cost five blocks where it
-- costs none. Documents that are stored from now on keep theirs in the row, all others after `kb reindex`.
ALTER TABLE search_documents ALTER COLUMN title SET STORAGE MAIN;
DO $$
BEGIN
  FOR remainder IN 0..63 LOOP
    EXECUTE format('ALTER TABLE search_documents_%s ALTER COLUMN title SET STORAGE MAIN', lpad(remainder::text, 2, '0'));
  END LOOP;
END
$$;
