-- The keys and foreign keys that a remote database enforces on a table (domain.Declared). A node of the previous release neither reads
-- nor writes them; the tables that it stores have none until their data source is read again.

-- +goose Up
ALTER TABLE data_resource ADD COLUMN declared json NOT NULL DEFAULT '{}';
GRANT UPDATE (declared) ON data_resource TO parley_app;

-- +goose Down
ALTER TABLE data_resource DROP COLUMN declared;
