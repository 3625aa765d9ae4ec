-- +goose Up
CREATE INDEX data_source_quota ON data_source (org_id) INCLUDE (owner_id, size) WHERE seed IS NULL;

-- +goose Down
DROP INDEX data_source_quota;
