-- Which uploads the texts of articles use, and since when nothing has used one; and where their links lead. Both columns
-- in one statement: the table is written anew once.

-- By the database, from the address itself: whoever writes a link cannot forget it. A full address counts too, whatever
-- its host: an id is nothing that somebody guesses, and the wall keeps it to the workspace.
ALTER TABLE article_links ADD COLUMN upload_id uuid GENERATED ALWAYS AS (
  (regexp_match(lower(href), '^(?:https?://[^/?#]+)?/uploads/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[?#]|$)'))[1]::uuid
) STORED,
-- Without the place inside of the page and as far as an index takes it: what begins with one slash is of this site.
ADD COLUMN target text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
  substr(rtrim(split_part(split_part(href, '#', 1), '?', 1), '/'), 1, 500)
) STORED;
CREATE INDEX article_links_upload_id_idx ON article_links (workspace_id, upload_id);
CREATE INDEX article_links_target_idx ON article_links (workspace_id, target) WHERE in_live;

ALTER TABLE uploads ADD COLUMN unused_since timestamptz(3);
