-- Reusable pieces of text (lib/snippets). The text of an article names one as {{name}}.
CREATE TABLE snippets (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Compared with article_links.target.
  name         text COLLATE "C" NOT NULL CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,59}$'),
  html         text NOT NULL CHECK (octet_length(html) BETWEEN 1 AND 20000),
  text         text NOT NULL,
  -- Uploads in the HTML, which readers of the articles may fetch.
  upload_ids   uuid[] NOT NULL DEFAULT '{}',
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  updated_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX snippets_name_key ON snippets (workspace_id, name);

-- Published articles to derive again, because a snippet changed (lib/articles/snippet-updates.ts). Without a foreign key to
-- articles: it would lock them, and their writers may wait for the change.
CREATE TABLE snippet_updates (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL,
  -- Renewed by each change, so that an update that began before a change does not count as done.
  stamp        uuid NOT NULL DEFAULT gen_random_uuid(),
  PRIMARY KEY (workspace_id, id)
);

ALTER TABLE snippets ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON snippets TO kb_tenant USING (workspace_id = current_setting('app.workspace_id')::uuid)
  WITH CHECK (workspace_id = current_setting('app.workspace_id')::uuid);
ALTER TABLE snippet_updates ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON snippet_updates TO kb_tenant USING (workspace_id = current_setting('app.workspace_id')::uuid)
  WITH CHECK (workspace_id = current_setting('app.workspace_id')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON snippets, snippet_updates TO kb_tenant;

-- Of texts in which snippets replaced something: the HTML that readers see, and the text and headings of `html`.
ALTER TABLE article_live ADD COLUMN shown_html text, ADD COLUMN written jsonb;

ALTER TABLE article_links DROP CONSTRAINT article_links_kind_check;
ALTER TABLE article_links ADD CONSTRAINT article_links_kind_check CHECK (kind IN ('link', 'image', 'snippet'));
