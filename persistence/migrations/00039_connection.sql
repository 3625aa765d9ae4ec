-- What a connector of a database elsewhere is signed in to with: its parameters, and
-- a secret that is either one that its owner keeps under a name (credential_id), or
-- its own, which goes with it (credential.data_source_id). A node of the release
-- before sees a connector without tables of its own to ask and leaves it alone.

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
