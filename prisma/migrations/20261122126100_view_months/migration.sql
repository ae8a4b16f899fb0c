-- The views so far, by month. Long where there are millions, but nobody waits for it; the few that a server of the version
-- before writes meanwhile are missing in their month.
INSERT INTO article_view_months (workspace_id, article_id, month, views)
SELECT workspace_id, article_id, date_trunc('month', day)::date, count(*) FROM article_views GROUP BY 1, 2, 3;
