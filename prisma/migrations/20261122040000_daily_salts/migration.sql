-- What a day's viewers are hashed with, the same for every server. With a salt goes whatever could tell who a viewer was.
-- Of no workspace, and not granted to kb_tenant: whoever had a salt could try out addresses.
CREATE TABLE daily_salts (
  day  date PRIMARY KEY,
  salt bytea NOT NULL
);
