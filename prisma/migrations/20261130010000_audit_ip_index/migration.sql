-- Each workspace forgets IP addresses at its own time (server/jobs/worker.ts). The next migration gives the index its name, because
-- it locks workspaces, which the build of an index would keep locked.
CREATE INDEX audit_entries_new_forget_idx ON audit_entries (workspace_id, created_at) WHERE ip IS NOT NULL;
