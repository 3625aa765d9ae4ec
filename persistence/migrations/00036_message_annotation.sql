-- What is known of a message beside its text: whether it is the answer, which of its
-- numbers are cells, the questions that follow. See domain.Annotation.
-- A node of the release before does not write it and reads nothing of it.

-- +goose Up
ALTER TABLE message ADD COLUMN annotation jsonb NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE message DROP COLUMN annotation;
