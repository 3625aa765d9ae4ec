-- Sign-ins of people, identified by their bearers. A row is created by the first call of a sign-in and
-- has the time of its last use and of its end. The key is a hash: no part of a token is stored.

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

-- When a person logged out whose sign-ins have no name: it ends all of them that began before.
CREATE TABLE sign_out (
  user_id bigint PRIMARY KEY REFERENCES app_user,
  org_id  bigint NOT NULL,
  at      timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Only the engine may use both tables; the role of requests has no rights on them.
SELECT tenant_table('sign_in'), tenant_table('sign_out');

-- +goose Down
DROP TABLE sign_out, sign_in;
