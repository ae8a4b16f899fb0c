-- How often somebody tried a password in vain, and until when the next try is refused: by account, by network and by
-- known browser (lib/delays.ts). Like rate_limits: unlogged, of no workspace, not granted to kb_tenant. A key is a hash.
CREATE UNLOGGED TABLE tries (
  key          text PRIMARY KEY,
  failures     integer NOT NULL,
  waits_until  timestamptz(3) NOT NULL,
  forgotten_at timestamptz(3) NOT NULL
);
CREATE INDEX tries_forgotten_at_idx ON tries (forgotten_at);
