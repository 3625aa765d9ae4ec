-- What 00006_tenants.sql did for the tables that existed then, as a function for later tables: each
-- migration calls it once for each table that it creates.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION tenant_table(name regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  mine text := 'org_id = (SELECT current_org())';
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
  EXECUTE format('CREATE POLICY app ON %s TO parley_app USING (%s) WITH CHECK (%s)', name, mine, mine);
  EXECUTE format('CREATE POLICY engine ON %s TO parley_engine USING (true) WITH CHECK (true)', name);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO parley_engine', name);
END
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION tenant_table(regclass);
