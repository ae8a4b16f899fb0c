-- The tables, and the wall around workspaces (ARCHITECTURE.md, "The wall").
--
-- A workspace's table has the primary key (workspace_id, id), and its unique indexes and foreign keys begin with workspace_id:
-- foreign-key checks bypass row security, and only a composite key keeps them inside the workspace. workspace_id defaults to
-- the wall's setting, so code never chooses one. States are text with a CHECK, because an enum's "=" is not leakproof and may
-- not use an index behind a policy.
--
-- Functions and triggers are in prisma/functions and are applied after the migrations.

-- Roles belong to the whole server, so another database may already have created this one.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'kb_tenant') THEN
    CREATE ROLE kb_tenant NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END
$$;
DO $$
BEGIN
  GRANT kb_tenant TO CURRENT_USER;
EXCEPTION WHEN insufficient_privilege THEN
  IF NOT pg_has_role(current_user, 'kb_tenant', 'MEMBER') THEN
    RAISE EXCEPTION 'The role kb_tenant belongs to another user: have an administrator run GRANT kb_tenant TO %.', quote_ident(current_user);
  END IF;
END
$$;

-- Workspaces ---------------------------------------------------------------------------------------------------

CREATE TABLE workspaces (
  id                 uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  subdomain          text NOT NULL CHECK (subdomain ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name               text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  language           text NOT NULL DEFAULT 'en',
  time_zone          text NOT NULL DEFAULT 'UTC',
  visibility         text NOT NULL DEFAULT 'everyone' CHECK (visibility IN ('everyone', 'members')),
  accent_color       text CHECK (accent_color ~ '^#[0-9a-f]{6}$'),
  logo_upload_id     uuid,
  feedback_enabled   boolean NOT NULL DEFAULT true,
  search_log_enabled boolean NOT NULL DEFAULT true,
  -- The home page shows the name of the workspace in place of a headline.
  home_headline      text CHECK (length(home_headline) BETWEEN 1 AND 100),
  home_text          text CHECK (length(home_text) BETWEEN 1 AND 300),
  -- An email or a URL, for readers who find no answer.
  contact            text CHECK (length(contact) BETWEEN 1 AND 500),
  -- [{"label": …, "url": …}], in order.
  header_links       jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_array_length(header_links) <= 3),
  -- Members who must use two-step verification.
  two_step_rule      text NOT NULL DEFAULT 'nobody' CHECK (two_step_rule IN ('nobody', 'administrators', 'everyone')),
  delete_after       timestamptz(3),
  created_at         timestamptz(3) NOT NULL DEFAULT now(),
  updated_at         timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX workspaces_subdomain_key ON workspaces (subdomain);

-- Former subdomains redirect to their workspace, and no other workspace may take them.
CREATE TABLE former_subdomains (
  subdomain    text PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  created_at   timestamptz(3) NOT NULL DEFAULT now()
);

-- The version of what readers see. It changes in the transaction that changes what they see, so anything made from
-- version 7 may be kept while the version is 7.
CREATE TABLE content_versions (
  workspace_id uuid PRIMARY KEY DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  version      bigint NOT NULL DEFAULT 1,
  -- The version of what only members and their keys see: drafts, and emails of authors.
  drafts       bigint NOT NULL DEFAULT 1,
  -- Counts the transactions that changed an article, drafts included (article_changes).
  changes      bigint NOT NULL DEFAULT 0,
  -- Names this count. Another copy of the workspace, such as a restored one, has another.
  changes_of   uuid NOT NULL DEFAULT gen_random_uuid()
);

-- Uploads ------------------------------------------------------------------------------------------------------

CREATE TABLE uploads (
  workspace_id  uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id            uuid NOT NULL DEFAULT gen_random_uuid(),
  storage_key   text NOT NULL,
  filename      text NOT NULL CHECK (length(filename) BETWEEN 1 AND 255),
  content_type  text NOT NULL,
  byte_size     bigint NOT NULL CHECK (byte_size >= 0),
  sha256        bytea NOT NULL,
  -- The hash of an imported file before images are re-encoded, by which another import finds the upload.
  source_sha256 bytea,
  width         integer,
  height        integer,
  created_by    uuid,
  unused_since  timestamptz(3),
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX uploads_storage_key_key ON uploads (workspace_id, storage_key);

-- This key and the next deferrable one close circles. A restore defers them (bin/kb/restore/run.ts).
ALTER TABLE workspaces ADD FOREIGN KEY (id, logo_upload_id) REFERENCES uploads (workspace_id, id) ON DELETE SET NULL (logo_upload_id) DEFERRABLE;

-- Members ------------------------------------------------------------------------------------------------------

CREATE TABLE roles (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  name         text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  permissions  text[] NOT NULL CHECK (permissions <@ ARRAY['articles.write', 'articles.publish', 'categories.manage',
                 'members.manage', 'settings.manage', 'keys.manage', 'insights.read']),
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  updated_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX roles_name_key ON roles (workspace_id, name);

CREATE TABLE members (
  workspace_id      uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id                uuid NOT NULL DEFAULT gen_random_uuid(),
  email             text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  email_folded      text GENERATED ALWAYS AS (lower(email)) STORED,
  first_name        text NOT NULL CHECK (length(first_name) BETWEEN 1 AND 100),
  last_name         text NOT NULL CHECK (length(last_name) BETWEEN 1 AND 100),
  time_zone         text NOT NULL DEFAULT 'UTC',
  role_id           uuid NOT NULL,
  active            boolean NOT NULL DEFAULT true,
  password_hash     text,
  -- True if an operator vouched for the email, or its owner opened a mailed link.
  email_confirmed   boolean NOT NULL DEFAULT false,
  picture_upload_id uuid,
  last_seen_at      timestamptz(3),
  created_at        timestamptz(3) NOT NULL DEFAULT now(),
  updated_at        timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, role_id) REFERENCES roles (workspace_id, id),
  FOREIGN KEY (workspace_id, picture_upload_id) REFERENCES uploads (workspace_id, id) ON DELETE SET NULL (picture_upload_id)
);
CREATE UNIQUE INDEX members_email_folded_key ON members (workspace_id, email_folded);
CREATE INDEX members_created_at_idx ON members (workspace_id, created_at, id);
CREATE INDEX members_role_id_idx ON members (workspace_id, role_id);
-- Sign-in on the bare domain looks for an email in every workspace.
CREATE INDEX members_across_workspaces_idx ON members (email_folded);

ALTER TABLE uploads ADD FOREIGN KEY (workspace_id, created_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (created_by) DEFERRABLE;

CREATE TABLE sessions (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  member_id    uuid NOT NULL,
  ip           text,
  user_agent   text,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at   timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX sessions_member_id_idx ON sessions (workspace_id, member_id);

CREATE TABLE member_tokens (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  member_id    uuid NOT NULL,
  purpose      text NOT NULL CHECK (purpose IN ('sign_in', 'password_reset', 'email_change', 'second_step')),
  token_hash   bytea NOT NULL,
  new_email    text,
  -- False for the link that a new workspace's page redirects to, which proves no email.
  mailed       boolean NOT NULL DEFAULT true,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  expires_at   timestamptz(3) NOT NULL,
  used_at      timestamptz(3),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX member_tokens_token_hash_key ON member_tokens (workspace_id, token_hash);
CREATE INDEX member_tokens_member_id_idx ON member_tokens (workspace_id, member_id);

-- Two-step verification of the member with this id. It is on from the first code.
CREATE TABLE two_step (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL,
  -- Encrypted (lib/secrets.ts).
  secret       bytea NOT NULL,
  -- The session that made the key, which alone is shown it, until a code confirms it.
  made_in      uuid,
  -- The time of the last code, in units of 30 seconds: no code works twice.
  last_step    integer NOT NULL DEFAULT 0,
  on_since     timestamptz(3),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, id) REFERENCES members (workspace_id, id) ON DELETE CASCADE
);

CREATE TABLE recovery_codes (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  member_id    uuid NOT NULL,
  code_hash    bytea NOT NULL,
  used_at      timestamptz(3),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX recovery_codes_code_hash_key ON recovery_codes (workspace_id, member_id, code_hash);

CREATE TABLE invitations (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  email        text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  email_folded text GENERATED ALWAYS AS (lower(email)) STORED,
  role_id      uuid NOT NULL,
  invited_by   uuid,
  token_hash   bytea NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  sent_at      timestamptz(3) NOT NULL DEFAULT now(),
  expires_at   timestamptz(3) NOT NULL,
  accepted_at  timestamptz(3),
  withdrawn_at timestamptz(3),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, role_id) REFERENCES roles (workspace_id, id),
  FOREIGN KEY (workspace_id, invited_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (invited_by)
);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (workspace_id, token_hash);
CREATE UNIQUE INDEX invitations_open_key ON invitations (workspace_id, email_folded) WHERE accepted_at IS NULL AND withdrawn_at IS NULL;

CREATE TABLE api_keys (
  workspace_id    uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id              uuid NOT NULL DEFAULT gen_random_uuid(),
  name            text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  key_hash        bytea NOT NULL,
  last_four       text NOT NULL CHECK (length(last_four) = 4),
  scopes          text[] NOT NULL CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['public', 'content.read', 'content.draft',
                    'content.publish', 'content.delete', 'members.read', 'members.write']),
  created_by      uuid,
  rotated_from_id uuid,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  expires_at      timestamptz(3),
  revoked_at      timestamptz(3),
  last_used_at    timestamptz(3),
  last_used_ip    text,
  last_used_route text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, created_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (created_by),
  FOREIGN KEY (workspace_id, rotated_from_id) REFERENCES api_keys (workspace_id, id) ON DELETE SET NULL (rotated_from_id)
);
CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys (workspace_id, key_hash);

-- Answers to changes of the API that had an Idempotency-Key, for 24 hours.
CREATE TABLE idempotency_keys (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  api_key_id   uuid NOT NULL,
  key          text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  -- Of method, path and body.
  request_hash bytea NOT NULL,
  status       integer NOT NULL,
  location     text,
  body         text NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, api_key_id) REFERENCES api_keys (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX idempotency_keys_key_key ON idempotency_keys (workspace_id, api_key_id, key);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);

-- Categories ---------------------------------------------------------------------------------------------------

CREATE TABLE categories (
  workspace_id    uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id              uuid NOT NULL DEFAULT gen_random_uuid(),
  parent_id       uuid CHECK (parent_id <> id),
  -- ICU's root order, so that a list reads the same on every database (contract 6).
  name            text COLLATE "und-x-icu" NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  description     text,
  slug            text NOT NULL CHECK (slug ~ '^[a-z0-9-]{1,100}$'),
  sequence        integer,
  visibility      text NOT NULL DEFAULT 'inherit' CHECK (visibility IN ('inherit', 'everyone', 'members')),
  -- The path in the imported folder. The next import finds the row by it.
  source_path     text,
  -- The hash of the file at the last import.
  source_hash     text,
  source_state    text,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, parent_id) REFERENCES categories (workspace_id, id)
);
CREATE UNIQUE INDEX categories_slug_key ON categories (workspace_id, slug);
CREATE UNIQUE INDEX categories_source_path_key ON categories (workspace_id, source_path) WHERE source_path IS NOT NULL;
CREATE INDEX categories_parent_id_idx ON categories (workspace_id, parent_id);

-- Articles: identity (articles), the published text (article_live), the text being written (article_drafts) -----------

CREATE TABLE articles (
  workspace_id       uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id                 uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Never changes (contract 45).
  permalink          text NOT NULL CHECK (permalink ~ '^a-[0-9a-f]{8}$'),
  slug               text NOT NULL CHECK (slug ~ '^[a-z0-9-]{1,100}$' AND slug !~ '^a-[0-9a-f]{8}$'
                       AND slug !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'),
  -- A person chose the slug, so it no longer follows the title.
  slug_chosen        boolean NOT NULL DEFAULT false,
  category_id        uuid NOT NULL,
  -- The position in its category; equal positions are ordered by title, then id.
  sequence           integer NOT NULL DEFAULT 0,
  author_id          uuid NOT NULL,
  -- 'published' exactly when article_live has a row.
  state              text NOT NULL CHECK (state IN ('draft', 'published')),
  -- The live title of a published article, otherwise the draft's.
  title              text COLLATE "und-x-icu" NOT NULL CHECK (length(title) BETWEEN 1 AND 300),
  -- Counts saves of the draft. A save names the revision it started from.
  revision           integer NOT NULL DEFAULT 1,
  unique_views_count integer NOT NULL DEFAULT 0,
  publish_at         timestamptz(3),
  -- On hold: edited by a member without publishing rights, or the date had passed when it was imported.
  publish_held       boolean NOT NULL DEFAULT false,
  published_at       timestamptz(3),
  -- Preview links carry this number, and end when it grows.
  previews_ended     integer NOT NULL DEFAULT 0,
  source_path        text,
  source_hash        bytea,
  source_state       text,
  -- The id that a program gave it.
  external_id        text CHECK (length(external_id) BETWEEN 1 AND 200),
  created_at         timestamptz(3) NOT NULL DEFAULT now(),
  updated_at         timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, category_id) REFERENCES categories (workspace_id, id),
  FOREIGN KEY (workspace_id, author_id) REFERENCES members (workspace_id, id)
);
CREATE UNIQUE INDEX articles_permalink_key ON articles (workspace_id, permalink);
CREATE UNIQUE INDEX articles_slug_key ON articles (workspace_id, slug);
CREATE UNIQUE INDEX articles_source_path_key ON articles (workspace_id, source_path) WHERE source_path IS NOT NULL;
CREATE UNIQUE INDEX articles_external_id_key ON articles (workspace_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX articles_created_at_idx ON articles (workspace_id, created_at DESC, id);
CREATE INDEX articles_category_id_idx ON articles (workspace_id, category_id, state, sequence);
CREATE INDEX articles_author_id_idx ON articles (workspace_id, author_id);
CREATE INDEX articles_publish_at_idx ON articles (workspace_id, publish_at) WHERE publish_at IS NOT NULL;
CREATE INDEX articles_newest_idx ON articles (workspace_id, coalesce(published_at, created_at) DESC, id) WHERE state = 'published';
CREATE INDEX articles_popular_idx ON articles (workspace_id, unique_views_count DESC, id)
  WHERE state = 'published' AND unique_views_count > 0;

CREATE TABLE article_live (
  workspace_id           uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id                     uuid NOT NULL,
  title                  text NOT NULL,
  html                   text NOT NULL,
  keywords               text[] NOT NULL DEFAULT '{}',
  page_title             text,
  meta_description       text,
  show_table_of_contents boolean NOT NULL DEFAULT true,
  -- Derived from html when it is saved.
  rendered_html          text NOT NULL,
  text                   text NOT NULL,
  excerpt                text NOT NULL,
  headings               jsonb NOT NULL DEFAULT '[]',
  markdown               text NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE
);

-- A row exists exactly while the article has text that readers do not see.
CREATE TABLE article_drafts (
  workspace_id           uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id                     uuid NOT NULL,
  title                  text NOT NULL,
  html                   text NOT NULL,
  keywords               text[] NOT NULL DEFAULT '{}',
  page_title             text,
  meta_description       text,
  show_table_of_contents boolean NOT NULL DEFAULT true,
  text                   text NOT NULL,
  headings               jsonb NOT NULL DEFAULT '[]',
  -- The member or the API key that saved it last. An import is neither.
  updated_by             uuid,
  updated_by_key         uuid,
  updated_at             timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, updated_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (updated_by),
  FOREIGN KEY (workspace_id, updated_by_key) REFERENCES api_keys (workspace_id, id) ON DELETE SET NULL (updated_by_key)
);

-- Without a foreign key: an article can have very many versions and views, so they outlive its deletion and are deleted in
-- batches once it can no longer be restored (lib/articles/removal.ts).
CREATE TABLE article_versions (
  workspace_id           uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id                     uuid NOT NULL DEFAULT gen_random_uuid(),
  article_id             uuid NOT NULL,
  number                 integer NOT NULL,
  kind                   text NOT NULL CHECK (kind IN ('publish', 'autosave', 'import')),
  title                  text NOT NULL,
  html                   text NOT NULL,
  keywords               text[] NOT NULL DEFAULT '{}',
  tags                   text[] NOT NULL DEFAULT '{}',
  page_title             text,
  meta_description       text,
  show_table_of_contents boolean NOT NULL DEFAULT true,
  -- What changed, in the publisher's words.
  summary                text,
  created_by             uuid,
  created_by_key         uuid,
  created_via            text NOT NULL DEFAULT 'web' CHECK (created_via IN ('web', 'api', 'import', 'schedule')),
  created_at             timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, created_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (created_by),
  FOREIGN KEY (workspace_id, created_by_key) REFERENCES api_keys (workspace_id, id) ON DELETE SET NULL (created_by_key)
);
CREATE UNIQUE INDEX article_versions_number_key ON article_versions (workspace_id, article_id, number);

-- The last change of each article, for programs that keep a copy. A deleted article stays for 90 days.
CREATE TABLE article_changes (
  workspace_id  uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  -- The article's, which may be gone.
  id            uuid NOT NULL,
  -- content_versions.changes when its transaction ended. Null until then.
  number        bigint,
  changed_at    timestamptz(3) NOT NULL DEFAULT now(),
  deleted       boolean NOT NULL DEFAULT false,
  -- Once true, it stays: only then do keys without drafts hear of the article.
  was_published boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX article_changes_number_idx ON article_changes (workspace_id, number, id);
CREATE INDEX article_changes_deleted_idx ON article_changes (changed_at) WHERE deleted;

-- Everything deleted that can be restored, and for an hour what bulk actions changed.
CREATE TABLE trash (
  workspace_id    uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  -- The id of the deleted thing, or an undo's own id.
  id              uuid NOT NULL DEFAULT gen_random_uuid(),
  kind            text NOT NULL CHECK (kind IN ('article', 'category', 'redirect', 'synonym', 'undo')),
  -- The action that deleted or changed these things.
  batch           uuid NOT NULL,
  title           text NOT NULL,
  -- The stored rows, by table.
  rows            jsonb NOT NULL,
  -- Further data for restoring.
  details         jsonb NOT NULL DEFAULT '{}',
  deleted_by      uuid,
  deleted_by_name text NOT NULL,
  deleted_at      timestamptz(3) NOT NULL DEFAULT now(),
  until           timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX trash_batch_idx ON trash (workspace_id, batch);
CREATE INDEX trash_until_idx ON trash (workspace_id, until);

-- Tags, attachments and related articles wait for publishing like the text: in_live and in_draft say where they belong.

CREATE TABLE tags (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  name         text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  -- Folded by the application for every script, not by the database's locale.
  name_folded  text NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX tags_name_folded_key ON tags (workspace_id, name_folded);

CREATE TABLE article_tags (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  article_id   uuid NOT NULL,
  tag_id       uuid NOT NULL,
  position     integer NOT NULL DEFAULT 0,
  in_live      boolean NOT NULL,
  in_draft     boolean NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CHECK (in_live OR in_draft),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, tag_id) REFERENCES tags (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX article_tags_key ON article_tags (workspace_id, article_id, tag_id);
CREATE INDEX article_tags_tag_id_idx ON article_tags (workspace_id, tag_id);

CREATE TABLE article_attachments (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  article_id   uuid NOT NULL,
  upload_id    uuid NOT NULL,
  position     integer NOT NULL DEFAULT 0,
  in_live      boolean NOT NULL,
  in_draft     boolean NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  CHECK (in_live OR in_draft),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, upload_id) REFERENCES uploads (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX article_attachments_key ON article_attachments (workspace_id, article_id, upload_id);
CREATE INDEX article_attachments_upload_id_idx ON article_attachments (workspace_id, upload_id);

CREATE TABLE related_articles (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  article_id   uuid NOT NULL,
  related_id   uuid NOT NULL CHECK (related_id <> article_id),
  position     integer NOT NULL DEFAULT 0,
  in_live      boolean NOT NULL,
  in_draft     boolean NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CHECK (in_live OR in_draft),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, related_id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX related_articles_key ON related_articles (workspace_id, article_id, related_id);
CREATE INDEX related_articles_related_id_idx ON related_articles (workspace_id, related_id);

-- Links and images in the text, to report broken ones and to know which uploads are in use.
CREATE TABLE article_links (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  article_id   uuid NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('link', 'image')),
  href         text NOT NULL,
  in_live      boolean NOT NULL,
  in_draft     boolean NOT NULL,
  -- Computed here, so that no writer can forget it. A full URL counts with any host, because the id cannot be guessed.
  upload_id    uuid GENERATED ALWAYS AS (
    (regexp_match(lower(href), '^(?:https?://[^/?#]+)?/uploads/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[?#]|$)'))[1]::uuid
  ) STORED,
  -- Without query and fragment, cut to the length of an index entry.
  target       text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    substr(rtrim(split_part(split_part(href, '#', 1), '?', 1), '/'), 1, 500)
  ) STORED,
  PRIMARY KEY (workspace_id, id),
  CHECK (in_live OR in_draft),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX article_links_article_id_idx ON article_links (workspace_id, article_id);
CREATE INDEX article_links_upload_id_idx ON article_links (workspace_id, upload_id);
CREATE INDEX article_links_target_idx ON article_links (workspace_id, target) WHERE in_live;

-- Redirects ----------------------------------------------------------------------------------------------------

-- Redirects to an article, a category or a URL, or answers 410 (gone). A gone path may keep its category, because only
-- readers of that category may learn that it is gone.
CREATE TABLE redirects (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  from_path    text NOT NULL CHECK (from_path LIKE '/%' AND length(from_path) <= 500),
  kind         text NOT NULL CHECK (kind IN ('article', 'category', 'url', 'gone')),
  article_id   uuid,
  category_id  uuid,
  url          text,
  by_hand      boolean NOT NULL DEFAULT false,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  CHECK ((kind = 'article') = (article_id IS NOT NULL) AND (kind = 'url') = (url IS NOT NULL)
    AND CASE kind WHEN 'category' THEN category_id IS NOT NULL WHEN 'gone' THEN true ELSE category_id IS NULL END),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, category_id) REFERENCES categories (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX redirects_from_path_key ON redirects (workspace_id, from_path);
CREATE INDEX redirects_article_id_idx ON redirects (workspace_id, article_id) WHERE article_id IS NOT NULL;
CREATE INDEX redirects_category_id_idx ON redirects (workspace_id, category_id) WHERE category_id IS NOT NULL;

-- Insights about readers, without the readers ------------------------------------------------------------------------

-- One row per viewer, article and day. The viewer is a hash with the day's salt. Without a foreign key, like versions.
CREATE TABLE article_views (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  article_id   uuid NOT NULL,
  day          date NOT NULL,
  viewer_hash  bytea NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX article_views_key ON article_views (workspace_id, article_id, day, viewer_hash);
CREATE INDEX article_views_day_idx ON article_views (workspace_id, day, article_id);

-- Views by month, because counting a year of views takes too long for a page.
CREATE TABLE article_view_months (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  article_id   uuid NOT NULL,
  month        date NOT NULL CHECK (extract(day FROM month) = 1),
  views        integer NOT NULL CHECK (views > 0),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX article_view_months_key ON article_view_months (workspace_id, article_id, month);
CREATE INDEX article_view_months_month_idx ON article_view_months (workspace_id, month);

CREATE TABLE feedback (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  -- No foreign key: feedback stays until a deleted article is purged, like versions and views.
  article_id   uuid NOT NULL,
  day          date NOT NULL,
  viewer_hash  bytea NOT NULL,
  helpful      boolean NOT NULL,
  choice       text CHECK (choice IN ('missing', 'unclear', 'outdated', 'other')),
  reason       text CHECK (length(reason) <= 2000),
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX feedback_key ON feedback (workspace_id, article_id, day, viewer_hash);
CREATE INDEX feedback_created_at_idx ON feedback (workspace_id, created_at DESC);

CREATE TABLE searches (
  workspace_id  uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id            uuid NOT NULL DEFAULT gen_random_uuid(),
  term          text NOT NULL CHECK (length(term) <= 200),
  term_folded   text NOT NULL,
  results_count integer NOT NULL,
  clicked       boolean NOT NULL DEFAULT false,
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX searches_created_at_idx ON searches (workspace_id, created_at DESC) INCLUDE (results_count);
CREATE INDEX searches_term_folded_idx ON searches (workspace_id, term_folded, created_at DESC) INCLUDE (results_count, clicked);

-- Articles that readers opened from the results of a search. One row per network, search, article and day. Refers to no
-- article, like views.
CREATE TABLE search_opens (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  term_folded  text NOT NULL,
  article_id   uuid NOT NULL,
  day          date NOT NULL,
  viewer_hash  bytea NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX search_opens_key ON search_opens (workspace_id, term_folded, article_id, day, viewer_hash);
CREATE INDEX search_opens_day_idx ON search_opens (workspace_id, day);
CREATE INDEX search_opens_article_id_idx ON search_opens (workspace_id, article_id);

-- A day's viewers are hashed with its salt, the same on every server. Not granted to kb_tenant: with a salt, one could
-- try out IP addresses.
CREATE TABLE daily_salts (
  day  date PRIMARY KEY,
  salt bytea NOT NULL
);

-- Imports and exports --------------------------------------------------------------------------------------------

CREATE TABLE transfers (
  workspace_id    uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id              uuid NOT NULL DEFAULT gen_random_uuid(),
  kind            text NOT NULL CHECK (kind IN ('export', 'import')),
  -- An import is 'ready' once it was checked. Nothing is stored yet.
  state           text NOT NULL CHECK (state IN ('checking', 'ready', 'running', 'done', 'failed', 'cancelled')),
  filename        text NOT NULL CHECK (length(filename) BETWEEN 1 AND 255),
  byte_size       bigint NOT NULL DEFAULT 0 CHECK (byte_size >= 0),
  -- Storage keys of its bytes, in order. All but the last have the size in lib/import-export/parts.ts.
  parts           text[] NOT NULL DEFAULT '{}',
  phase           text,
  done            integer NOT NULL DEFAULT 0,
  total           integer NOT NULL DEFAULT 0,
  report          jsonb,
  -- New articles of an import become drafts.
  as_drafts       boolean NOT NULL DEFAULT false,
  -- How often the server of a run was killed or crashed.
  crashes         integer NOT NULL DEFAULT 0,
  -- The reason of a failure, for people.
  problem         text,
  created_by      uuid,
  created_by_name text NOT NULL,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, created_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (created_by)
);
CREATE UNIQUE INDEX transfers_one_key ON transfers (workspace_id, kind) WHERE state IN ('checking', 'running');
CREATE INDEX transfers_created_at_idx ON transfers (workspace_id, kind, created_at DESC);

-- One action on many articles. A job works through them in order, a few per transaction, and continues after a kill.
CREATE TABLE bulk_actions (
  workspace_id    uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  -- Also the batch in the trash that undoes the action, and the id of its entry in the audit log.
  id              uuid NOT NULL DEFAULT gen_random_uuid(),
  action          text NOT NULL CHECK (action IN ('published', 'unpublished', 'moved', 'tagged', 'deleted', 'undone', 'restored')),
  -- 'stopping': a member canceled it, and the job has not seen it yet.
  state           text NOT NULL CHECK (state IN ('running', 'stopping', 'done', 'failed', 'cancelled')),
  -- Articles, or the entries of the trash that an undo restores.
  ids             uuid[] NOT NULL,
  -- The number of ids that are dealt with.
  done            integer NOT NULL DEFAULT 0,
  -- What the action needs, such as a category, and what its report says.
  details         jsonb NOT NULL DEFAULT '{}',
  -- The reason of a failure, for people.
  problem         text,
  created_by      uuid,
  created_by_name text NOT NULL,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, created_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (created_by)
);

-- Audit log ----------------------------------------------------------------------------------------------------

CREATE TABLE audit_entries (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  actor_kind   text NOT NULL CHECK (actor_kind IN ('member', 'api_key', 'command_line', 'system')),
  -- Actor and subject are no foreign keys: an entry outlives both and keeps their names.
  actor_id     uuid,
  actor_name   text NOT NULL,
  action       text NOT NULL,
  subject_kind text NOT NULL,
  subject_id   uuid,
  subject_name text NOT NULL,
  details      jsonb NOT NULL DEFAULT '{}',
  ip           text,
  request_id   text,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX audit_entries_created_at_idx ON audit_entries (workspace_id, created_at DESC, id);
CREATE INDEX audit_entries_actor_id_idx ON audit_entries (workspace_id, actor_id, created_at DESC, id);
CREATE INDEX audit_entries_action_idx ON audit_entries (workspace_id, action, created_at DESC, id);
CREATE INDEX audit_entries_subject_kind_idx ON audit_entries (workspace_id, subject_kind, created_at DESC, id);
-- Finds the IP addresses to forget (server/jobs/worker.ts).
CREATE INDEX audit_entries_forget_idx ON audit_entries (created_at) WHERE ip IS NOT NULL;

-- The articles behind an entry of the audit log that stands for many. No foreign key: they are written in the transactions of
-- the changes, the entry when the action ends.
CREATE TABLE audit_items (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  entry_id     uuid NOT NULL,
  subject_id   uuid NOT NULL,
  subject_name text NOT NULL,
  details      jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX audit_items_entry_id_idx ON audit_items (workspace_id, entry_id);

-- Webhooks -----------------------------------------------------------------------------------------------------

-- Where events are sent (lib/webhooks). Secrets are encrypted with a key derived from AUTH_SECRET.
CREATE TABLE webhook_endpoints (
  workspace_id  uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id            uuid NOT NULL DEFAULT gen_random_uuid(),
  url           text NOT NULL CHECK (length(url) BETWEEN 1 AND 2000),
  description   text NOT NULL DEFAULT '' CHECK (length(description) <= 200),
  events        text[] NOT NULL CHECK (cardinality(events) > 0),
  active        boolean NOT NULL DEFAULT true,
  -- Why Lectern switched it off.
  off_because   text CHECK (off_because IN ('gone', 'failing', 'full')),
  -- The first failed attempt since the last successful one.
  failing_since timestamptz(3),
  secret        bytea NOT NULL,
  -- Signs too until then, after a rotation.
  former_secret bytea,
  former_until  timestamptz(3),
  created_by    uuid,
  created_at    timestamptz(3) NOT NULL DEFAULT now(),
  updated_at    timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, created_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (created_by)
);

-- One event for one endpoint, stored in the transaction of the change. Kept for 14 days (server/jobs/worker.ts).
CREATE TABLE webhook_deliveries (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  endpoint_id  uuid NOT NULL,
  event        text NOT NULL,
  -- The bytes that are signed and sent.
  body         text NOT NULL,
  state        text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
  -- When it is due. Later while a server sends it, so that another one takes over if that server is killed.
  due_at       timestamptz(3) NOT NULL DEFAULT now(),
  attempts     integer NOT NULL DEFAULT 0,
  -- The last attempt, with the first 2 kB of its response.
  attempted_at timestamptz(3),
  took_ms      integer,
  status       integer,
  response     text,
  problem      text,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (workspace_id, endpoint_id, created_at DESC, id);
CREATE INDEX webhook_deliveries_due_at_idx ON webhook_deliveries (workspace_id, endpoint_id, due_at) WHERE state = 'waiting';
-- Finds what is due in all workspaces, and what to forget (server/jobs/worker.ts).
CREATE INDEX webhook_deliveries_late_idx ON webhook_deliveries (due_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_forget_idx ON webhook_deliveries (created_at);

-- Search -------------------------------------------------------------------------------------------------------

CREATE TABLE synonyms (
  workspace_id        uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id                  uuid NOT NULL DEFAULT gen_random_uuid(),
  term                text NOT NULL CHECK (length(term) BETWEEN 1 AND 100),
  term_folded         text NOT NULL,
  replacements        text[] NOT NULL CHECK (cardinality(replacements) BETWEEN 1 AND 20),
  replacements_folded text[] NOT NULL DEFAULT '{}',
  -- A search for a replacement also finds the term.
  two_way             boolean NOT NULL DEFAULT true,
  created_at          timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX synonyms_term_folded_key ON synonyms (workspace_id, term_folded);

-- Articles that come first for a search.
CREATE TABLE search_pins (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  term         text NOT NULL CHECK (length(term) BETWEEN 1 AND 200),
  -- All words of the search (lib/search/query.ts).
  term_folded  text NOT NULL,
  article_id   uuid NOT NULL,
  position     integer NOT NULL,
  created_by   uuid,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, created_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (created_by)
);
CREATE UNIQUE INDEX search_pins_key ON search_pins (workspace_id, term_folded, article_id);
CREATE INDEX search_pins_article_id_idx ON search_pins (workspace_id, article_id);

-- The words of each workspace, for corrections. There is no unique key, because two writers with the same new word would wait
-- for each other, and a duplicate does no harm. Words of deleted articles stay until a reindex.
CREATE TABLE search_words (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  word         text COLLATE "C" NOT NULL,
  -- Finds words with the same ending.
  backwards    text COLLATE "C" NOT NULL GENERATED ALWAYS AS (reverse(word)) STORED,
  -- In lower case, with its accents.
  spelling     text NOT NULL,
  added_at     timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX search_words_word_idx ON search_words (workspace_id, word);
CREATE INDEX search_words_backwards_idx ON search_words (workspace_id, backwards);

-- One row per article, published or draft, in 64 partitions, so that no workspace pays for the largest one.
CREATE TABLE search_documents (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL,
  published    boolean NOT NULL,
  updated_at   timestamptz(3) NOT NULL,
  -- The folded words of the title, joined by blanks.
  title        text NOT NULL,
  -- Split, tagged and labeled by the application (lib/search/documents.ts).
  words        tsvector NOT NULL,
  -- "id" comes first: the planner would prefer an index that begins with the workspace to the index of words, and
  -- read every document, when a word is in most articles. The next two indexes avoid that by an expression.
  PRIMARY KEY (id, workspace_id),
  FOREIGN KEY (workspace_id, id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE
) PARTITION BY HASH (workspace_id);
CREATE INDEX search_documents_words_idx ON search_documents USING gin (words) WITH (fastupdate = off);
-- Titles that begin with a letter, in the order of their ranking.
CREATE INDEX search_documents_letter_idx
  ON search_documents ((left(title, 1) || workspace_id::text), length(title), updated_at DESC, id) WHERE published;
CREATE INDEX search_documents_newest_idx ON search_documents (uuid_hash(workspace_id), updated_at DESC, id) WHERE published;
-- Only ranked articles need their words, so these lie outside the row, uncompressed, and counted rows stay narrow.
-- Titles are compared more often and stay inside.
ALTER TABLE search_documents ALTER COLUMN words SET STORAGE EXTERNAL, ALTER COLUMN title SET STORAGE MAIN;
DO $$
BEGIN
  FOR remainder IN 0..63 LOOP
    EXECUTE format('CREATE TABLE search_documents_%s PARTITION OF search_documents FOR VALUES WITH (MODULUS 64, REMAINDER %s) '
      'WITH (toast_tuple_target = 128)', lpad(remainder::text, 2, '0'), remainder);
  END LOOP;
END
$$;

-- What published articles mean, as vectors of the passages of each (lib/search/vectors.ts). Empty without an embedding model.
CREATE TABLE search_vectors (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL,
  model        text NOT NULL,
  -- Of the text that the vectors were made from. They count only while it is the published one.
  text_hash    bytea NOT NULL,
  -- For each passage, the signs of its vector, and the vector itself in signed bytes.
  bits         bit varying[] NOT NULL,
  vectors      bytea[] NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE
);
-- A search reads the bits of every article, and the vectors of few.
ALTER TABLE search_vectors ALTER COLUMN bits SET STORAGE MAIN, ALTER COLUMN vectors SET STORAGE EXTERNAL;
ALTER TABLE search_vectors SET (toast_tuple_target = 128);

-- Limits: unlogged, because a crash may forget them; outside workspaces, and not granted to kb_tenant -----------------------

-- Counts of the current period, shared by all servers. rate-limiter-flexible writes these columns in this order.
CREATE UNLOGGED TABLE rate_limits (
  key    text PRIMARY KEY,
  points integer NOT NULL,
  expire bigint
);
CREATE INDEX rate_limits_expire_idx ON rate_limits (expire);

-- Failed sign-ins per account, network and known browser (lib/delays.ts). A key is a hash.
CREATE UNLOGGED TABLE tries (
  key          text PRIMARY KEY,
  failures     integer NOT NULL,
  waits_until  timestamptz(3) NOT NULL,
  forgotten_at timestamptz(3) NOT NULL
);
CREATE INDEX tries_forgotten_at_idx ON tries (forgotten_at);

-- The wall -----------------------------------------------------------------------------------------------------

-- Partitions too: a query that names a partition is checked by its policy alone.
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY wall ON %I TO kb_tenant USING (workspace_id = current_setting(''app.workspace_id'')::uuid) '
      'WITH CHECK (workspace_id = current_setting(''app.workspace_id'')::uuid)', name);
  END LOOP;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO kb_tenant', current_schema());
END
$$;
ALTER TABLE workspaces ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON workspaces TO kb_tenant USING (id = current_setting('app.workspace_id')::uuid)
  WITH CHECK (id = current_setting('app.workspace_id')::uuid);

-- Table by table, so that a new table is denied until it is listed.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  uploads, roles, sessions, member_tokens, two_step, recovery_codes, categories, articles, article_live, article_drafts, trash, tags,
  article_tags, article_attachments, related_articles, article_links, redirects, article_view_months, feedback, searches, transfers,
  bulk_actions, synonyms, search_pins, search_documents, search_vectors, webhook_endpoints, webhook_deliveries TO kb_tenant;
GRANT SELECT, INSERT, DELETE ON article_versions, article_views, search_opens, search_words TO kb_tenant;
-- Members are deactivated instead of deleted, so that their articles keep an author.
GRANT SELECT, INSERT, UPDATE ON members, invitations, api_keys TO kb_tenant;
GRANT SELECT, INSERT ON audit_entries, audit_items, idempotency_keys TO kb_tenant;
GRANT SELECT, UPDATE (version, drafts, changes) ON content_versions TO kb_tenant;
GRANT SELECT, INSERT, UPDATE (number, changed_at, deleted, was_published) ON article_changes TO kb_tenant;
-- Not the subdomain, which must be free across workspaces.
GRANT SELECT, UPDATE (name, language, time_zone, visibility, accent_color, logo_upload_id, feedback_enabled,
  search_log_enabled, home_headline, home_text, contact, header_links, two_step_rule, updated_at) ON workspaces TO kb_tenant;
