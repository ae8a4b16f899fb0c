-- What the file that an article or category came from said when it was last imported: where that is what it says still, what
-- people made of it here since stays. Null of what was made here.
ALTER TABLE articles ADD COLUMN source_settings jsonb;
ALTER TABLE categories ADD COLUMN source_settings jsonb;

-- Folders of an import whose category is no more: what is new in them goes where the rest of it went, or, where people
-- deleted the category when it was empty, makes it again. Readers see nothing of it.
CREATE TABLE former_folders (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  path         text NOT NULL,
  category_id  uuid,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, category_id) REFERENCES categories (workspace_id, id) ON DELETE SET NULL (category_id)
);
CREATE UNIQUE INDEX former_folders_path_key ON former_folders (workspace_id, path);
CREATE INDEX former_folders_category_id_idx ON former_folders (workspace_id, category_id);

ALTER TABLE former_folders ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON former_folders TO kb_tenant
  USING (workspace_id = current_setting('app.workspace_id')::uuid)
  WITH CHECK (workspace_id = current_setting('app.workspace_id')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON former_folders TO kb_tenant;

-- What a long export has made by the end of a piece, so that the next goes on from there: lib/transfers/work.ts.
ALTER TABLE transfers ADD COLUMN continuation bytea;
