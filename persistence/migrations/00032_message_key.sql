-- The key of a message is its id in its organisation (see 00031). None of this reads
-- a row; 00033 checks the foreign keys.

-- +goose Up
ALTER TABLE display_object DROP CONSTRAINT display_object_message_id_fkey;
ALTER TABLE feedback DROP CONSTRAINT feedback_message_id_fkey;
ALTER TABLE message DROP CONSTRAINT message_pkey, ADD CONSTRAINT message_pkey PRIMARY KEY USING INDEX message_id_org;
ALTER TABLE display_object ADD CONSTRAINT display_object_message_fkey FOREIGN KEY (message_id, org_id) REFERENCES message (id, org_id)
  NOT VALID;
ALTER TABLE feedback ADD CONSTRAINT feedback_message_fkey FOREIGN KEY (message_id, org_id) REFERENCES message (id, org_id) NOT VALID;

-- +goose Down
ALTER TABLE feedback DROP CONSTRAINT feedback_message_fkey;
ALTER TABLE display_object DROP CONSTRAINT display_object_message_fkey;
ALTER TABLE message DROP CONSTRAINT message_pkey;
ALTER TABLE message ADD CONSTRAINT message_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX message_id_org ON message (id, org_id);
ALTER TABLE display_object ADD CONSTRAINT display_object_message_id_fkey FOREIGN KEY (message_id) REFERENCES message;
ALTER TABLE feedback ADD CONSTRAINT feedback_message_id_fkey FOREIGN KEY (message_id) REFERENCES message;
