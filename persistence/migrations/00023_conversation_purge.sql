-- The contents of a deleted conversation, rows and files, are deleted for good a minute later. The
-- conversation's own row stays as a tombstone with its name, so that nothing can restore it and reports
-- of past usage keep their sums.

-- +goose Up
ALTER TABLE conversation ADD purged_at timestamptz;
-- It has only the conversations that wait to be purged.
CREATE INDEX conversation_unpurged ON conversation (deleted_at) WHERE deleted_at IS NOT NULL AND purged_at IS NULL;
-- A copy shares the files of its original, so they are removed with the last of both.
CREATE INDEX display_object_file ON display_object (file_key);
CREATE INDEX conversation_person_conversation ON conversation_person (conversation_id);

-- +goose Down
DROP INDEX conversation_person_conversation, display_object_file, conversation_unpurged;
ALTER TABLE conversation DROP purged_at;
