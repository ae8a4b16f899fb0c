-- Keys that see what visitors see hear only of articles that were public once. Of articles published before, that is unknown, so
-- they stay listed: a removal must never be missed.
ALTER TABLE article_changes RENAME COLUMN was_published TO was_public;
