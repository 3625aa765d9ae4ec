-- What a node says about itself and about the others (domain/cluster.go), for operators. Each node writes its own row, so that
-- the figures of a node that hangs, or that others cannot reach, are there to be read.
--
-- A node of the previous release leaves both columns null.

-- +goose Up
ALTER TABLE cluster_member ADD COLUMN report json, ADD COLUMN reported_at timestamptz;

-- +goose Down
ALTER TABLE cluster_member DROP COLUMN report, DROP COLUMN reported_at;
