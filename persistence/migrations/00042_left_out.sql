-- What the description of a remote database omits, such as the tables after the first 200, in words. A
-- node of the previous release neither reads nor writes it.

-- +goose Up
ALTER TABLE data_source ADD COLUMN left_out text NOT NULL DEFAULT '';
GRANT UPDATE (left_out) ON data_source TO parley_app;

-- +goose Down
ALTER TABLE data_source DROP COLUMN left_out;
