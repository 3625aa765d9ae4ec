-- What belongs to a message besides its text: whether it is the answer, which of its numbers are cells,
-- the questions that may follow (domain.Annotation). A node of the previous release neither reads nor
-- writes it.

-- +goose Up
ALTER TABLE message ADD COLUMN annotation jsonb NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE message DROP COLUMN annotation;
