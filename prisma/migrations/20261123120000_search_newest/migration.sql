-- search_rank as before (20261122030000 and 20261122110000, which say how it works), but for searches that find a good part of a
-- workspace of 100,000 articles.
--
-- One letter: of the titles that begin with it, the shortest come first. The first pages are found by an index in that order
-- (20261123110000), where a sixth of all titles was compared; what it does not fill, and later pages, are looked for as before, in
-- the same order.
--
-- Several words, none of them rare: articles that have them side by side come first, whatever else is ranked, so a page
-- that is full of those needs no others, which took a second walk through half of the articles. Those that are to be ranked are
-- found by search_newest.

-- For looking at articles newest first. Like the index of letters it begins with an expression that nothing else asks for, or it
-- would be taken in place of the words' own. While it is made nothing is published and no draft is saved: 0.7 s for a million of
-- all workspaces together.
CREATE INDEX search_documents_newest_idx ON search_documents (uuid_hash(workspace_id), updated_at DESC, id) WHERE published;

-- The newest published articles that have the words, without some; in one of three ways that give the same.
-- Where many have them, the newest are looked at one after the other. The newest hundred say whether that is worth it: where a
-- fifth of them has the words, the first 1,500 are likely to hold 300, and to read the words of so many takes as long as to
-- collect a fifth of 100,000. "the to of" is in 88,000 of those: 4 ms, where collecting them took 25.
-- Where few have what they all must have ("needed", the pairs of neighbours), the words of those few are read: 2 ms, where the
-- index merged all that have each word in 5.
-- Else all that have the words are collected from the index, and the newest picked from them.
CREATE FUNCTION search_newest(wanted tsquery, needed tsquery, without uuid[], hidden uuid[], expected bigint, most integer) RETURNS uuid[]
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
  all_open CONSTANT boolean := cardinality(hidden) = 0;
  -- Of fewer, all are collected as fast.
  many CONSTANT integer := 10000;
  looked_at CONSTANT integer := 100;
  walked CONSTANT integer := 1500;
  has_it integer := 0;
  found uuid[];
BEGIN
  IF expected >= many THEN
    SELECT count(*) FILTER (WHERE n.words @@ wanted) INTO has_it FROM (
      SELECT d.words FROM search_documents d
      WHERE d.workspace_id = workspace AND d.published AND uuid_hash(d.workspace_id) = uuid_hash(workspace)
      ORDER BY d.updated_at DESC, d.id LIMIT looked_at
    ) n;
    IF has_it >= looked_at / 5 THEN
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
  IF needed IS NOT NULL AND has_it = 0 THEN
    -- Without the bound inside, which had the planner look through articles in place of the index.
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
REVOKE EXECUTE ON FUNCTION search_newest(tsquery, tsquery, uuid[], uuid[], bigint, integer) FROM PUBLIC;

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
  -- Up to so many of one letter are looked for among twice as many titles.
  letter_most CONSTANT integer := 200;
  -- Articles of the stages so far, and of this one.
  before bigint := 0;
  here bigint;
  -- What the page still wants of this stage, after so many of it.
  missing bigint;
  skipped bigint;
  -- Those of it that belong on the page; those that have the words side by side, and all that are ranked.
  part uuid[];
  side_by_side uuid[];
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
      part := '{}';
      IF begins_only AND stage = 2 AND length(asked) = 1 AND skipped + missing <= letter_most THEN
        -- The beginning of the very order below: of the titles that begin so, those that the stage has. Their own words say so
        -- (a title may have the letter as a part of a word, and be of the stage before), each looked up by its key: OFFSET 0
        -- keeps the planner from asking the words' index, which would give tens of thousands.
        part := ARRAY(
          SELECT c.id FROM (
            SELECT d.id, length(d.title) AS length, d.updated_at FROM search_documents d
            WHERE d.workspace_id = workspace AND d.published AND left(d.title, 1) || d.workspace_id::text = asked || workspace::text
            ORDER BY length(d.title), d.updated_at DESC, d.id LIMIT 2 * letter_most
          ) c CROSS JOIN LATERAL (
            SELECT w.words FROM search_documents w WHERE w.workspace_id = workspace AND w.id = c.id OFFSET 0
          ) w
          WHERE w.words @@ stages[stage]
            AND (all_open OR c.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
          ORDER BY c.length, c.updated_at DESC, c.id
          LIMIT missing OFFSET skipped);
      END IF;
      IF cardinality(part) < missing THEN
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
      END IF;
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
      side_by_side := '{}';
      IF pairs[stage] IS NOT NULL THEN
        side_by_side := search_newest(stages[stage] && pairs[stage], pairs[stage], '{}', hidden, total, ranked_most);
      END IF;
      candidates := side_by_side;
      IF cardinality(candidates) < least(skipped + missing, ranked_most) THEN
        candidates := candidates
          || search_newest(stages[stage], NULL, candidates, hidden, total, ranked_most - cardinality(candidates));
      END IF;
      ids := ids || ARRAY(
        SELECT w.id FROM (
          SELECT d.id, d.updated_at, setweight(d.words, 'A', '{}'::text[]) AS words
          FROM unnest(candidates) c (id) JOIN search_documents d ON d.workspace_id = workspace AND d.id = c.id
          OFFSET 0
        ) w
        ORDER BY w.id = ANY(side_by_side) DESC, w.words @@ phrases[stage] DESC,
          ts_rank_cd('{0.1, 0.2, 0.4, 1}', w.words, near[stage]) DESC, w.updated_at DESC, w.id
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

-- Where no more than some are counted, the planner took an index by which articles can be looked at one by one, of words that
-- many have: 100 ms, where their entry in the index takes 3.
ALTER FUNCTION search_counts(tsquery[], integer, uuid[]) SET enable_indexscan = off;
