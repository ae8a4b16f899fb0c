-- Whether an identity provider opened the session. It ends with the provider (lib/identity-provider/settings.ts).
ALTER TABLE sessions ADD COLUMN by_provider boolean NOT NULL DEFAULT false;
UPDATE sessions s SET by_provider = true FROM audit_entries a
WHERE a.workspace_id = s.workspace_id AND a.subject_id = s.id AND a.action = 'session.started'
  AND a.details->>'by' = 'identity_provider';
