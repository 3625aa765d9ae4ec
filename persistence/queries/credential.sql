-- name: CredentialInsert :one
INSERT INTO credential (id, org_id, owner_id, name, key_id, wrapped_key, body, data_source_id)
VALUES (@id, @org_id, @owner_id, @name, @key_id, @wrapped_key, @body, @data_source_id)
RETURNING created_at;

-- name: CredentialGet :one
-- What people may see of one.
SELECT id, name, created_at FROM credential WHERE id = $1;

-- name: CredentialOpen :one
-- @batch
-- For signing in with it: only the engine does that, no request.
SELECT key_id, wrapped_key, body FROM credential WHERE id = @id AND org_id = @org_id;

-- name: CredentialList :many
-- @batch
-- Those that a person stored under a name.
SELECT id, name, created_at FROM credential WHERE owner_id = @owner_id AND data_source_id IS NULL ORDER BY lower(name), id LIMIT 1000;

-- name: CredentialOwned :one
-- @batch @call
-- Whether a person stored one under a name.
SELECT EXISTS (SELECT FROM credential WHERE id = @id AND owner_id = @owner_id AND data_source_id IS NULL);

-- name: CredentialOfSource :one
-- The secret of a connector: its own, or one that its owner stored under a name.
SELECT c.id FROM data_source d JOIN credential c ON c.id = d.credential_id OR c.data_source_id = d.id
 WHERE d.id = @data_source_id AND d.org_id = @org_id AND c.org_id = d.org_id;

-- name: CredentialsUnder :many
-- Some secrets whose key is not wrapped by the given master key, after an id.
SELECT id, org_id, key_id, wrapped_key, body FROM credential
 WHERE key_id <> @key_id AND id > @after ORDER BY id LIMIT 200;

-- name: CredentialRewrap :exec
UPDATE credential SET key_id = @key_id, wrapped_key = @wrapped_key WHERE id = @id AND key_id = @before;

-- name: DatabaseIdentity :one
SELECT ((SELECT system_identifier FROM pg_catalog.pg_control_system())::text || '/' || (SELECT oid FROM pg_catalog.pg_database
  WHERE datname = current_database())::text)::text;
