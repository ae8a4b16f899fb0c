-- A former subdomain leads to its workspace, and no other workspace can take it, not even by a simultaneous change.
CREATE OR REPLACE FUNCTION keep_subdomain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.subdomain = NEW.subdomain THEN
    RETURN NULL;
  END IF;
  -- The row is written already, so the unique index has waited for a workspace that was leaving this subdomain.
  IF EXISTS (SELECT FROM former_subdomains f WHERE f.subdomain = NEW.subdomain AND f.workspace_id <> NEW.id) THEN
    RAISE unique_violation USING MESSAGE = 'This subdomain once was that of another workspace.',
      TABLE = 'former_subdomains', CONSTRAINT = 'former_subdomains_pkey';
  END IF;
  DELETE FROM former_subdomains WHERE subdomain = NEW.subdomain;
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO former_subdomains (subdomain, workspace_id) VALUES (OLD.subdomain, NEW.id);
  END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER keep_subdomain AFTER INSERT OR UPDATE OF subdomain ON workspaces
  FOR EACH ROW EXECUTE FUNCTION keep_subdomain();
