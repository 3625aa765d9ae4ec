-- A connector has at most one secret of its own. Deleting a connector finds the secret by this index.

-- +goose NO TRANSACTION
-- +goose Up
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS credential_data_source;
CREATE UNIQUE INDEX CONCURRENTLY credential_data_source ON credential (data_source_id) WHERE data_source_id IS NOT NULL;

-- +goose Down
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS credential_data_source;
