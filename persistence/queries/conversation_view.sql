-- Views of one conversation beside the usual one: for reviewers of feedback, and
-- with what rewinds have cut.

-- name: ConversationReviewed :one
-- @batch @row:ConversationShown
-- For a superuser, of a conversation that has feedback. The rank stays 0: who
-- reviews may do nothing with it.
SELECT c.id, c.org_id, c.name, c.description, c.owner_id, o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture,
       c.data_sources, live_labels(c.project_labels)::bigint[] AS project_labels, c.status_summary, c.credits::float8 AS credits,
       c.next_seq, c.epoch, c.generation, c.created_at, c.updated_at,
       0::int AS rank, false AS is_archived, false AS is_favorite, 0::int AS unread,
       EXISTS (SELECT FROM turn t WHERE t.conversation_id = c.id AND t.status = 'running') AS is_streaming
  FROM conversation c
  JOIN app_user o ON o.id = c.owner_id
 WHERE c.id = @id AND c.deleted_at IS NULL
   AND EXISTS (SELECT FROM feedback f WHERE f.conversation_id = c.id);

-- name: MessageReviewed :one
-- @batch @row:MessageShown
-- As MessageGet, for a superuser, of a conversation that has feedback.
SELECT m.id, m.conversation_id, m.turn_id, m.parent_id, m.seq, m.generation, m.role,
       CASE m.status WHEN 'streaming'
         THEN m.text || coalesce((SELECT string_agg(k.text, '' ORDER BY k.byte_offset) FROM message_chunk k WHERE k.message_id = m.id), '')
         ELSE m.text END::text AS text,
       m.status,
       CASE WHEN m.status IN ('failed', 'interrupted') THEN coalesce((SELECT e.reason FROM turn e WHERE e.id = m.turn_id), '') ELSE '' END::text AS reason,
       m.author_id, a.uuid AS author_uuid, a.full_name AS author_name, a.picture AS author_picture,
       m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message m
  JOIN conversation c ON c.id = m.conversation_id AND c.deleted_at IS NULL
  LEFT JOIN app_user a ON a.id = m.author_id
 WHERE m.id = @id AND m.cut_generation IS NULL
   AND EXISTS (SELECT FROM feedback f WHERE f.conversation_id = c.id);

-- name: ObjectReviewed :one
-- @batch @row:ObjectShown
SELECT o.id, o.conversation_id, o.message_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.columns, o.created_at
  FROM display_object o
  JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id AND m.cut_generation IS NULL
  JOIN conversation c ON c.id = o.conversation_id AND c.deleted_at IS NULL
 WHERE o.id = @id
   AND EXISTS (SELECT FROM feedback f WHERE f.conversation_id = c.id);

-- name: MessageCutGenerations :many
-- @batch
-- The messages that rewinds have cut, for the owner alone.
SELECT m.id, m.cut_generation::bigint AS cut_generation
  FROM message m JOIN conversation c ON c.id = m.conversation_id AND c.deleted_at IS NULL
 WHERE m.conversation_id = @conversation_id AND c.owner_id = @user_id AND m.cut_generation IS NOT NULL
 ORDER BY m.seq;

-- name: MessagesByID :many
-- @batch @row:MessageShown
SELECT m.id, m.conversation_id, m.turn_id, m.parent_id, m.seq, m.generation, m.role, m.text,
       m.status,
       CASE WHEN m.status IN ('failed', 'interrupted') THEN coalesce((SELECT e.reason FROM turn e WHERE e.id = m.turn_id), '') ELSE '' END::text AS reason,
       m.author_id, a.uuid AS author_uuid, a.full_name AS author_name, a.picture AS author_picture,
       m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message m LEFT JOIN app_user a ON a.id = m.author_id
 WHERE m.id = ANY(@ids::uuid[])
 ORDER BY m.seq;

-- name: NestedDataSources :many
-- @batch
-- The names of data sources that the person may use.
SELECT d.id, d.name, d.type FROM data_source d
 WHERE d.id = ANY(@ids::bigint[])
   AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = d.id AND r.user_id = @user_id)
 ORDER BY d.id;

-- name: NestedProjectLabels :many
-- @batch
SELECT l.id, l.name, l.color FROM project_label l WHERE l.id = ANY(@ids::bigint[]) AND l.deleted_at IS NULL ORDER BY l.id;

-- name: ConversationWasOwn :one
-- @batch
-- The tombstone of a conversation keeps its owner.
SELECT true AS own FROM conversation WHERE id = @id AND owner_id = @user_id AND deleted_at IS NOT NULL;
