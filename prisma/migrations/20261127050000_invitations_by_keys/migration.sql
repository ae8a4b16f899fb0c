-- Invitations that a key sent name the key.
ALTER TABLE invitations ADD COLUMN invited_by_key uuid;
ALTER TABLE invitations ADD FOREIGN KEY (workspace_id, invited_by_key)
  REFERENCES api_keys (workspace_id, id) ON DELETE SET NULL (invited_by_key);
