-- name: SecretGet :one
SELECT body FROM secret WHERE name = $1;

-- name: SecretSet :exec
INSERT INTO secret (name, body) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET body = excluded.body, updated_at = now();

-- name: SecretOffer :exec
-- Keeps what is there: the first one wins.
INSERT INTO secret (name, body) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING;
