-- Searches by time and by term, answered without a look at the rows. While they are made, searches wait in memory and pages
-- do not (lib/searches.ts).
CREATE INDEX searches_made_at_idx ON searches (workspace_id, created_at DESC) INCLUDE (results_count);
DROP INDEX searches_created_at_idx;
ALTER INDEX searches_made_at_idx RENAME TO searches_created_at_idx;
CREATE INDEX searches_term_folded_idx ON searches (workspace_id, term_folded, created_at DESC)
  INCLUDE (results_count, clicked);
