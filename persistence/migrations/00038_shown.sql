-- What is shown of a row and of the rows that belong to it, for all queries that read such rows. The
-- tables' policies apply to the reader (security_invoker), as in the reader views. The queries decide
-- what a person may see.

-- +goose Up

-- An open message has the text stored so far. Messages that a rewind has cut are in it.
CREATE VIEW message_shown WITH (security_invoker = true) AS
  SELECT m.id, m.conversation_id, m.org_id, m.turn_id, m.parent_id, m.seq, m.generation, m.cut_generation, m.role,
         CASE m.status WHEN 'streaming'
           THEN m.text || coalesce((SELECT string_agg(k.text, '' ORDER BY k.byte_offset) FROM message_chunk k WHERE k.message_id = m.id), '')
           ELSE m.text END::text AS text,
         m.status,
         CASE WHEN m.status IN ('failed', 'interrupted') THEN coalesce((SELECT e.reason FROM turn e WHERE e.id = m.turn_id), '') ELSE '' END::text AS reason,
         m.author_id, a.uuid AS author_uuid, a.full_name AS author_name, a.picture AS author_picture,
         m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
    FROM message m LEFT JOIN app_user a ON a.id = m.author_id;

-- Conversations that are not deleted, without the marks of a person.
CREATE VIEW conversation_shown WITH (security_invoker = true) AS
  SELECT c.id, c.org_id, c.name, c.description, c.owner_id, o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture,
         c.data_sources, live_labels(c.project_labels)::bigint[] AS project_labels, c.status_summary, c.credits::float8 AS credits,
         c.next_seq, c.epoch, c.generation, c.created_at, c.updated_at,
         EXISTS (SELECT FROM turn t WHERE t.conversation_id = c.id AND t.status = 'running') AS is_streaming
    FROM conversation c JOIN app_user o ON o.id = c.owner_id
   WHERE c.deleted_at IS NULL;

-- Feedback on answers that no rewind has cut, in conversations that are not deleted.
CREATE VIEW feedback_standing WITH (security_invoker = true) AS
  SELECT f.id, f.org_id, f.user_id, f.conversation_id, f.owner_id, f.message_id, f.sentiment_id, f.labels, f.created_at,
         c.name AS conversation_name, c.description AS conversation_description, m.role AS message_role
    FROM feedback f
    JOIN conversation c ON c.id = f.conversation_id AND c.deleted_at IS NULL
    JOIN message m ON m.id = f.message_id AND m.org_id = f.org_id AND m.cut_generation IS NULL;

CREATE VIEW feedback_shown WITH (security_invoker = true) AS
  SELECT f.*, u.uuid AS user_uuid, u.full_name AS user_name, u.picture AS user_picture
    FROM feedback_standing f JOIN app_user u ON u.id = f.user_id;

CREATE VIEW comment_shown WITH (security_invoker = true) AS
  SELECT k.id, k.feedback_id, k.user_id, u.uuid AS user_uuid, u.full_name AS user_name, u.picture AS user_picture, k.text, k.created_at
    FROM feedback_comment k JOIN app_user u ON u.id = k.user_id;

GRANT SELECT ON message_shown, conversation_shown, feedback_standing, feedback_shown, comment_shown TO parley_app, parley_engine;

-- +goose Down
DROP VIEW comment_shown, feedback_shown, feedback_standing, conversation_shown, message_shown;
