-- A client chooses the ids of its prompts. While they were unique over all
-- organisations, a send under the id of somebody else's message told that there is
-- such a message. From 00032 on they are unique in an organisation; this index is to
-- be that key. The id comes first, because queries search by it.

-- +goose NO TRANSACTION
-- +goose Up
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS message_id_org;
CREATE UNIQUE INDEX CONCURRENTLY message_id_org ON message (id, org_id);

-- +goose Down
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS message_id_org;
