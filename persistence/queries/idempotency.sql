-- name: IdempotencyBegin :execrows
-- A row means that this request is the first with the key: the key is new, or older than a day.
-- The statement waits for a running request with the same key.
INSERT INTO idempotency (user_id, key, org_id, kind, body) VALUES (@user_id, @key, @org_id, @kind, @body)
ON CONFLICT (user_id, key) DO UPDATE
   SET kind = excluded.kind, body = excluded.body, result = '', created_at = excluded.created_at
 WHERE idempotency.created_at < clock_timestamp() - interval '24 hours';

-- name: IdempotencyGet :one
SELECT kind, body, result FROM idempotency WHERE user_id = $1 AND key = $2;

-- name: IdempotencyResult :one
-- @batch
-- The result that was stored for a key within the last day.
SELECT kind, body, result FROM idempotency
 WHERE user_id = $1 AND key = $2 AND result <> '' AND created_at >= clock_timestamp() - interval '24 hours';

-- name: IdempotencyFinish :exec
UPDATE idempotency SET result = @result WHERE user_id = @user_id AND key = @key;

-- name: IdempotencyPrune :execrows
DELETE FROM idempotency WHERE created_at < clock_timestamp() - interval '25 hours';
