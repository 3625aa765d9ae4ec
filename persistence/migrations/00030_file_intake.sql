-- A file is stored before the row that refers to it is written, so a node that dies between the two
-- leaves a file without a row. Its key is therefore stored here first, with the node that stores the
-- file, and deleted in the transaction that writes the row. Files of a node that is gone are removed
-- like all others that nothing refers to.

-- +goose Up
ALTER TABLE discarded_file ADD COLUMN node text;
GRANT SELECT, DELETE, UPDATE (node, at) ON discarded_file TO parley_app;

-- +goose Down
REVOKE SELECT, DELETE, UPDATE ON discarded_file FROM parley_app;
DELETE FROM discarded_file WHERE node IS NOT NULL;
ALTER TABLE discarded_file DROP COLUMN node;
