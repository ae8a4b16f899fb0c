-- How long the audit log is kept (lib/settings/retention.ts). Null keeps entries permanently.
ALTER TABLE workspaces
  ADD COLUMN audit_days integer CHECK (audit_days IN (90, 365, 730, 1825)),
  ADD COLUMN audit_ip_days integer NOT NULL DEFAULT 180 CHECK (audit_ip_days IN (30, 90, 180, 365));
GRANT UPDATE (audit_days, audit_ip_days) ON workspaces TO kb_tenant;

-- Each workspace forgets at its own time (server/jobs/worker.ts).
DROP INDEX audit_entries_forget_idx;
CREATE INDEX audit_entries_forget_idx ON audit_entries (workspace_id, created_at) WHERE ip IS NOT NULL;
