-- name: CredentialInsert :one
INSERT INTO credential (id, org_id, owner_id, name, key_id, wrapped_key, body)
VALUES (@id, @org_id, @owner_id, @name, @key_id, @wrapped_key, @body)
RETURNING created_at;

-- name: CredentialGet :one
-- What people may know of one.
SELECT id, name, created_at FROM credential WHERE id = $1;

-- name: CredentialOpen :one
-- @batch
-- For whoever signs in with it, which is the engine and no request.
SELECT key_id, wrapped_key, body FROM credential WHERE id = @id AND org_id = @org_id;

-- name: CredentialsUnder :many
-- Some of those whose key is not wrapped by the given one, after an id.
SELECT id, org_id, key_id, wrapped_key, body FROM credential
 WHERE key_id <> @key_id AND id > @after ORDER BY id LIMIT 200;

-- name: CredentialRewrap :exec
UPDATE credential SET key_id = @key_id, wrapped_key = @wrapped_key WHERE id = @id AND key_id = @before;
