-- Sign-ins of people, as their bearers tell them apart. A row begins with the
-- first call of a sign-in and says when it was used last and whether it has
-- ended. The key is a hash: nothing of a token is kept.

-- +goose Up
CREATE TABLE sign_in (
  user_id   bigint NOT NULL REFERENCES app_user,
  key       bytea NOT NULL,
  org_id    bigint NOT NULL,
  -- is_named: the provider names its sign-ins (sid), so that one can be ended alone.
  is_named  boolean NOT NULL,
  began_at  timestamptz NOT NULL,
  active_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at  timestamptz,
  PRIMARY KEY (user_id, key)
) WITH (fillfactor = 80);
CREATE INDEX sign_in_began ON sign_in (began_at);

-- When a person logged out whose sign-ins have no name: all of those that began
-- before are over.
CREATE TABLE sign_out (
  user_id bigint PRIMARY KEY REFERENCES app_user,
  org_id  bigint NOT NULL,
  at      timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Both are the engine's alone: a request's own role has no business with them.
SELECT tenant_table('sign_in'), tenant_table('sign_out');

-- +goose Down
DROP TABLE sign_out, sign_in;
