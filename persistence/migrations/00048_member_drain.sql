-- When an operator asked a node to drain (`parley cluster drain`). The node reads its own row every second. A node of the
-- previous release does not know the column.

-- +goose Up
ALTER TABLE cluster_member ADD COLUMN drain_asked_at timestamptz;

-- +goose Down
ALTER TABLE cluster_member DROP COLUMN drain_asked_at;
