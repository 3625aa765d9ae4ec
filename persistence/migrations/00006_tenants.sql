-- Row level security, enabled and forced on every table with an organisation.
-- A person's request has the role parley_app and sees the organisation that its transaction names in
-- app.org_id, or no rows if that is unset. The engine works for all organisations.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION current_org() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('app.org_id', true), '')::bigint $$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
DECLARE
  name text;
  -- The subquery is evaluated once for a statement, not for each row.
  mine text := 'org_id = (SELECT current_org())';
BEGIN
  FOR name IN
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname = 'org_id' AND NOT a.attisdropped
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY app ON %I TO parley_app USING (%s) WITH CHECK (%s)', name, mine, mine);
    EXECUTE format('CREATE POLICY engine ON %I TO parley_engine USING (true) WITH CHECK (true)', name);
  END LOOP;
END
$$;
-- +goose StatementEnd
ALTER TABLE organisation ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY app ON organisation TO parley_app USING (id = (SELECT current_org()));
CREATE POLICY engine ON organisation TO parley_engine USING (true) WITH CHECK (true);

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO parley_engine;
REVOKE ALL ON goose_db_version FROM parley_engine;

-- Requests read their organisation, and write only what has no position in a conversation's log:
-- the engine alone writes messages, turns and grants.
GRANT SELECT ON organisation, app_user, team, team_member, user_event, idempotency, analyst, analyst_person,
  conversation, conversation_event, conversation_grant, conversation_person, conversation_reader,
  message, message_chunk, display_object, turn, usage,
  data_source, data_resource, data_source_grant, data_source_person, data_source_reader TO parley_app;
GRANT INSERT ON conversation, conversation_event, conversation_snapshot, user_event, idempotency,
  conversation_person, data_source, data_resource, data_source_person, analyst_person TO parley_app;
GRANT UPDATE ON conversation_person, data_source_person, analyst_person, idempotency TO parley_app;
GRANT UPDATE (next_seq, last_seen_at) ON app_user TO parley_app;

-- +goose Down
-- +goose StatementBegin
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT tablename FROM pg_policies WHERE schemaname = 'public' GROUP BY tablename LOOP
    EXECUTE format('DROP POLICY app ON %I', name);
    EXECUTE format('DROP POLICY engine ON %I', name);
    EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY', name);
  END LOOP;
END
$$;
-- +goose StatementEnd
DROP FUNCTION current_org();
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM parley_app, parley_engine;
