-- Where members of a workspace sign in with OpenID Connect (lib/identity-provider).
CREATE TABLE identity_providers (
  workspace_id       uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id                 uuid NOT NULL DEFAULT gen_random_uuid(),
  name               text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  issuer             text NOT NULL CHECK (length(issuer) BETWEEN 1 AND 2000),
  client_id          text NOT NULL CHECK (length(client_id) BETWEEN 1 AND 500),
  -- Encrypted (lib/secrets.ts).
  client_secret      bytea NOT NULL,
  -- The role of people who sign in without being a member. Null lets in members only.
  new_member_role_id uuid,
  created_at         timestamptz(3) NOT NULL DEFAULT now(),
  updated_at         timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, new_member_role_id) REFERENCES roles (workspace_id, id)
);
CREATE UNIQUE INDEX identity_providers_workspace_id_key ON identity_providers (workspace_id);

ALTER TABLE identity_providers ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON identity_providers TO kb_tenant USING (workspace_id = current_setting('app.workspace_id')::uuid)
  WITH CHECK (workspace_id = current_setting('app.workspace_id')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON identity_providers TO kb_tenant;

-- When the member last proved who they are. Null if their provider didn't say: it may not have asked.
ALTER TABLE sessions ADD COLUMN authenticated_at timestamptz(3) DEFAULT now();
