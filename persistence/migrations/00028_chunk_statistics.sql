-- Chunks are always found by their key, so statistics are not needed. With thousands of running answers,
-- autovacuum took a sample of them in every round, at the cost of the commits.

-- +goose Up
ALTER TABLE message_chunk SET (autovacuum_analyze_scale_factor = 2);

-- +goose Down
ALTER TABLE message_chunk RESET (autovacuum_analyze_scale_factor);
