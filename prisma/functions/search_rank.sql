-- Published articles by relevance: the ids of one page, the total, and the version of the content they are true for.
-- Articles in the categories "hidden" are left out, and so are the articles "without", which come before all others
-- (lib/search/first.ts).
--
-- A search is a list of stages (lib/search/query.ts): queries that share no article, the best first. A stage with a title
-- is ordered by how the title holds the text, then by the title's length; any other by phrase, then by how close the words
-- are. Ties are broken by date, then id.
--
-- "in_title" says whether any match has all words in its title, and "as_typed" whether any has the text as it was typed in title
-- or text. They are only set for up to 400 matches, and then for all of them, so that they are the same on every page.
--
-- The total is not counted when the caller knows it for the current version. Up to 400 matches are read and sorted into
-- their stages in one walk through the index. Of more, the stages are looked up in turn until the page is full. A stage
-- without a title ranks at most 300 articles, those with the words side by side first, then the newest; the rest follow
-- by date.
--
-- New articles wait in a list before they enter the index of words (migration search_index_batches). The longer the list, the more
-- expensive the index seems. Without enable_indexscan = off and cpu_tuple_cost, the planner would read all articles instead. Statements
-- that need another index set both back to their defaults.
--
-- Written out twice: the place of a title, because PostgreSQL would call a function for each row. A copy: setweight(…, '{}')
-- reads words that lie outside the row once for all that is computed from them.
DROP FUNCTION IF EXISTS search_rank;
CREATE FUNCTION search_rank(wanted tsquery, stages tsquery[], near tsquery[], phrases tsquery[], pairs tsquery[],
  titles text[], hidden uuid[], without uuid[], known_version bigint, known_total bigint, page_size integer, page_offset bigint)
RETURNS TABLE (total bigint, ids uuid[], version bigint, in_title boolean, as_typed boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off
SET enable_indexscan = off SET cpu_tuple_cost = 0.1 AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
  all_open CONSTANT boolean := cardinality(hidden) = 0;
  all_wanted CONSTANT boolean := cardinality(without) = 0;
  read_whole CONSTANT integer := 400;
  ranked_most CONSTANT integer := 300;
  letter_most CONSTANT integer := 200;
  -- Articles of earlier stages, and of this one.
  before bigint := 0;
  here bigint;
  -- The page still needs "missing" articles of this stage, after "skipped".
  missing bigint;
  skipped bigint;
  -- Rows of the matches, which stay where they are for a snapshot.
  matches tid[];
  part uuid[];
  side_by_side uuid[];
  candidates uuid[];
  -- The text of a stage with a title; at the start of a word; as whole words.
  term text;
  term_begins text;
  term_whole text;
  -- The stage before took the titles with the text as whole words.
  begins_only boolean;
BEGIN
  ids := '{}';
  -- A transaction that writes has content without a version.
  IF current_setting('transaction_read_only')::boolean THEN
    SELECT v.version INTO version FROM content_versions v WHERE v.workspace_id = workspace;
  END IF;
  IF version = known_version THEN
    total := known_total;
  ELSE
    -- Several words usually have few matches. Looking these up again takes longer than remembering where they are.
    IF strpos(titles[1], ' ') > 0 THEN
      SELECT count(*), coalesce(array_agg(d.ctid), '{}') INTO total, matches FROM search_documents d
      WHERE d.workspace_id = workspace AND d.published AND d.words @@ wanted
        AND (all_wanted OR d.id <> ALL(without)) AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)));
    ELSE
      SELECT count(*) INTO total FROM search_documents d
      WHERE d.workspace_id = workspace AND d.published AND d.words @@ wanted
        AND (all_wanted OR d.id <> ALL(without)) AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)));
    END IF;
  END IF;
  IF total = 0 THEN
    RETURN NEXT;
    RETURN;
  END IF;
  IF total <= read_whole THEN
    IF matches IS NULL THEN
      matches := ARRAY(
        SELECT d.ctid FROM search_documents d
        WHERE d.workspace_id = workspace AND d.published AND d.words @@ wanted
          AND (all_wanted OR d.id <> ALL(without)) AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden))));
    END IF;
    SELECT array_agg(l.id ORDER BY l.place) FILTER (WHERE l.place > page_offset AND l.place <= page_offset + page_size),
      bool_or(l.in_title), bool_or(l.as_typed)
    INTO ids, in_title, as_typed FROM (
      SELECT p.id, p.place IS NOT NULL AS in_title, coalesce(p.phrase, p.place < 5) AS as_typed, row_number() OVER (ORDER BY p.stage, p.place,
        CASE WHEN p.place IS NOT NULL THEN p.length END, p.phrase DESC, p.closeness DESC, p.updated_at DESC, p.id) AS place
      FROM (
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
          WHERE d.workspace_id = workspace AND d.ctid = ANY(matches)
          OFFSET 0
        ) w
        CROSS JOIN LATERAL (SELECT stage FROM generate_series(1, cardinality(stages)) stage WHERE w.words @@ stages[stage] LIMIT 1) s
        OFFSET 0
      ) p
    ) l;
    ids := coalesce(ids, '{}');
    RETURN NEXT;
    RETURN;
  END IF;
  FOR stage IN 1..cardinality(stages) LOOP
    EXIT WHEN before >= total OR cardinality(ids) >= page_size;
    missing := page_size - cardinality(ids);
    skipped := greatest(page_offset - before, 0);
    IF titles[stage] IS NOT NULL THEN
      term := titles[stage];
      term_begins := ' ' || term;
      term_whole := term_begins || ' ';
      begins_only := stage > 1 AND titles[stage - 1] = term;
      part := '{}';
      IF begins_only AND stage = 2 AND length(term) = 1 AND skipped + missing <= letter_most THEN
        -- One letter: the index of letters has titles in the order below, where half of all titles were compared without it.
        -- Whether a title belongs to this stage is looked up by its key: OFFSET 0 keeps the planner from the index of words.
        PERFORM set_config('enable_indexscan', 'on', true), set_config('cpu_tuple_cost', '0.01', true);
        part := ARRAY(
          SELECT c.id FROM (
            SELECT d.id, length(d.title) AS length, d.updated_at FROM search_documents d
            WHERE d.workspace_id = workspace AND d.published AND left(d.title, 1) || d.workspace_id::text = term || workspace::text
            ORDER BY length(d.title), d.updated_at DESC, d.id LIMIT 2 * letter_most
          ) c CROSS JOIN LATERAL (
            SELECT w.words FROM search_documents w WHERE w.workspace_id = workspace AND w.id = c.id OFFSET 0
          ) w
          WHERE w.words @@ stages[stage]
            AND (all_wanted OR c.id <> ALL(without)) AND (all_open OR c.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
          ORDER BY c.length, c.updated_at DESC, c.id
          LIMIT missing OFFSET skipped);
        PERFORM set_config('enable_indexscan', 'off', true), set_config('cpu_tuple_cost', '0.1', true);
      END IF;
      IF cardinality(part) < missing THEN
        part := ARRAY(
          SELECT d.id FROM search_documents d
          WHERE d.workspace_id = workspace AND d.published AND d.words @@ stages[stage]
            AND (all_wanted OR d.id <> ALL(without)) AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
          ORDER BY CASE
              WHEN begins_only AND starts_with(d.title, term) THEN 3
              WHEN begins_only AND strpos(d.title, term_begins) > 0 THEN 4
              WHEN begins_only THEN 5
              ELSE CASE strpos(' ' || d.title || ' ', term_whole)
                WHEN 0 THEN CASE strpos(' ' || d.title, term_begins) WHEN 0 THEN 5 WHEN 1 THEN 3 ELSE 4 END
                WHEN 1 THEN CASE WHEN d.title = term THEN 0 ELSE 1 END
                ELSE 2
              END
            END, length(d.title), d.updated_at DESC, d.id
          LIMIT missing OFFSET skipped);
      END IF;
      ids := ids || part;
      -- The stage is only counted when the page begins after it.
      IF cardinality(part) = 0 AND skipped > 0 THEN
        SELECT count(*) INTO here FROM search_documents d
        WHERE d.workspace_id = workspace AND d.published AND d.words @@ stages[stage]
          AND (all_wanted OR d.id <> ALL(without)) AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)));
      ELSE
        here := skipped + cardinality(part);
      END IF;
    ELSE
      -- The newest articles and those of a list of ids are found by other indexes.
      PERFORM set_config('enable_indexscan', 'on', true), set_config('cpu_tuple_cost', '0.01', true);
      side_by_side := '{}';
      IF pairs[stage] IS NOT NULL THEN
        side_by_side := search_newest(stages[stage] && pairs[stage], pairs[stage], without, hidden, total, ranked_most);
      END IF;
      candidates := side_by_side;
      IF cardinality(candidates) < least(skipped + missing, ranked_most) THEN
        candidates := candidates
          || search_newest(stages[stage], NULL, without || candidates, hidden, total, ranked_most - cardinality(candidates));
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
      PERFORM set_config('enable_indexscan', 'off', true), set_config('cpu_tuple_cost', '0.1', true);
      here := cardinality(candidates);
      IF here = ranked_most AND cardinality(ids) < page_size THEN
        SELECT count(*) INTO here FROM search_documents d
        WHERE d.workspace_id = workspace AND d.published AND d.words @@ stages[stage]
          AND (all_wanted OR d.id <> ALL(without)) AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)));
        ids := ids || ARRAY(
          SELECT d.id FROM search_documents d
          WHERE d.workspace_id = workspace AND d.published AND d.words @@ stages[stage] AND d.id <> ALL(candidates)
            AND (all_wanted OR d.id <> ALL(without)) AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
          ORDER BY d.updated_at DESC, d.id
          LIMIT page_size - cardinality(ids) OFFSET greatest(skipped - ranked_most, 0));
      END IF;
    END IF;
    before := before + here;
  END LOOP;
  RETURN NEXT;
END
$$;
REVOKE EXECUTE ON FUNCTION search_rank FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_rank TO kb_tenant;
