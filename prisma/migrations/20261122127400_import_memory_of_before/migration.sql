-- In a transaction of its own: the columns were added under a lock that nobody reads behind.
-- Until now an import made everything what its file said, and people changed it since. What decides who reads, `state` and
-- `visibility`, is left out: it is not known what the file said, and what is not known opens nothing.
UPDATE articles SET source_settings = jsonb_build_object('sequence', sequence)
WHERE source_path IS NOT NULL AND source_settings IS NULL;
UPDATE categories SET source_settings = jsonb_strip_nulls(jsonb_build_object('name', name, 'slug', slug,
  'description', description, 'sequence', sequence)) WHERE source_path IS NOT NULL AND source_settings IS NULL;
