-- The latest requests that have changed a conversation. A late try of one of them, which reaches the next owner,
-- is answered and changes nothing.
-- +goose Up
ALTER TABLE conversation ADD COLUMN requests uuid[] NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE conversation DROP COLUMN requests;
