-- What a search compares replacements by: the folded words of each, in the order of replacements, as term_folded has the
-- term's.
ALTER TABLE synonyms ADD COLUMN replacements_folded text[] NOT NULL DEFAULT '{}';
