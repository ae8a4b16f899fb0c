-- The audit log filtered by one thing, newest first: each filter is answered by its own index, however much was written.
CREATE INDEX audit_entries_actor_id_idx ON audit_entries (workspace_id, actor_id, created_at DESC, id);
CREATE INDEX audit_entries_action_idx ON audit_entries (workspace_id, action, created_at DESC, id);
CREATE INDEX audit_entries_subject_kind_idx ON audit_entries (workspace_id, subject_kind, created_at DESC, id);
