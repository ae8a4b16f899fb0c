-- Keys can read the audit log and insights.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_scopes_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['public',
  'content.read', 'content.draft', 'content.publish', 'content.delete', 'categories', 'files', 'redirects', 'synonyms', 'webhooks',
  'members.read', 'members.write', 'insights.read', 'audit.read']);

-- Entries of an actor with an action, in a log of any length.
CREATE INDEX audit_entries_actor_id_action_idx ON audit_entries (workspace_id, actor_id, action, created_at DESC, id);
