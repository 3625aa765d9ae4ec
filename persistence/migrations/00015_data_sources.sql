-- +goose Up

-- Returns whether a row, as JSON, meets all conditions of a list's filter (domain.Filters as JSON). An
-- array meets eq and contains if it has the value. Times are seconds since 1970.
-- +goose StatementBegin
CREATE FUNCTION filter_matches(doc jsonb, conditions jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(bool_and(coalesce(
    CASE c ->> 'op'
      WHEN 'eq' THEN doc -> (c ->> 'field') @> (c -> 'values' -> 0)
      WHEN 'neq' THEN NOT coalesce(doc -> (c ->> 'field') @> (c -> 'values' -> 0), false)
      WHEN 'contains' THEN CASE jsonb_typeof(doc -> (c ->> 'field'))
        WHEN 'array' THEN doc -> (c ->> 'field') @> (c -> 'values' -> 0)
        ELSE strpos(lower(doc ->> (c ->> 'field')), lower(c -> 'values' ->> 0)) > 0 END
      WHEN 'gt' THEN jsonb_typeof(doc -> (c ->> 'field')) = jsonb_typeof(c -> 'values' -> 0)
        AND doc -> (c ->> 'field') > (c -> 'values' -> 0)
      WHEN 'lt' THEN jsonb_typeof(doc -> (c ->> 'field')) = jsonb_typeof(c -> 'values' -> 0)
        AND doc -> (c ->> 'field') < (c -> 'values' -> 0)
      WHEN 'in' THEN EXISTS (SELECT FROM jsonb_array_elements(c -> 'values') v WHERE doc -> (c ->> 'field') @> v)
    END, false)), true)
  FROM jsonb_array_elements(conditions) c
$$;
-- +goose StatementEnd

ALTER TABLE data_source
  ADD version        integer  NOT NULL DEFAULT 1,
  ADD delimiter      text     NOT NULL DEFAULT '', -- what a person said of the file
  ADD project_labels bigint[] NOT NULL DEFAULT '{}';
CREATE INDEX data_source_file ON data_source (file_key) WHERE file_key <> '';
CREATE INDEX data_source_work ON data_source (work_key) WHERE work_key <> '';

-- As before, except for the data sources of conversations. The owner of the conversation owns the data
-- source too, so the view joins only the people with whom the conversation is shared, and never all
-- conversations of a person.
CREATE OR REPLACE VIEW data_source_reader WITH (security_invoker = true) AS
  SELECT d.id AS data_source_id, d.owner_id AS user_id, 3 AS rank FROM data_source d
  UNION ALL
  SELECT d.id, u.id, 1 FROM data_source d JOIN app_user u ON u.org_id = d.org_id WHERE d.scope = 'organization'
  UNION ALL
  SELECT g.data_source_id, g.user_id, CASE g.permission WHEN 'write' THEN 2 ELSE 1 END
    FROM data_source_grant g WHERE g.user_id IS NOT NULL
  UNION ALL
  SELECT g.data_source_id, t.user_id, CASE g.permission WHEN 'write' THEN 2 ELSE 1 END
    FROM data_source_grant g JOIN team_member t ON t.team_id = g.team_id
  UNION ALL
  SELECT d.id, g.user_id, 1
    FROM data_source d
    JOIN conversation c ON c.id = d.conversation_id AND c.deleted_at IS NULL
    JOIN conversation_grant g ON g.conversation_id = c.id
   WHERE d.conversation_id IS NOT NULL AND g.user_id IS NOT NULL
  UNION ALL
  SELECT d.id, t.user_id, 1
    FROM data_source d
    JOIN conversation c ON c.id = d.conversation_id AND c.deleted_at IS NULL
    JOIN conversation_grant g ON g.conversation_id = c.id
    JOIN team_member t ON t.team_id = g.team_id
   WHERE d.conversation_id IS NOT NULL;

-- Files that no data source refers to any more. They are removed after a delay, because a running
-- query may still open them.
CREATE TABLE discarded_file (
  key    text PRIMARY KEY,
  org_id bigint NOT NULL,
  at     timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX discarded_file_at ON discarded_file (at);

-- Samples that were deleted, so that seeding does not create them again.
CREATE TABLE deleted_sample (
  org_id bigint NOT NULL REFERENCES organisation,
  seed   text NOT NULL,
  PRIMARY KEY (org_id, seed)
);

-- Secrets of connectors. Each body is encrypted with its own key, which is wrapped by the master key
-- that key_id names. Requests can add a row, but no request can read one.
CREATE TABLE credential (
  id          uuid PRIMARY KEY,
  org_id      bigint NOT NULL REFERENCES organisation,
  owner_id    bigint NOT NULL REFERENCES app_user,
  name        text NOT NULL,
  key_id      text NOT NULL,
  wrapped_key bytea NOT NULL,
  body        bytea NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX credential_key ON credential (key_id, id);

SELECT tenant_table('discarded_file'), tenant_table('deleted_sample'), tenant_table('credential');
GRANT INSERT ON discarded_file, deleted_sample, credential, data_source_grant TO parley_app;
GRANT SELECT (id, org_id, owner_id, name, created_at) ON credential TO parley_app;
GRANT UPDATE (name, description, project_labels, type, is_archived, file_name, delimiter, file_key, work_key, size, version, updated_at) ON data_source TO parley_app;
GRANT UPDATE (name, table_name, description, details, columns, row_count, preview) ON data_resource TO parley_app;
GRANT UPDATE (permission) ON data_source_grant TO parley_app;
GRANT DELETE ON data_source, data_resource, data_source_grant TO parley_app;

-- +goose Down
REVOKE INSERT, UPDATE, DELETE ON data_source_grant FROM parley_app;
REVOKE UPDATE, DELETE ON data_source, data_resource FROM parley_app;
DROP TABLE credential, deleted_sample, discarded_file;
CREATE OR REPLACE VIEW data_source_reader WITH (security_invoker = true) AS
  SELECT d.id AS data_source_id, d.owner_id AS user_id, 3 AS rank FROM data_source d
  UNION ALL
  SELECT d.id, u.id, 1 FROM data_source d JOIN app_user u ON u.org_id = d.org_id WHERE d.scope = 'organization'
  UNION ALL
  SELECT g.data_source_id, g.user_id, CASE g.permission WHEN 'write' THEN 2 ELSE 1 END
    FROM data_source_grant g WHERE g.user_id IS NOT NULL
  UNION ALL
  SELECT g.data_source_id, t.user_id, CASE g.permission WHEN 'write' THEN 2 ELSE 1 END
    FROM data_source_grant g JOIN team_member t ON t.team_id = g.team_id
  UNION ALL
  SELECT d.id, r.user_id, 1
    FROM data_source d
    JOIN conversation c ON c.id = d.conversation_id AND c.deleted_at IS NULL
    JOIN conversation_reader r ON r.conversation_id = c.id
   WHERE d.conversation_id IS NOT NULL;
DROP INDEX data_source_work, data_source_file;
ALTER TABLE data_source DROP project_labels, DROP delimiter, DROP version;
DROP FUNCTION filter_matches(jsonb, jsonb);
