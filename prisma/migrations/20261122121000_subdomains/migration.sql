-- A subdomain that a workspace once had leads to it, and is nobody else's for as long as the workspace is there, whoever
-- changes subdomains, and whatever two do at the same time.
CREATE FUNCTION keep_subdomain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.subdomain = NEW.subdomain THEN
    RETURN NULL;
  END IF;
  -- After the row was written, for which the unique index has waited for whoever was leaving this subdomain.
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
CREATE TRIGGER keep_subdomain AFTER INSERT OR UPDATE OF subdomain ON workspaces
  FOR EACH ROW EXECUTE FUNCTION keep_subdomain();

-- Which workspaces somebody is a member of is asked across them all, by the address alone.
CREATE INDEX members_across_workspaces_idx ON members (email_folded);
