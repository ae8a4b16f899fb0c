-- What readers see of a workspace has a version. It changes with the transaction that changes anything of it, so whoever
-- has kept something made of version 7 may use it as long as the version is 7: no page and no number is ever stale,
-- whichever server has kept it.

-- The triggers take a dozen tables one after the other and hold them until the end: each is waited for so briefly that none
-- is held for two seconds, and the migration is tried again.
SET LOCAL lock_timeout = '150ms';

CREATE TABLE content_versions (
  workspace_id uuid PRIMARY KEY DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  version      bigint NOT NULL DEFAULT 1
);
ALTER TABLE content_versions ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON content_versions TO kb_tenant USING (workspace_id = current_setting('app.workspace_id')::uuid)
  WITH CHECK (workspace_id = current_setting('app.workspace_id')::uuid);
GRANT SELECT, UPDATE (version) ON content_versions TO kb_tenant;
INSERT INTO content_versions (workspace_id) SELECT id FROM workspaces;

CREATE FUNCTION begin_content_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO content_versions (workspace_id) VALUES (NEW.id);
  RETURN NULL;
END
$$;
CREATE TRIGGER begin_content_version AFTER INSERT ON workspaces FOR EACH ROW EXECUTE FUNCTION begin_content_version();

-- Once a transaction, and at its end: the row is locked only while the transaction commits, and never before a lock that
-- somebody else may wait with. So commits of one workspace queue, and those of different ones do not.
CREATE FUNCTION change_content_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid;
BEGIN
  IF TG_TABLE_NAME = 'workspaces' THEN
    workspace := NEW.id;
  ELSE
    workspace := coalesce(NEW.workspace_id, OLD.workspace_id);
  END IF;
  IF current_setting('app.content_changed', true) = workspace::text THEN
    RETURN NULL;
  END IF;
  UPDATE content_versions SET version = version + 1 WHERE workspace_id = workspace;
  PERFORM set_config('app.content_changed', workspace::text, true);
  RETURN NULL;
END
$$;

DO $$
DECLARE
  -- Each table, and when a change of it can be seen: not by counted views, nor by what a draft is saved as.
  seen CONSTANT text[] := ARRAY[
    ['workspaces', 'UPDATE OF subdomain, name, language, time_zone, visibility, accent_color, logo_upload_id, feedback_enabled, delete_after'],
    ['members', 'UPDATE OF first_name, last_name, picture_upload_id'],
    ['categories', 'INSERT OR UPDATE OR DELETE'],
    ['articles', 'INSERT OR DELETE OR UPDATE OF permalink, slug, category_id, sequence, author_id, state, title, published_at, created_at, updated_at'],
    ['article_live', 'INSERT OR UPDATE OR DELETE'],
    ['tags', 'UPDATE OR DELETE'],
    ['article_tags', 'INSERT OR UPDATE OR DELETE'],
    ['article_attachments', 'INSERT OR UPDATE OR DELETE'],
    ['related_articles', 'INSERT OR UPDATE OR DELETE'],
    ['redirects', 'INSERT OR UPDATE OR DELETE'],
    ['uploads', 'UPDATE OF filename, content_type, byte_size, width, height']
  ];
BEGIN
  FOR place IN 1..array_length(seen, 1) LOOP
    EXECUTE format('CREATE CONSTRAINT TRIGGER change_content_version AFTER %s ON %I DEFERRABLE INITIALLY DEFERRED '
      'FOR EACH ROW EXECUTE FUNCTION change_content_version()', seen[place][2], seen[place][1]);
  END LOOP;
END
$$;
-- Of what can be searched, only what readers find: drafts have documents too.
CREATE CONSTRAINT TRIGGER add_content_version AFTER INSERT ON search_documents DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.published) EXECUTE FUNCTION change_content_version();
CREATE CONSTRAINT TRIGGER change_content_version AFTER UPDATE ON search_documents DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.published OR NEW.published) EXECUTE FUNCTION change_content_version();
CREATE CONSTRAINT TRIGGER remove_content_version AFTER DELETE ON search_documents DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.published) EXECUTE FUNCTION change_content_version();

-- Searches of readers leave out what is not for them: "hidden" are the categories whose articles they may not see
-- (lib/visibility.ts). Mostly there are none, and the planner strikes the condition out.
DROP FUNCTION search_counts(tsquery[], integer);
DROP FUNCTION search_rank(tsquery, tsquery[], tsquery[], tsquery[], tsquery[], text[], integer, bigint);

-- How many published articles each of some queries finds, counted up to a bound.
CREATE FUNCTION search_counts(queries tsquery[], most integer, hidden uuid[]) RETURNS TABLE (query integer, found bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
  all_open CONSTANT boolean := cardinality(hidden) = 0;
BEGIN
  FOR number IN 1..cardinality(queries) LOOP
    RETURN QUERY SELECT number, count(*) FROM (
      SELECT FROM search_documents d WHERE d.workspace_id = workspace AND d.published AND d.words @@ queries[number]
        AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
      LIMIT most
    ) few;
  END LOOP;
END
$$;

-- Published articles by relevance: one page of their ids, and the true total.
-- A search is a list of stages: queries without an article in common, the best first (lib/search/query.ts). A stage with a
-- title is ordered by that alone: equal, begins with it, holds it in this order, whole words before beginnings, then the
-- shorter one. Another is ordered by phrase, then by how close the words stand, which means reading the words of each
-- article. Either way the order is total: date, then id.
--
-- A total that the asker has kept since the content was of the version it names is not counted again. Otherwise
-- the total is counted on narrow rows: the words lie aside and need no second look, since a GIN index is exact for
-- queries without labels and phrases. Of up to 400 articles each is read, and told its stage: one walk through the index.
-- Of more, the stages are looked up one after the other until the page is full, so that a word that a third of all articles
-- have costs a count and the articles whose title has it. Where a stage without a title has more than 300, those are
-- ranked that have the words side by side (pairs of neighbours are words of their own), then the newest; the rest follow
-- by date. Nothing is put by on the way: of 90,000 articles, the best 30 are picked as they come from the index, which
-- takes a third of the time of a list that is then counted and sorted.
-- The place of a title is written out twice, because PostgreSQL would call a function of ours for each row.
-- "setweight" of no words is a copy: what lies aside is read once for all that is asked of it.
CREATE FUNCTION search_rank(wanted tsquery, stages tsquery[], near tsquery[], phrases tsquery[], pairs tsquery[],
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
      part := ARRAY(
        SELECT d.id FROM search_documents d
        WHERE d.workspace_id = workspace AND d.published AND d.words @@ stages[stage]
          AND (all_open OR d.id NOT IN (SELECT a.id FROM articles a WHERE a.workspace_id = workspace AND a.category_id = ANY(hidden)))
        ORDER BY CASE strpos(' ' || d.title || ' ', whole)
            WHEN 0 THEN CASE strpos(' ' || d.title, begun) WHEN 0 THEN 5 WHEN 1 THEN 3 ELSE 4 END
            WHEN 1 THEN CASE WHEN d.title = asked THEN 0 ELSE 1 END
            ELSE 2
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
REVOKE EXECUTE ON FUNCTION search_counts(tsquery[], integer, uuid[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION search_rank(tsquery, tsquery[], tsquery[], tsquery[], tsquery[], text[], uuid[], bigint, bigint, integer, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_counts(tsquery[], integer, uuid[]) TO kb_tenant;
GRANT EXECUTE ON FUNCTION search_rank(tsquery, tsquery[], tsquery[], tsquery[], tsquery[], text[], uuid[], bigint, bigint, integer, bigint) TO kb_tenant;
