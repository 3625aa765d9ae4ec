-- Whether the description of a connector was generated from its file and not written by a person:
-- another file then replaces it. A node of the previous release does not set it, so the descriptions of
-- its connectors stay.

-- +goose Up
ALTER TABLE data_source ADD COLUMN description_generated boolean NOT NULL DEFAULT false;
GRANT UPDATE (description_generated) ON data_source TO parley_app;

-- +goose Down
ALTER TABLE data_source DROP COLUMN description_generated;
