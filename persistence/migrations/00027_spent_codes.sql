-- Codes of the embedded identity provider that were exchanged, so that a second use is recognised on
-- every node and after a restart. The key is a hash, and the body names the sign-in that the first use
-- started: no part of a token is stored.

-- +goose Up
CREATE TABLE spent_code (
  hash  bytea PRIMARY KEY,
  body  bytea NOT NULL,
  until timestamptz NOT NULL -- all tokens from this code have expired by then
);
CREATE INDEX spent_code_until ON spent_code (until);
GRANT SELECT, INSERT, DELETE ON spent_code TO parley_engine;

-- +goose Down
DROP TABLE spent_code;
