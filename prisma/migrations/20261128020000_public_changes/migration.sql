-- Keys that see what visitors see are only told about articles that were public once. For articles published earlier, this is
-- unknown, so they stay listed. A removal must never be missed.
ALTER TABLE article_changes RENAME COLUMN was_published TO was_public;
