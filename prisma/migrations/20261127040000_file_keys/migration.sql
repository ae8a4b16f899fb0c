-- Keys can upload files.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_scopes_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['public',
  'content.read', 'content.draft', 'content.publish', 'content.delete', 'categories', 'files', 'redirects', 'synonyms',
  'webhooks', 'members.read', 'members.write']);
