-- Published articles that have some of a search's words, best first, at most "most".
--
-- Articles of "wholes" have all words. They come before the others, except those whose words are apart and whose score is below
-- 85% of the best. A title that is exactly the text comes first, then titles that begin with it, then titles that contain it, then
-- the rest. Then the score decides. It is Okapi BM25 over fields: the title counts for more than the text, "beside" finds words that
-- only description, slug, category or keywords have, and "forms" finds other forms of a word, which count less. To that score
-- is added the weight of words that are neighbors in search and article, more in the title. The factors are measured with
-- "npm run bench -- search-quality". Articles with less than half the weight of the best of the others are left out.
--
-- "own", "beside", "needs", "forms", "beginnings", "titles" and "weights" have an entry for each word. "beginnings" finds longer words that
-- begin with it, which count where an article of "wholes" has neither the word nor a form. Where an entry of "needs" is set, only
-- articles that match it have the word itself. Articles of "leave_out" and of the categories "hidden" are left out.
--
-- The function scores "wholes" and at most "scored" others. The first "drivers" of "clues" find articles with a rare word. If these
-- are few, "levels" find articles with several common words: each level matches more articles than the one before it, and the last
-- that at most "room" articles match is used. If that is too many to score, the other clues sort the likely best by the
-- index alone. "clue_words" and "level_words" have the words that a match has at least, as a set of bits, and "reaches" the
-- weight of each such set. Those that are not scored come last, in that order. If nothing is found, the newest articles of the first
-- level are scored. The length of an article is the stored size of its words.
--
-- cpu_tuple_cost tells the planner that reading an article's words costs more than reading an index for many words. No words go
-- through a window function, which would write them to disk.
DROP FUNCTION IF EXISTS search_some;
CREATE FUNCTION search_some(clues tsquery[], clue_weights real[], clue_words integer[], drivers integer, levels tsquery[],
  level_weights real[], level_words integer[], room integer, reaches real[], scored integer, wholes uuid[], exact text, phrases tsquery[], own tsquery[], beside tsquery[], needs tsquery[], forms tsquery[],
  beginnings tsquery[], titles tsquery[], weights real[], pairs tsquery[], pair_texts text[], pair_weights real[], leave_out uuid[],
  hidden uuid[], most integer)
RETURNS TABLE (id uuid, score real)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off
SET enable_indexscan = off SET cpu_tuple_cost = 0.1
SET max_parallel_workers_per_gather = 0 AS $$
#variable_conflict use_column
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
  all_open CONSTANT boolean := cardinality(hidden) = 0;
  k1 CONSTANT real := 1.25;
  b CONSTANT real := 0.75;
  -- ts_rank makes of n occurrences (1 + 1/4 + 1/9 + … + 1/n²) / 1.645 of the weight, from which n can be had back.
  basel CONSTANT real := 1.644934;
  one CONSTANT real := 1 / 1.644934;
  -- Labels D to A: category and keywords, slug and description, text, title.
  in_text CONSTANT real[] := '{0, 0, 0.6, 1}';
  in_beside CONSTANT real[] := '{0.2, 0.3, 0, 0}';
  in_forms CONSTANT real[] := '{0.3, 0.4, 0.2, 1}';
  weight CONSTANT real := (SELECT sum(w) FROM unnest(weights) w);
  candidates uuid[] := '{}';
  sizes integer[] := '{}';
  -- The weight of the clue or level that found the candidate.
  found_weights real[] := '{}';
  -- The words that it is about.
  found_words integer[] := '{}';
  found uuid[];
  found_sizes integer[];
  wanted tsquery;
  average_size real;
  -- The most articles that are sorted by the index alone. Their average length does not depend on how many are scored.
  likely CONSTANT integer := 150;
  -- Those that come last.
  others uuid[] := '{}';
  listed integer;
BEGIN
  FOR i IN 1..drivers LOOP
    wanted := CASE WHEN i = 1 THEN clues[i] ELSE wanted || clues[i] END;
  END LOOP;
  -- One statement, because planning one takes longer than looking up a rare word.
  IF drivers > 0 THEN
    SELECT array_agg(f.id), array_agg(f.size), array_agg(clue_weights[i]), array_agg(clue_words[i])
    INTO found, found_sizes, found_weights, found_words
    FROM generate_series(1, drivers) i CROSS JOIN LATERAL (
      SELECT d.id, pg_column_size(d.words) AS size FROM search_documents d
      WHERE d.workspace_id = workspace AND d.published AND d.words @@ clues[i] AND d.id <> ALL(leave_out)
        AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
    ) f;
    IF found IS NOT NULL THEN
      candidates := found;
      sizes := found_sizes;
    ELSE
      found_weights := '{}';
      found_words := '{}';
    END IF;
  END IF;
  FOR i IN 1..cardinality(levels) LOOP
    EXIT WHEN cardinality(candidates) >= 2 * likely;
    SELECT array_agg(l.id), array_agg(l.size) INTO found, found_sizes FROM (
      SELECT d.id, pg_column_size(d.words) AS size FROM search_documents d
      WHERE d.workspace_id = workspace AND d.published AND d.words @@ levels[i] AND d.id <> ALL(leave_out)
        AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
      LIMIT room + 1
    ) l;
    EXIT WHEN cardinality(found) > room;
    CONTINUE WHEN found IS NULL;
    IF drivers = 0 THEN
      wanted := levels[i];
    END IF;
    candidates := candidates || found;
    sizes := sizes || found_sizes;
    found_weights := found_weights || array_fill(level_weights[i], ARRAY[cardinality(found)]);
    found_words := found_words || array_fill(level_words[i], ARRAY[cardinality(found)]);
  END LOOP;
  IF cardinality(candidates) > scored THEN
    SELECT array_agg(l.id), avg(l.size), array_agg(l.id) FILTER (WHERE l.reached >= 0.5 * l.most_reached)
    INTO candidates, average_size, others FROM (
      SELECT c.id, c.size, reaches[1 + bit_or(c.words)] AS reached, max(reaches[1 + bit_or(c.words)]) OVER () AS most_reached FROM (
        SELECT o.*, avg(o.size) OVER () AS average_size FROM (
          SELECT u.* FROM unnest(candidates, found_weights, found_words, sizes) u (id, weight, words, size)
          UNION ALL
          SELECT f.id, clue_weights[i], clue_words[i], f.size
          FROM generate_series(drivers + 1, cardinality(clues)) i CROSS JOIN LATERAL (
            SELECT d.id, pg_column_size(d.words) AS size FROM search_documents d
            WHERE d.workspace_id = workspace AND d.published AND d.words @@ (clues[i] && wanted) AND d.id <> ALL(leave_out)
              AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
          ) f
        ) o
      ) c
      WHERE c.id <> ALL(wholes)
      GROUP BY c.id, c.size, c.average_size
      ORDER BY sum(c.weight) / (1 + k1 * (1 - b + b * c.size / c.average_size)) DESC, c.id LIMIT likely
    ) l;
    others := ARRAY(SELECT o FROM unnest(others) o WHERE o <> ALL(candidates[1:scored]));
    candidates := candidates[1:scored];
  -- All words are common, so score the newest of the articles that have most of them.
  ELSIF cardinality(candidates) + cardinality(wholes) = 0 AND cardinality(levels) > 0 THEN
    candidates := ARRAY(
      SELECT d.id FROM search_documents d
      WHERE d.workspace_id = workspace AND d.published AND d.words @@ levels[1] AND d.id <> ALL(leave_out)
        AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
      ORDER BY d.updated_at DESC, d.id LIMIT likely);
  END IF;
  candidates := wholes || candidates;
  IF average_size IS NULL THEN
    SELECT avg(pg_column_size(d.words)) INTO average_size FROM search_documents d
    WHERE d.workspace_id = workspace AND d.id = ANY(candidates);
  END IF;
  -- Planning the statement below costs more than looking for the partition. The setting ends with the function.
  PERFORM set_config('plan_cache_mode', 'force_generic_plan', true);
  RETURN QUERY
  SELECT l.id, l.score::real FROM (
    SELECT s.*, s.is_whole AND (s.neighbors > 0 OR s.score >= 0.85 * max(s.score) OVER ()) AS is_first,
      row_number() OVER (PARTITION BY s.is_whole ORDER BY s.in_title, s.score DESC, s.updated_at DESC, s.id) AS place
    FROM (
      SELECT m.*, max(m.reached) FILTER (WHERE NOT m.is_whole) OVER () AS most_reached
      FROM (
        SELECT w.id, w.updated_at, w.is_whole, w.neighbors, t.reached,
          CASE WHEN w.title = exact THEN 0 ELSE CASE strpos(' ' || w.title || ' ', ' ' || exact || ' ') WHEN 0 THEN 3 WHEN 1 THEN 1 ELSE 2 END END AS in_title,
          t.score * power(t.covered / weight, 0.2) * (1 + 0.4 * t.titled / weight)
          + (0.25 + 0.15 * weight) * w.neighbors ^ 2
          + coalesce((SELECT sum(pair_weights[i] * CASE WHEN strpos(' ' || w.title || ' ', pair_texts[i]) > 0 THEN 1.6 ELSE 0.75 END)
              FROM generate_subscripts(pairs, 1) i WHERE w.words @@ pairs[i]), 0) AS score
        FROM (
          SELECT r.id, r.updated_at, r.title, r.words, r.id = ANY(wholes) AS is_whole,
            CASE WHEN r.id = ANY(wholes) THEN
              coalesce((SELECT max((numnode(p) - 1) / 2) FROM unnest(phrases) p WHERE r.words @@ p), 0) ELSE 0 END AS neighbors,
            1 - b + b * r.size / average_size AS relative_length
          FROM (
            SELECT d.id, d.updated_at, d.title, d.size, setweight(d.words, 'A', '{}'::text[]) AS words
            FROM (
              SELECT k.id, k.updated_at, k.title, k.words, pg_column_size(k.words) AS size FROM search_documents k
              WHERE k.workspace_id = workspace AND k.id = ANY(candidates) OFFSET 0
            ) d
            OFFSET 0
          ) r
          OFFSET 0
        ) w
        CROSS JOIN LATERAL (
          SELECT coalesce(sum(weights[f.i] * f.times * (k1 + 1) / (f.times + k1 * w.relative_length)), 0) AS score,
            coalesce(sum(weights[f.i] * f.share), 0) AS covered, coalesce(sum(weights[f.i]), 0) AS reached,
            coalesce(sum(weights[f.i]) FILTER (WHERE w.words @@ titles[f.i]), 0) AS titled
          FROM (
            SELECT o.i, CASE WHEN o.times > 0 OR o.forms > 0 THEN o.times + o.forms ELSE
                0.5 * ts_rank(in_forms, w.words, beginnings[o.i]) * (numnode(beginnings[o.i]) + 1) / 2 / (0.2 * one) END AS times,
              CASE WHEN o.times > 0 THEN 1 ELSE 0.35 END AS share
            FROM (
              SELECT i, CASE WHEN needs[i] IS NULL OR w.words @@ needs[i] THEN
                  1 / (basel * (1 - least(0.94, ts_rank(in_text, w.words, own[i]) * (numnode(own[i]) + 1) / 2 / 0.6))) - 1 / basel
                    + ts_rank(in_beside, w.words, beside[i]) * (numnode(beside[i]) + 1) / 2 / one * 10
                  ELSE 0 END AS times,
                coalesce(0.5 * ts_rank(in_forms, w.words, forms[i]) * (numnode(forms[i]) + 1) / 2 / (0.2 * one), 0) AS forms
              FROM generate_subscripts(own, 1) i
              OFFSET 0
            ) o
            WHERE o.times > 0 OR o.forms > 0 OR w.is_whole
            OFFSET 0
          ) f
        ) t
        OFFSET 0
      ) m
    ) s
    WHERE s.is_whole OR s.reached >= 0.5 * s.most_reached
  ) l
  WHERE l.is_whole OR l.place <= most - cardinality(wholes)
  ORDER BY l.is_first DESC, l.in_title, l.score DESC, l.updated_at DESC, l.id
  LIMIT most;
  GET DIAGNOSTICS listed = ROW_COUNT;
  IF listed < most THEN
    RETURN QUERY SELECT o.id, 0::real FROM unnest(others) WITH ORDINALITY o (id, place) ORDER BY o.place LIMIT most - listed;
  END IF;
END
$$;
REVOKE EXECUTE ON FUNCTION search_some FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_some TO kb_tenant;
