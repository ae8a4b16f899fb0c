-- Views by day, answered without a look at the rows. While it is made, views wait in memory and pages do not (lib/views.ts).
CREATE INDEX article_views_day_article_idx ON article_views (workspace_id, day, article_id);
DROP INDEX article_views_day_idx;
ALTER INDEX article_views_day_article_idx RENAME TO article_views_day_idx;
