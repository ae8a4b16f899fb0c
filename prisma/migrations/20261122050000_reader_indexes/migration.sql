-- What the start page and the feed offer of a workspace, in their order: without these the start page sorted every
-- article twice.
CREATE INDEX articles_newest_idx ON articles (workspace_id, coalesce(published_at, created_at) DESC, id) WHERE state = 'published';
CREATE INDEX articles_popular_idx ON articles (workspace_id, unique_views_count DESC, id)
  WHERE state = 'published' AND unique_views_count > 0;
