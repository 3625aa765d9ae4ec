-- +goose Up

-- A row is a lease, by the clock of the database.
CREATE TABLE cluster_member (
  node        text PRIMARY KEY,
  name        text NOT NULL,
  incarnation uuid NOT NULL,
  address     text NOT NULL,
  load        double precision NOT NULL DEFAULT 0,
  expires_at  timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX cluster_member_name ON cluster_member (name);

-- Secrets that the nodes share and nobody else may read: the cluster's certificate authority and
-- signing keys.
CREATE TABLE secret (
  name       text PRIMARY KEY,
  body       bytea NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- +goose Down
DROP TABLE secret, cluster_member;
