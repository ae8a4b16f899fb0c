-- Raises the content version of a workspace. It runs once per transaction, at its end: the row is locked only while the
-- transaction commits, and never before a lock that another writer may wait for. Triggers with an argument raise the version of
-- what only members and their keys see.

-- Creating the triggers locks a dozen tables until the end, so the wait for each is limited.
SET LOCAL lock_timeout = '150ms';

CREATE OR REPLACE FUNCTION change_content_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  workspace uuid;
  kind CONSTANT text := coalesce(TG_ARGV[0], 'content');
BEGIN
  IF TG_TABLE_NAME = 'workspaces' THEN
    workspace := NEW.id;
  ELSE
    workspace := coalesce(NEW.workspace_id, OLD.workspace_id);
  END IF;
  IF current_setting('app.' || kind || '_changed', true) = workspace::text THEN
    RETURN NULL;
  END IF;
  IF kind = 'drafts' THEN
    UPDATE content_versions SET drafts = drafts + 1 WHERE workspace_id = workspace;
  ELSE
    UPDATE content_versions SET version = version + 1 WHERE workspace_id = workspace;
  END IF;
  PERFORM set_config('app.' || kind || '_changed', workspace::text, true);
  RETURN NULL;
END
$$;

DO $$
DECLARE
  item record;
BEGIN
  FOR item IN
    SELECT tgname, tgrelid::regclass AS owner FROM pg_trigger
    WHERE tgfoid = 'change_content_version()'::regprocedure AND tgparentid = 0
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', item.tgname, item.owner);
  END LOOP;

  FOR item IN
    SELECT * FROM (VALUES
      ('workspaces', 'UPDATE OF subdomain, name, language, time_zone, visibility, accent_color, logo_upload_id, feedback_enabled, home_headline, home_text, contact, header_links, delete_after'),
      ('members', 'UPDATE OF first_name, last_name, picture_upload_id'),
      ('categories', 'INSERT OR UPDATE OR DELETE'),
      ('article_live', 'INSERT OR UPDATE OR DELETE'),
      ('tags', 'UPDATE OR DELETE'),
      ('redirects', 'INSERT OR UPDATE OR DELETE'),
      ('synonyms', 'INSERT OR UPDATE OR DELETE'),
      ('search_pins', 'INSERT OR UPDATE OR DELETE'),
      ('uploads', 'UPDATE OF filename, content_type, byte_size, width, height')
    ) v (owner, event)
  LOOP
    EXECUTE format('CREATE CONSTRAINT TRIGGER change_content_version AFTER %s ON %I DEFERRABLE INITIALLY DEFERRED '
      'FOR EACH ROW EXECUTE FUNCTION change_content_version()', item.event, item.owner);
  END LOOP;

  -- Readers see rows of these tables only where the condition is true. Drafts are saved every few seconds and must not cause
  -- every page to be rendered again.
  FOR item IN
    SELECT * FROM (VALUES
      ('articles', 'state = ''published''',
        'UPDATE OF permalink, slug, category_id, sequence, author_id, state, title, published_at, created_at, updated_at'),
      ('article_tags', 'in_live', 'UPDATE OF workspace_id, article_id, tag_id, position, in_live'),
      ('article_attachments', 'in_live', 'UPDATE OF workspace_id, article_id, upload_id, position, in_live'),
      ('related_articles', 'in_live', 'UPDATE OF workspace_id, article_id, related_id, position, in_live'),
      ('search_documents', 'published', 'UPDATE')
    ) v (owner, seen, event)
  LOOP
    EXECUTE format('CREATE CONSTRAINT TRIGGER add_content_version AFTER INSERT ON %1$I DEFERRABLE INITIALLY DEFERRED '
      'FOR EACH ROW WHEN (NEW.%2$s) EXECUTE FUNCTION change_content_version();'
      'CREATE CONSTRAINT TRIGGER change_content_version AFTER %3$s ON %1$I DEFERRABLE INITIALLY DEFERRED '
      'FOR EACH ROW WHEN (OLD.%2$s OR NEW.%2$s) EXECUTE FUNCTION change_content_version();'
      'CREATE CONSTRAINT TRIGGER remove_content_version AFTER DELETE ON %1$I DEFERRABLE INITIALLY DEFERRED '
      'FOR EACH ROW WHEN (OLD.%2$s) EXECUTE FUNCTION change_content_version()', item.owner, item.seen, item.event);
  END LOOP;

  CREATE CONSTRAINT TRIGGER change_draft_version AFTER UPDATE OF email ON members DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION change_content_version('drafts');
  FOR item IN
    SELECT * FROM (VALUES
      ('articles', 'state = ''draft''',
        'UPDATE OF permalink, slug, category_id, sequence, author_id, state, title, created_at, updated_at'),
      ('article_drafts', 'id IS NOT NULL', 'UPDATE'),
      ('article_tags', 'in_draft', 'UPDATE'),
      ('article_attachments', 'in_draft', 'UPDATE'),
      ('related_articles', 'in_draft', 'UPDATE')
    ) v (owner, seen, event)
  LOOP
    EXECUTE format('CREATE CONSTRAINT TRIGGER add_draft_version AFTER INSERT ON %1$I DEFERRABLE INITIALLY DEFERRED '
      'FOR EACH ROW WHEN (NEW.%2$s) EXECUTE FUNCTION change_content_version(''drafts'');'
      'CREATE CONSTRAINT TRIGGER change_draft_version AFTER %3$s ON %1$I DEFERRABLE INITIALLY DEFERRED '
      'FOR EACH ROW WHEN (OLD.%2$s OR NEW.%2$s) EXECUTE FUNCTION change_content_version(''drafts'');'
      'CREATE CONSTRAINT TRIGGER remove_draft_version AFTER DELETE ON %1$I DEFERRABLE INITIALLY DEFERRED '
      'FOR EACH ROW WHEN (OLD.%2$s) EXECUTE FUNCTION change_content_version(''drafts'')', item.owner, item.seen, item.event);
  END LOOP;
END
$$;
