-- What was counted in the current minute, shared by every server: requests of a key, searches of a key, refused keys
-- of an address. Unlogged, because nothing is lost with a minute's count; of no workspace, and not granted to kb_tenant.
-- The columns and their order are those that rate-limiter-flexible writes.
CREATE UNLOGGED TABLE rate_limits (
  key    text PRIMARY KEY,
  points integer NOT NULL,
  expire bigint
);
CREATE INDEX rate_limits_expire_idx ON rate_limits (expire);
