-- Indexes that only a big organisation needs.

-- +goose Up

-- Only a small part of all messages is cut by rewinds.
CREATE INDEX message_cut ON message (conversation_id, seq) WHERE cut_generation IS NOT NULL;

-- A total over all feedback of an organisation reads the index alone.
DROP INDEX feedback_organisation;
CREATE INDEX feedback_organisation ON feedback (org_id, id DESC) INCLUDE (sentiment_id, conversation_id, message_id);

-- A usage report names what its reader has deleted.
CREATE INDEX conversation_owner_deleted ON conversation (owner_id) WHERE deleted_at IS NOT NULL;

-- +goose Down
DROP INDEX conversation_owner_deleted;
DROP INDEX feedback_organisation;
CREATE INDEX feedback_organisation ON feedback (org_id, id DESC);
DROP INDEX message_cut;
