-- Tags, attachments and related articles of a draft are saved every few seconds. Readers see only those that are live, so
-- only those change what they see.

SET LOCAL lock_timeout = '150ms';

DO $$
DECLARE
  part CONSTANT text[] := ARRAY[
    ['article_tags', 'tag_id'],
    ['article_attachments', 'upload_id'],
    ['related_articles', 'related_id']
  ];
BEGIN
  FOR place IN 1..array_length(part, 1) LOOP
    EXECUTE format('DROP TRIGGER change_content_version ON %I', part[place][1]);
    EXECUTE format('CREATE CONSTRAINT TRIGGER add_content_version AFTER INSERT ON %I DEFERRABLE INITIALLY DEFERRED '
      'FOR EACH ROW WHEN (NEW.in_live) EXECUTE FUNCTION change_content_version()', part[place][1]);
    EXECUTE format('CREATE CONSTRAINT TRIGGER change_content_version AFTER UPDATE OF workspace_id, article_id, %I, position, in_live '
      'ON %I DEFERRABLE INITIALLY DEFERRED '
      'FOR EACH ROW WHEN (OLD.in_live OR NEW.in_live) EXECUTE FUNCTION change_content_version()', part[place][2], part[place][1]);
    EXECUTE format('CREATE CONSTRAINT TRIGGER remove_content_version AFTER DELETE ON %I DEFERRABLE INITIALLY DEFERRED '
      'FOR EACH ROW WHEN (OLD.in_live) EXECUTE FUNCTION change_content_version()', part[place][1]);
  END LOOP;
END
$$;
