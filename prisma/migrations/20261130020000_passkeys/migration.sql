-- Passkeys of members (lib/members/passkeys.ts). They work at the URL at which they were added.
CREATE TABLE passkeys (
  workspace_id  uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id            uuid NOT NULL DEFAULT gen_random_uuid(),
  member_id     uuid NOT NULL,
  credential_id bytea NOT NULL CHECK (length(credential_id) BETWEEN 1 AND 1023),
  -- COSE-encoded.
  public_key    bytea NOT NULL CHECK (length(public_key) BETWEEN 1 AND 2000),
  -- Of the last answer. Stays 0 for passkeys that are synchronized between devices.
  counter       bigint NOT NULL CHECK (counter BETWEEN 0 AND 4294967295),
  transports    text[] NOT NULL DEFAULT '{}' CHECK (cardinality(transports) <= 10),
  name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at  timestamptz(3),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX passkeys_credential_id_key ON passkeys (workspace_id, credential_id);
CREATE INDEX passkeys_member_id_idx ON passkeys (workspace_id, member_id);

ALTER TABLE passkeys ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON passkeys TO kb_tenant USING (workspace_id = current_setting('app.workspace_id')::uuid)
  WITH CHECK (workspace_id = current_setting('app.workspace_id')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON passkeys TO kb_tenant;

-- Challenges that a passkey has answered: each can be answered once.
ALTER TABLE member_tokens DROP CONSTRAINT member_tokens_purpose_check;
ALTER TABLE member_tokens ADD CONSTRAINT member_tokens_purpose_check
  CHECK (purpose IN ('sign_in', 'password_reset', 'email_change', 'second_step', 'passkey'));
