-- What is published by itself is what somebody has scheduled who may publish, and an address that somebody chose stays.

SET LOCAL lock_timeout = '150ms';

ALTER TABLE articles
  -- It is not published at its time until somebody who may publish has looked: somebody who may not has changed it since, or
  -- the time was over when it came here.
  ADD COLUMN publish_held boolean NOT NULL DEFAULT false,
  -- A person chose the slug: it does not follow the title any more.
  ADD COLUMN slug_chosen boolean NOT NULL DEFAULT false;

-- A time could stay that was long over, such as of changes that were dropped: what was written since is not published by it.
UPDATE articles SET publish_held = true WHERE publish_at < now() - interval '1 hour';
