-- How long the audit log is kept (lib/settings/retention.ts). Null keeps entries forever.
ALTER TABLE workspaces
  ADD COLUMN audit_days integer CHECK (audit_days IN (90, 365, 730, 1825)),
  ADD COLUMN audit_ip_days integer NOT NULL DEFAULT 180 CHECK (audit_ip_days IN (30, 90, 180, 365));
GRANT UPDATE (audit_days, audit_ip_days) ON workspaces TO kb_tenant;

DROP INDEX audit_entries_forget_idx;
ALTER INDEX audit_entries_new_forget_idx RENAME TO audit_entries_forget_idx;
