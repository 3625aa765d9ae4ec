-- Validates the foreign keys of 00032 while others read and write.

-- +goose Up
ALTER TABLE display_object VALIDATE CONSTRAINT display_object_message_fkey;
ALTER TABLE feedback VALIDATE CONSTRAINT feedback_message_fkey;

-- +goose Down
SELECT 1;
