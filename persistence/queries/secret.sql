-- name: SecretGet :one
SELECT body FROM secret WHERE name = $1;

-- name: SecretSet :exec
INSERT INTO secret (name, body) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET body = excluded.body, updated_at = now();

-- name: SecretOffer :exec
-- An existing secret stays: the first one wins.
INSERT INTO secret (name, body) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING;

-- name: SpentCodeKeep :exec
INSERT INTO spent_code (hash, body, until) VALUES (@hash, @body, @until) ON CONFLICT (hash) DO NOTHING;

-- name: SpentCodeGet :one
SELECT body FROM spent_code WHERE hash = @hash AND until > @now;

-- name: SpentCodePrune :execrows
DELETE FROM spent_code WHERE until < clock_timestamp();
