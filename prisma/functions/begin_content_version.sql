CREATE OR REPLACE FUNCTION begin_content_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO content_versions (workspace_id) VALUES (NEW.id);
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER begin_content_version AFTER INSERT ON workspaces
  FOR EACH ROW EXECUTE FUNCTION begin_content_version();
