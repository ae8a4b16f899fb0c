-- Categories have at most six levels and no cycles. A lock protects the check, because each of two crossing moves would see a
-- tree in which it is allowed. Planned each time: a plan from a nearly empty table reads every category for each new one.
CREATE OR REPLACE FUNCTION categories_check_place() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  above integer;
  below integer := 1;
  is_circle boolean;
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.parent_id IS NOT DISTINCT FROM OLD.parent_id THEN
    RETURN NEW;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('categories ' || NEW.workspace_id, 0));
  WITH RECURSIVE ancestors AS (
    SELECT c.id, c.parent_id, 1 AS level FROM public.categories c
    WHERE c.workspace_id = NEW.workspace_id AND c.id = NEW.parent_id
    UNION ALL
    SELECT c.id, c.parent_id, a.level + 1 FROM ancestors a
    JOIN public.categories c ON c.workspace_id = NEW.workspace_id AND c.id = a.parent_id
    WHERE a.level < 7 AND a.id <> NEW.id
  )
  SELECT count(*), coalesce(bool_or(id = NEW.id), false) INTO above, is_circle FROM ancestors;
  IF is_circle THEN
    RAISE EXCEPTION 'A category cannot stand below itself.'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'categories_not_below_itself', TABLE = 'categories';
  END IF;
  IF TG_OP = 'UPDATE' THEN
    WITH RECURSIVE descendants AS (
      SELECT NEW.id AS id, 1 AS level
      UNION ALL
      SELECT c.id, d.level + 1 FROM descendants d
      JOIN public.categories c ON c.workspace_id = NEW.workspace_id AND c.parent_id = d.id
      WHERE d.level < 7
    )
    SELECT max(level) INTO below FROM descendants;
  END IF;
  IF above + below > 6 THEN
    RAISE EXCEPTION 'Categories have at most six levels.'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'categories_six_levels', TABLE = 'categories';
  END IF;
  RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER categories_check_place BEFORE INSERT OR UPDATE ON categories
  FOR EACH ROW EXECUTE FUNCTION categories_check_place();
