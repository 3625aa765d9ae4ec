-- The two roles that the pools work as. They belong to the whole server, so
-- another database on it may have made them already, or be making them now.

-- +goose Up
-- +goose StatementBegin
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['parley_app', 'parley_engine'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN NOBYPASSRLS', name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL; -- somebody else was faster
      END;
    END IF;
    IF NOT EXISTS (
      SELECT FROM pg_auth_members m
        JOIN pg_roles r ON r.oid = m.roleid
        JOIN pg_roles u ON u.oid = m.member
       WHERE r.rolname = name AND u.rolname = current_user
         -- From Postgres 16 on, the creator of a role may grant it but not take it on.
         AND coalesce((to_jsonb(m) ->> 'set_option')::boolean, true)
    ) THEN
      BEGIN
        EXECUTE format('GRANT %I TO %I', name, current_user);
      EXCEPTION WHEN unique_violation OR internal_error THEN
        NULL; -- a concurrent migration of this server gave it
      END;
    END IF;
  END LOOP;
END
$$;
-- +goose StatementEnd
GRANT USAGE ON SCHEMA public TO parley_app, parley_engine;

-- +goose Down
REVOKE USAGE ON SCHEMA public FROM parley_app, parley_engine;
