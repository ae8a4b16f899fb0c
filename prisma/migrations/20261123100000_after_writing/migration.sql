-- What follows writing: what was done with many articles can be undone, a publisher says what changes, and links to previews end.

SET LOCAL lock_timeout = '150ms';

-- What articles were before something was done with many of them at once, so that it can be undone for an hour.
CREATE TABLE article_undos (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The same for all that it was done with together.
  batch        uuid NOT NULL,
  -- One that is deleted meanwhile can be brought back, and then undone.
  article_id   uuid NOT NULL,
  deed         text NOT NULL CHECK (deed IN ('published', 'unpublished', 'moved', 'tagged')),
  -- By table, what was there.
  rows         jsonb NOT NULL,
  -- Of the article's row as the deed left it: with another one, somebody has changed it since.
  print        text NOT NULL,
  made_at      timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX article_undos_key ON article_undos (workspace_id, batch, article_id);
CREATE INDEX article_undos_made_at_idx ON article_undos (workspace_id, made_at);
ALTER TABLE article_undos ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON article_undos TO kb_tenant
  USING (workspace_id = current_setting('app.workspace_id')::uuid)
  WITH CHECK (workspace_id = current_setting('app.workspace_id')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON article_undos TO kb_tenant;

-- What whoever published it says that it changes.
ALTER TABLE article_versions ADD COLUMN summary text;

-- How often all links to previews of the article were ended: a link carries the number, and leads nowhere with another one.
ALTER TABLE articles ADD COLUMN previews_ended integer NOT NULL DEFAULT 0;
