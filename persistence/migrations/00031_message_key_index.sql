-- A client chooses the ids of its prompts. While they were unique over all organisations, a prompt with
-- the id of a message of another organisation revealed that the message exists. From 00032 on they are
-- unique within an organisation, and this index becomes the key. The id is its first column, because
-- queries search by it.

-- +goose NO TRANSACTION
-- +goose Up
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS message_id_org;
CREATE UNIQUE INDEX CONCURRENTLY message_id_org ON message (id, org_id);

-- +goose Down
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS message_id_org;
