-- Chunks are found by their key alone, whatever statistics say; with thousands of
-- answers under way a sample of them was taken every round, beside the commits.

-- +goose Up
ALTER TABLE message_chunk SET (autovacuum_analyze_scale_factor = 2);

-- +goose Down
ALTER TABLE message_chunk RESET (autovacuum_analyze_scale_factor);
