-- What is gone may say in which category it was: it is told to be gone to those who may read there. It goes with the
-- category, since afterwards nobody knows to whom it may be told.
ALTER TABLE redirects DROP CONSTRAINT redirects_check;
ALTER TABLE redirects ADD CONSTRAINT redirects_check CHECK ((kind = 'article') = (article_id IS NOT NULL)
  AND (kind = 'url') = (url IS NOT NULL)
  AND CASE kind WHEN 'category' THEN category_id IS NOT NULL WHEN 'gone' THEN true ELSE category_id IS NULL END);
