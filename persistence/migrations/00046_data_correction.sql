-- What people said about their data (domain/correction.go). A row is never changed, only withdrawn, by its own author or by
-- somebody else who may change the connector; one that takes its place withdraws it, too.
--
-- table_name and column_name are the names at the time. data_resource_id is the table while it is there: a file with one table
-- keeps its row of data_resource under another name, and so its corrections. After the table is gone the names find one that
-- comes again.
--
-- A node of the previous release neither reads nor writes this table.

-- +goose Up
CREATE TABLE data_correction (
  id               bigint PRIMARY KEY DEFAULT next_number(),
  data_source_id   bigint NOT NULL REFERENCES data_source ON DELETE CASCADE,
  data_resource_id bigint REFERENCES data_resource ON DELETE SET NULL,
  org_id           bigint NOT NULL,
  table_name       text NOT NULL,
  column_name      text NOT NULL,
  field            text NOT NULL,
  value            text NOT NULL,
  reason           text NOT NULL,
  said_by          bigint NOT NULL REFERENCES app_user,
  said_at          timestamptz NOT NULL,
  withdrawn_by     bigint REFERENCES app_user,
  withdrawn_at     timestamptz,
  CHECK ((withdrawn_by IS NULL) = (withdrawn_at IS NULL))
);
CREATE INDEX data_correction_standing ON data_correction (data_source_id) WHERE withdrawn_at IS NULL;
-- For the deletion of a connector, and for that of a table.
CREATE INDEX data_correction_source ON data_correction (data_source_id);
CREATE INDEX data_correction_resource ON data_correction (data_resource_id);

SELECT tenant_table('data_correction');
GRANT SELECT, INSERT, UPDATE (withdrawn_by, withdrawn_at) ON data_correction TO parley_app;

-- +goose Down
DROP TABLE data_correction;
