-- What insights count (lib/insights): by month what a year of views is too long to be counted for while somebody waits. What
-- is long or locks a table is in the migrations that follow, so that each lock is held for its own work alone.
CREATE TABLE article_view_months (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  article_id   uuid NOT NULL,
  month        date NOT NULL CHECK (extract(day FROM month) = 1),
  views        integer NOT NULL CHECK (views > 0),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX article_view_months_key ON article_view_months (workspace_id, article_id, month);
CREATE INDEX article_view_months_month_idx ON article_view_months (workspace_id, month);

ALTER TABLE article_view_months ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON article_view_months FOR ALL TO kb_tenant
  USING (workspace_id = current_setting('app.workspace_id')::uuid)
  WITH CHECK (workspace_id = current_setting('app.workspace_id')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON article_view_months TO kb_tenant;
