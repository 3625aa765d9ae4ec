-- What a connector of a remote database signs in with: parameters and a secret. The secret is either
-- one that its owner has stored under a name (credential_id), or the connector's own, which is deleted
-- with it (credential.data_source_id). A node of the previous release sees a connector without tables
-- and does not use it.

-- +goose Up
ALTER TABLE data_source ADD COLUMN params jsonb NOT NULL DEFAULT '{}', ADD COLUMN credential_id uuid;
ALTER TABLE data_source ADD CONSTRAINT data_source_credential_id_fkey FOREIGN KEY (credential_id) REFERENCES credential NOT VALID;
ALTER TABLE credential ADD COLUMN data_source_id bigint;
ALTER TABLE credential ADD CONSTRAINT credential_data_source_id_fkey
  FOREIGN KEY (data_source_id) REFERENCES data_source ON DELETE CASCADE NOT VALID;
GRANT SELECT (data_source_id) ON credential TO parley_app;

-- +goose Down
ALTER TABLE data_source DROP COLUMN params, DROP COLUMN credential_id;
DELETE FROM credential WHERE data_source_id IS NOT NULL;
ALTER TABLE credential DROP COLUMN data_source_id;
