-- Versions and views of an article can be very many. When it is deleted they stay where they are for the day in which that can
-- be undone, and are forgotten with it, some at a time (lib/articles/removal.ts): a deletion takes as long for an article with a
-- million views as for one with none.

SET LOCAL lock_timeout = '150ms';

-- Not validated: each was an article's of its workspace until now.
ALTER TABLE article_versions DROP CONSTRAINT article_versions_workspace_id_article_id_fkey,
  ADD CONSTRAINT article_versions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE NOT VALID;
ALTER TABLE article_views DROP CONSTRAINT article_views_workspace_id_article_id_fkey,
  ADD CONSTRAINT article_views_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE NOT VALID;
