-- The two roles of the connection pools. Roles belong to the whole server, so another database on
-- it may have created them already, or may be creating them now.

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
        NULL; -- a migration of another database created it first
      END;
    END IF;
    IF NOT EXISTS (
      SELECT FROM pg_auth_members m
        JOIN pg_roles r ON r.oid = m.roleid
        JOIN pg_roles u ON u.oid = m.member
       WHERE r.rolname = name AND u.rolname = current_user
         -- From Postgres 16 on, the creator of a role may grant it but is not a member of it.
         AND coalesce((to_jsonb(m) ->> 'set_option')::boolean, true)
    ) THEN
      BEGIN
        EXECUTE format('GRANT %I TO %I', name, current_user);
      EXCEPTION WHEN unique_violation OR internal_error THEN
        NULL; -- a concurrent migration on this server granted it
      END;
    END IF;
  END LOOP;
END
$$;
-- +goose StatementEnd
GRANT USAGE ON SCHEMA public TO parley_app, parley_engine;

-- +goose Down
REVOKE USAGE ON SCHEMA public FROM parley_app, parley_engine;
