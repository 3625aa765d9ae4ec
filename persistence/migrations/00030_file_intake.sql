-- A file is stored before the row that refers to it is written, so a node that dies
-- between the two leaves a file that nobody knows of. Its key therefore stands here
-- first, with the node that is storing it, and leaves in the transaction that makes
-- the row. What a node that is gone had begun is removed like any other file that
-- nothing refers to.

-- +goose Up
ALTER TABLE discarded_file ADD COLUMN node text;
GRANT SELECT, DELETE, UPDATE (node, at) ON discarded_file TO parley_app;

-- +goose Down
REVOKE SELECT, DELETE, UPDATE ON discarded_file FROM parley_app;
DELETE FROM discarded_file WHERE node IS NOT NULL;
ALTER TABLE discarded_file DROP COLUMN node;
