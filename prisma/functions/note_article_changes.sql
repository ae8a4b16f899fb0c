-- Notes which articles a transaction changed, for GET /changes. Triggers note whole statements. When the transaction ends,
-- its notes get one number while it holds the workspace's row in content_versions, so numbers grow in the order of commits.

SET LOCAL lock_timeout = '150ms';

-- `live` tells whether a change shows on published articles. Of unpublished ones, the API shows the draft.
-- One scan, planned each time. While a table is new, planners join by any index and read every article for each one, so that
-- 10,000 take 10 s.
CREATE OR REPLACE FUNCTION note_articles(workspaces uuid[], ids uuid[], live boolean[]) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  owners CONSTANT uuid[] := ARRAY(SELECT DISTINCT unnest(workspaces));
  seen CONSTANT uuid[] := ARRAY(SELECT x.id FROM unnest(ids, live) x (id, live) WHERE x.live);
BEGIN
  INSERT INTO article_changes AS c (workspace_id, id)
  SELECT a.workspace_id, a.id
  FROM articles a WHERE a.workspace_id = ANY (owners) AND a.id = ANY (ids) AND (a.state = 'draft' OR a.id = ANY (seen))
  ORDER BY a.id
  ON CONFLICT (workspace_id, id) DO UPDATE SET number = NULL, changed_at = now(), deleted = false
  WHERE c.number IS NOT NULL OR c.deleted;
END
$$;

CREATE OR REPLACE FUNCTION note_article_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  workspaces uuid[];
  ids uuid[];
  live boolean[];
BEGIN
  IF TG_TABLE_NAME = 'articles' AND TG_OP = 'UPDATE' THEN
    SELECT array_agg(n.workspace_id), array_agg(n.id), array_agg(true) INTO workspaces, ids, live
    FROM later n JOIN former o ON o.workspace_id = n.workspace_id AND o.id = n.id
    WHERE (n.slug, n.permalink, n.category_id, n.author_id, n.state, n.title, n.updated_at)
      IS DISTINCT FROM (o.slug, o.permalink, o.category_id, o.author_id, o.state, o.title, o.updated_at);
  ELSIF TG_TABLE_NAME <> 'article_tags' THEN
    SELECT array_agg(workspace_id), array_agg(id), array_agg(TG_TABLE_NAME <> 'article_drafts') INTO workspaces, ids, live
    FROM later;
  ELSIF TG_OP = 'INSERT' THEN
    SELECT array_agg(workspace_id), array_agg(article_id), array_agg(in_live) INTO workspaces, ids, live FROM later;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(workspace_id), array_agg(article_id), array_agg(in_live) INTO workspaces, ids, live FROM former;
  ELSE
    SELECT array_agg(n.workspace_id), array_agg(n.article_id), array_agg(n.in_live OR o.in_live) INTO workspaces, ids, live
    FROM later n JOIN former o ON o.workspace_id = n.workspace_id AND o.id = n.id
    WHERE (n.tag_id, n.in_live, n.in_draft) IS DISTINCT FROM (o.tag_id, o.in_live, o.in_draft);
  END IF;
  IF ids IS NOT NULL THEN
    PERFORM note_articles(workspaces, ids, live);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION note_renamed_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_articles(array_agg(workspace_id), array_agg(article_id), array_agg(in_live))
  FROM article_tags WHERE workspace_id = NEW.workspace_id AND tag_id = NEW.id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION note_deleted_articles() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO article_changes AS c (workspace_id, id, deleted)
  SELECT f.workspace_id, f.id, true FROM former f
  -- Not when the whole workspace is deleted.
  WHERE EXISTS (SELECT FROM workspaces w WHERE w.id = f.workspace_id) ORDER BY f.id
  ON CONFLICT (workspace_id, id) DO UPDATE SET number = NULL, changed_at = now(), deleted = true;
  RETURN NULL;
END
$$;

-- For changes that show on many articles. At the end of the transaction, so that no other lock is taken after these rows'.
CREATE OR REPLACE FUNCTION note_articles_below() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid := to_jsonb(NEW) ->> CASE TG_TABLE_NAME WHEN 'workspaces' THEN 'id' ELSE 'workspace_id' END;
  category uuid := CASE TG_TABLE_NAME WHEN 'categories' THEN NEW.id END;
  ids uuid[];
BEGIN
  WITH RECURSIVE below AS (
    SELECT id FROM categories WHERE workspace_id = workspace AND (category IS NULL OR id = category)
    UNION
    SELECT k.id FROM below b JOIN categories k ON k.workspace_id = workspace AND k.parent_id = b.id
  )
  SELECT array_agg(a.id) INTO ids
  FROM below b JOIN articles a ON a.workspace_id = workspace AND a.category_id = b.id;
  IF ids IS NOT NULL THEN
    PERFORM note_articles(array_fill(workspace, ARRAY[cardinality(ids)]), ids, array_fill(true, ARRAY[cardinality(ids)]));
  END IF;
  RETURN NULL;
END
$$;

-- Whether visitors see the articles of a category (lib/visibility.ts).
CREATE OR REPLACE FUNCTION is_open(workspace uuid, category uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  setting text;
  above uuid := category;
BEGIN
  WHILE above IS NOT NULL LOOP
    SELECT visibility, parent_id INTO setting, above FROM categories WHERE workspace_id = workspace AND id = above;
    IF setting = 'members' THEN
      RETURN false;
    END IF;
  END LOOP;
  RETURN setting = 'everyone' OR EXISTS (SELECT FROM workspaces WHERE id = workspace AND visibility = 'everyone');
END
$$;

-- Which of these articles visitors see.
CREATE OR REPLACE FUNCTION public_articles(workspace uuid, ids uuid[]) RETURNS uuid[] LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN ARRAY(
    WITH found AS MATERIALIZED (
      SELECT id, category_id FROM articles WHERE workspace_id = workspace AND id = ANY (ids) AND state = 'published'
    ), used AS MATERIALIZED (SELECT DISTINCT category_id FROM found)
    SELECT f.id FROM used u JOIN found f USING (category_id) WHERE is_open(workspace, u.category_id)
  );
END
$$;

CREATE OR REPLACE FUNCTION number_article_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  known bigint;
  next bigint;
  ids uuid[];
BEGIN
  -- By the primary key: the index of numbers still has every row that this transaction numbered.
  SELECT number INTO known FROM article_changes WHERE workspace_id = NEW.workspace_id AND id = NEW.id;
  IF NOT FOUND OR known IS NOT NULL THEN
    RETURN NULL;
  END IF;
  UPDATE content_versions SET changes = changes + 1 WHERE workspace_id = NEW.workspace_id RETURNING changes INTO next;
  -- A row that stays without a number would call this function again.
  IF next IS NULL THEN
    RETURN NULL;
  END IF;
  -- Other transactions' rows have a number as soon as they can be seen.
  ids := ARRAY(SELECT id FROM article_changes
    WHERE workspace_id = NEW.workspace_id AND number IS NULL AND NOT was_public AND NOT deleted);
  IF cardinality(ids) > 0 THEN
    -- Now, so that it sees every change of visibility with a lower number.
    ids := public_articles(NEW.workspace_id, ids);
  END IF;
  UPDATE article_changes SET number = next, was_public = was_public OR id = ANY (ids)
  WHERE workspace_id = NEW.workspace_id AND number IS NULL;
  RETURN NULL;
END
$$;

DO $$
DECLARE
  item record;
BEGIN
  FOR item IN
    SELECT tgname, tgrelid::regclass AS owner FROM pg_trigger
    WHERE tgfoid IN ('note_article_changes()'::regprocedure, 'note_renamed_tag()'::regprocedure,
      'note_deleted_articles()'::regprocedure, 'note_articles_below()'::regprocedure, 'number_article_changes()'::regprocedure)
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', item.tgname, item.owner);
  END LOOP;

  FOR item IN SELECT unnest(ARRAY['articles', 'article_live', 'article_drafts', 'article_tags']) AS owner LOOP
    EXECUTE format('CREATE TRIGGER note_added AFTER INSERT ON %1$I REFERENCING NEW TABLE AS later '
      'FOR EACH STATEMENT EXECUTE FUNCTION note_article_changes();'
      'CREATE TRIGGER note_changed AFTER UPDATE ON %1$I REFERENCING OLD TABLE AS former NEW TABLE AS later '
      'FOR EACH STATEMENT EXECUTE FUNCTION note_article_changes()', item.owner);
  END LOOP;
  CREATE TRIGGER note_removed AFTER DELETE ON article_tags REFERENCING OLD TABLE AS former
    FOR EACH STATEMENT EXECUTE FUNCTION note_article_changes();
  CREATE TRIGGER note_removed AFTER DELETE ON articles REFERENCING OLD TABLE AS former
    FOR EACH STATEMENT EXECUTE FUNCTION note_deleted_articles();
  CREATE TRIGGER note_renamed AFTER UPDATE OF name ON tags
    FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION note_renamed_tag();

  CREATE CONSTRAINT TRIGGER note_articles_below AFTER UPDATE OF name, parent_id, visibility ON categories
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN ((OLD.name, OLD.parent_id, OLD.visibility) IS DISTINCT FROM (NEW.name, NEW.parent_id, NEW.visibility))
    EXECUTE FUNCTION note_articles_below();
  CREATE CONSTRAINT TRIGGER note_articles_below AFTER UPDATE OF visibility ON workspaces
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.visibility <> NEW.visibility)
    EXECUTE FUNCTION note_articles_below();
  CREATE CONSTRAINT TRIGGER number_article_changes AFTER INSERT OR UPDATE ON article_changes
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.number IS NULL) EXECUTE FUNCTION number_article_changes();
END
$$;
