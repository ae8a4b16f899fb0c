-- The articles that use a snippet, also those whose drafts alone do.
CREATE INDEX article_links_snippet_idx ON article_links (workspace_id, target) WHERE kind = 'snippet';
