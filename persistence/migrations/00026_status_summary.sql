-- The summary of the latest turn of a conversation that no rewind has cut.

-- +goose Up
CREATE INDEX message_summary ON message (conversation_id, seq) WHERE role = 'summary' AND cut_generation IS NULL;
UPDATE conversation c SET status_summary = s.text
  FROM (SELECT DISTINCT ON (m.conversation_id) m.conversation_id, left(m.text, 300) AS text
          FROM message m WHERE m.role = 'summary' AND m.cut_generation IS NULL AND m.status = 'complete'
         ORDER BY m.conversation_id, m.seq DESC) s
 WHERE c.id = s.conversation_id AND c.deleted_at IS NULL;

-- +goose Down
DROP INDEX message_summary;
