-- The whole content model, and the wall around it (ARCHITECTURE.md, "The wall").
--
-- Every table of a workspace has the primary key (workspace_id, id), and every unique index and foreign key
-- among them begins with workspace_id: foreign-key checks bypass row security, the composite key does not let
-- them leave the workspace. workspace_id defaults to the wall's own setting, so code never chooses one.
-- States are text with a CHECK: an enum's "=" is not leakproof and may not use an index behind a policy.

-- The role that product code runs as. Roles belong to the whole server, so another database may have made it.
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
  -- Another owner on this server made the role. It must have been granted then.
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
  delete_after       timestamptz(3),
  created_at         timestamptz(3) NOT NULL DEFAULT now(),
  updated_at         timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX workspaces_subdomain_key ON workspaces (subdomain);

-- Subdomains a workspace once had: they redirect, and nobody else may take them. A directory across workspaces.
CREATE TABLE former_subdomains (
  subdomain    text PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  created_at   timestamptz(3) NOT NULL DEFAULT now()
);

-- People -------------------------------------------------------------------------------------------------------

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

CREATE TABLE uploads (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  storage_key  text NOT NULL,
  filename     text NOT NULL CHECK (length(filename) BETWEEN 1 AND 255),
  content_type text NOT NULL,
  byte_size    bigint NOT NULL CHECK (byte_size >= 0),
  sha256       bytea NOT NULL,
  width        integer,
  height       integer,
  created_by   uuid,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX uploads_storage_key_key ON uploads (workspace_id, storage_key);

CREATE TABLE members (
  workspace_id      uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id                uuid NOT NULL DEFAULT gen_random_uuid(),
  email             text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  -- The address without regard to case: what is unique, and what sign-in and filters compare.
  email_folded      text GENERATED ALWAYS AS (lower(email)) STORED,
  first_name        text NOT NULL CHECK (length(first_name) BETWEEN 1 AND 100),
  last_name         text NOT NULL CHECK (length(last_name) BETWEEN 1 AND 100),
  time_zone         text NOT NULL DEFAULT 'UTC',
  role_id           uuid NOT NULL,
  active            boolean NOT NULL DEFAULT true,
  password_hash     text,
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

ALTER TABLE uploads ADD FOREIGN KEY (workspace_id, created_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (created_by);
ALTER TABLE workspaces ADD FOREIGN KEY (id, logo_upload_id) REFERENCES uploads (workspace_id, id) ON DELETE SET NULL (logo_upload_id);

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

-- Magic links, password resets and e-mail confirmations: 256 bits, kept as a hash, used once.
CREATE TABLE member_tokens (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  member_id    uuid NOT NULL,
  purpose      text NOT NULL CHECK (purpose IN ('sign_in', 'password_reset', 'email_change')),
  token_hash   bytea NOT NULL,
  new_email    text,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  expires_at   timestamptz(3) NOT NULL,
  used_at      timestamptz(3),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX member_tokens_token_hash_key ON member_tokens (workspace_id, token_hash);
CREATE INDEX member_tokens_member_id_idx ON member_tokens (workspace_id, member_id);

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
-- One open invitation for an address.
CREATE UNIQUE INDEX invitations_open_key ON invitations (workspace_id, email_folded) WHERE accepted_at IS NULL AND withdrawn_at IS NULL;

CREATE TABLE api_keys (
  workspace_id       uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id                 uuid NOT NULL DEFAULT gen_random_uuid(),
  name               text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  key_hash           bytea NOT NULL,
  last_four          text NOT NULL CHECK (length(last_four) = 4),
  permission         text NOT NULL CHECK (permission IN ('read', 'read_write')),
  created_by         uuid,
  rotated_from_id    uuid,
  created_at         timestamptz(3) NOT NULL DEFAULT now(),
  expires_at         timestamptz(3),
  revoked_at         timestamptz(3),
  last_used_at       timestamptz(3),
  last_used_ip       text,
  last_used_route    text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, created_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (created_by),
  FOREIGN KEY (workspace_id, rotated_from_id) REFERENCES api_keys (workspace_id, id) ON DELETE SET NULL (rotated_from_id)
);
CREATE UNIQUE INDEX api_keys_key_hash_key ON api_keys (workspace_id, key_hash);

-- Categories ---------------------------------------------------------------------------------------------------

CREATE TABLE categories (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  parent_id    uuid CHECK (parent_id <> id),
  -- Collated by ICU's root order, so that a list reads the same on every database (contract 6).
  name         text COLLATE "und-x-icu" NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  description  text,
  slug         text NOT NULL CHECK (slug ~ '^[a-z0-9-]{1,100}$'),
  sequence     integer,
  visibility   text NOT NULL DEFAULT 'inherit' CHECK (visibility IN ('inherit', 'everyone', 'members')),
  -- Where an import took it from, relative to the imported folder: what makes a second run update.
  source_path  text,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  updated_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, parent_id) REFERENCES categories (workspace_id, id)
);
CREATE UNIQUE INDEX categories_slug_key ON categories (workspace_id, slug);
CREATE UNIQUE INDEX categories_source_path_key ON categories (workspace_id, source_path) WHERE source_path IS NOT NULL;
CREATE INDEX categories_parent_id_idx ON categories (workspace_id, parent_id);

-- Articles: who they are (articles), what readers see (article_live), what is being written (article_drafts) -------

CREATE TABLE articles (
  workspace_id        uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id                  uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Made once, never changes (contract 45).
  permalink           text NOT NULL CHECK (permalink ~ '^a-[0-9a-f]{8}$'),
  slug                text NOT NULL CHECK (slug ~ '^[a-z0-9-]{1,100}$' AND slug !~ '^a-[0-9a-f]{8}$'
                        AND slug !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'),
  category_id         uuid NOT NULL,
  -- The place inside its category; equal places are ordered by title, then id.
  sequence            integer NOT NULL DEFAULT 0,
  author_id           uuid NOT NULL,
  -- 'published' exactly when there is a row in article_live.
  state               text NOT NULL CHECK (state IN ('draft', 'published')),
  -- The title as lists show it: the live one of a published article, else the draft's.
  title               text COLLATE "und-x-icu" NOT NULL CHECK (length(title) BETWEEN 1 AND 300),
  -- Counts saves of the draft; a save names the revision that it began from.
  revision            integer NOT NULL DEFAULT 1,
  unique_views_count  integer NOT NULL DEFAULT 0,
  publish_at          timestamptz(3),
  published_at        timestamptz(3),
  source_path         text,
  source_hash         bytea,
  created_at          timestamptz(3) NOT NULL DEFAULT now(),
  updated_at          timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, category_id) REFERENCES categories (workspace_id, id),
  FOREIGN KEY (workspace_id, author_id) REFERENCES members (workspace_id, id)
);
CREATE UNIQUE INDEX articles_permalink_key ON articles (workspace_id, permalink);
CREATE UNIQUE INDEX articles_slug_key ON articles (workspace_id, slug);
CREATE UNIQUE INDEX articles_source_path_key ON articles (workspace_id, source_path) WHERE source_path IS NOT NULL;
CREATE INDEX articles_created_at_idx ON articles (workspace_id, created_at DESC, id);
CREATE INDEX articles_category_id_idx ON articles (workspace_id, category_id, state, sequence);
CREATE INDEX articles_author_id_idx ON articles (workspace_id, author_id);
CREATE INDEX articles_publish_at_idx ON articles (workspace_id, publish_at) WHERE publish_at IS NOT NULL;

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
  updated_by             uuid,
  updated_at             timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, updated_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (updated_by)
);

-- What an article was when it was published, and points of the draft that can be taken back.
CREATE TABLE article_versions (
  workspace_id           uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
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
  created_by             uuid,
  created_at             timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, created_by) REFERENCES members (workspace_id, id) ON DELETE SET NULL (created_by)
);
CREATE UNIQUE INDEX article_versions_number_key ON article_versions (workspace_id, article_id, number);

-- Tags, attachments and related articles wait for publishing like the text does: a row says in which of the two it is.

CREATE TABLE tags (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  name         text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  -- Folded by the application (any script), not by the database's locale.
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

-- Links and images inside the text: for "leads nowhere", and to know which uploads are still in use.
CREATE TABLE article_links (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  article_id   uuid NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('link', 'image')),
  href         text NOT NULL,
  in_live      boolean NOT NULL,
  in_draft     boolean NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CHECK (in_live OR in_draft),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX article_links_article_id_idx ON article_links (workspace_id, article_id);

-- An address that no longer is one: it leads to an article, a category or elsewhere, or is gone for good (410).
CREATE TABLE redirects (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  from_path    text NOT NULL CHECK (from_path LIKE '/%' AND length(from_path) <= 500),
  kind         text NOT NULL CHECK (kind IN ('article', 'category', 'url', 'gone')),
  article_id   uuid,
  category_id  uuid,
  url          text,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  CHECK ((kind = 'article') = (article_id IS NOT NULL) AND (kind = 'category') = (category_id IS NOT NULL)
    AND (kind = 'url') = (url IS NOT NULL)),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, category_id) REFERENCES categories (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX redirects_from_path_key ON redirects (workspace_id, from_path);
CREATE INDEX redirects_article_id_idx ON redirects (workspace_id, article_id) WHERE article_id IS NOT NULL;
CREATE INDEX redirects_category_id_idx ON redirects (workspace_id, category_id) WHERE category_id IS NOT NULL;

-- What readers do, without the reader ---------------------------------------------------------------------------

-- One row for a viewer, an article and a day. The viewer is a hash with a salt that changes every day.
CREATE TABLE article_views (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  article_id   uuid NOT NULL,
  day          date NOT NULL,
  viewer_hash  bytea NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX article_views_key ON article_views (workspace_id, article_id, day, viewer_hash);
CREATE INDEX article_views_day_idx ON article_views (workspace_id, day);

CREATE TABLE feedback (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  article_id   uuid NOT NULL,
  day          date NOT NULL,
  viewer_hash  bytea NOT NULL,
  helpful      boolean NOT NULL,
  reason       text CHECK (length(reason) <= 2000),
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX feedback_key ON feedback (workspace_id, article_id, day, viewer_hash);
CREATE INDEX feedback_created_at_idx ON feedback (workspace_id, created_at DESC);

CREATE TABLE searches (
  workspace_id   uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id             uuid NOT NULL DEFAULT gen_random_uuid(),
  term           text NOT NULL CHECK (length(term) <= 200),
  term_folded    text NOT NULL,
  results_count  integer NOT NULL,
  clicked        boolean NOT NULL DEFAULT false,
  created_at     timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX searches_created_at_idx ON searches (workspace_id, created_at DESC);

CREATE TABLE synonyms (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  term         text NOT NULL CHECK (length(term) BETWEEN 1 AND 100),
  term_folded  text NOT NULL,
  replacements text[] NOT NULL CHECK (cardinality(replacements) BETWEEN 1 AND 20),
  -- Two-way: each replacement also finds the term.
  two_way      boolean NOT NULL DEFAULT true,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX synonyms_term_folded_key ON synonyms (workspace_id, term_folded);

-- Who changed what, from where, with which key. Written and read, never changed.
CREATE TABLE audit_entries (
  workspace_id uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid REFERENCES workspaces (id) ON DELETE CASCADE,
  id           uuid NOT NULL DEFAULT gen_random_uuid(),
  actor_kind   text NOT NULL CHECK (actor_kind IN ('member', 'api_key', 'command_line', 'system')),
  -- Not foreign keys: an entry outlives what it speaks of, and keeps the name it had.
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

-- Search -------------------------------------------------------------------------------------------------------

-- One row for an article, live or draft. Partitioned so that nobody pays for the largest workspace.
CREATE TABLE search_documents (
  workspace_id   uuid NOT NULL DEFAULT current_setting('app.workspace_id')::uuid,
  id             uuid NOT NULL,
  published      boolean NOT NULL,
  updated_at     timestamptz(3) NOT NULL,
  -- The words of the title, folded and joined by blanks: for "equals" and "starts with".
  title          text NOT NULL,
  -- A title, B content, C slug, D category name and keywords. Words are split by the application.
  words          tsvector NOT NULL,
  -- The category name again: only four labels exist, and it weighs more than keywords.
  category_words tsvector NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, id) REFERENCES articles (workspace_id, id) ON DELETE CASCADE
) PARTITION BY HASH (workspace_id);
DO $$
BEGIN
  FOR remainder IN 0..63 LOOP
    EXECUTE format('CREATE TABLE search_documents_%s PARTITION OF search_documents FOR VALUES WITH (MODULUS 64, REMAINDER %s)',
      lpad(remainder::text, 2, '0'), remainder);
  END LOOP;
END
$$;
CREATE INDEX search_documents_words_idx ON search_documents USING gin (words) WITH (fastupdate = off);

-- The one hatch in the wall that reads: behind a policy "@@" may not use an index, so these two filter by the
-- workspace themselves. plpgsql keeps its plan, where a LANGUAGE sql function would plan again on each call.
-- pg_temp is named last, or PostgreSQL would look there first: a temporary view could pose as a table and run as us.

-- Articles of either state whose title or text has every word, for lists that keep an order of their own.
CREATE FUNCTION search_filter(query tsquery) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
BEGIN
  RETURN QUERY SELECT d.id FROM search_documents d WHERE d.workspace_id = workspace AND d.words @@ query;
END
$$;

-- Published articles by relevance, one page of their ids and the true total.
-- in_title, in_text, in_slug are the same query confined to the labels A, AB and ABC. The first order is the
-- shortest run of fields (title, content, slug, category name, keywords) that holds every word; then closeness.
CREATE FUNCTION search_rank(query tsquery, in_title tsquery, in_text tsquery, in_slug tsquery, folded text,
  page_size integer, page_offset bigint)
RETURNS TABLE (total bigint, ids uuid[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  workspace CONSTANT uuid := current_setting('app.workspace_id')::uuid;
BEGIN
  RETURN QUERY
  WITH matches AS MATERIALIZED (
    SELECT d.id, d.updated_at,
      CASE
        WHEN d.words @@ in_title THEN CASE
          WHEN d.title = folded THEN 8
          WHEN starts_with(d.title, folded) THEN 7
          ELSE 6 END
        WHEN d.words @@ in_text THEN 5
        WHEN d.words @@ in_slug THEN 4
        WHEN ts_filter(d.words, '{a,b,c}') || d.category_words @@ query THEN 3
        ELSE 2
      END AS tier,
      ts_rank_cd('{0.1, 0.2, 0.4, 1}', d.words, query) AS closeness,
      d.title AS title
    FROM search_documents d
    WHERE d.workspace_id = workspace AND d.published AND d.words @@ query
  )
  SELECT (SELECT count(*) FROM matches), ARRAY(
    SELECT m.id FROM matches m
    ORDER BY m.tier DESC, CASE WHEN m.tier >= 6 THEN -length(m.title) ELSE 0 END DESC, m.closeness DESC, m.updated_at DESC, m.id
    LIMIT page_size OFFSET page_offset);
END
$$;
REVOKE EXECUTE ON FUNCTION search_filter(tsquery) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION search_rank(tsquery, tsquery, tsquery, tsquery, text, integer, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION search_filter(tsquery) TO kb_tenant;
GRANT EXECUTE ON FUNCTION search_rank(tsquery, tsquery, tsquery, tsquery, text, integer, bigint) TO kb_tenant;

-- The wall -----------------------------------------------------------------------------------------------------

-- Row security on every table, partitions too: a partition named directly has policies of its own.
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
END
$$;
ALTER TABLE workspaces ENABLE ROW LEVEL SECURITY;
CREATE POLICY wall ON workspaces TO kb_tenant USING (id = current_setting('app.workspace_id')::uuid)
  WITH CHECK (id = current_setting('app.workspace_id')::uuid);

-- Grants table by table, so that a new table is denied, not open.
DO $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO kb_tenant', current_schema());
END
$$;
-- Not the subdomain: whether it is free is a question across workspaces.
GRANT SELECT, UPDATE (name, language, time_zone, visibility, accent_color, logo_upload_id, feedback_enabled,
  search_log_enabled, updated_at) ON workspaces TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON roles TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON uploads TO kb_tenant;
-- Members are deactivated, never deleted: what they wrote keeps its author.
GRANT SELECT, INSERT, UPDATE ON members TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON member_tokens TO kb_tenant;
GRANT SELECT, INSERT, UPDATE ON invitations TO kb_tenant;
GRANT SELECT, INSERT, UPDATE ON api_keys TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON categories TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON articles TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON article_live TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON article_drafts TO kb_tenant;
GRANT SELECT, INSERT, DELETE ON article_versions TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON tags TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON article_tags TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON article_attachments TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON related_articles TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON article_links TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON redirects TO kb_tenant;
GRANT SELECT, INSERT, DELETE ON article_views TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON feedback TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON searches TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON synonyms TO kb_tenant;
GRANT SELECT, INSERT ON audit_entries TO kb_tenant;
GRANT SELECT, INSERT, UPDATE, DELETE ON search_documents TO kb_tenant;
