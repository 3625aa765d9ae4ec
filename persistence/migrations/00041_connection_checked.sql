-- Validates the foreign keys of 00039 while others read and write.

-- +goose Up
ALTER TABLE data_source VALIDATE CONSTRAINT data_source_credential_id_fkey;
ALTER TABLE credential VALIDATE CONSTRAINT credential_data_source_id_fkey;

-- +goose Down
SELECT 1;
