-- Whether what a connector says of itself was made from its file, and nobody has
-- written it: another file then brings its own. A node of the release before writes
-- no such mark, so that its connectors keep what they say.

-- +goose Up
ALTER TABLE data_source ADD COLUMN description_generated boolean NOT NULL DEFAULT false;
GRANT UPDATE (description_generated) ON data_source TO parley_app;

-- +goose Down
ALTER TABLE data_source DROP COLUMN description_generated;
