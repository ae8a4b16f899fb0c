-- Whether a person made the redirect: of those that are there because something moved, the list says so.
ALTER TABLE redirects ADD COLUMN by_hand boolean NOT NULL DEFAULT false;
