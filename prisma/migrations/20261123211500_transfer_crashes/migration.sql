-- How often the server of a run was killed or crashed.
ALTER TABLE transfers ADD COLUMN crashes integer NOT NULL DEFAULT 0;
