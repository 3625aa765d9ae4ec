-- A copy of a conversation: its messages and objects under new ids, without the
-- rights, the feedback, the usage and the turns of the original.

-- name: ConversationCopySource :many
-- The messages that a copy takes: those that no rewind has cut and that belong to no running turn.
SELECT m.id, m.role, m.data_sources, m.annotation
  FROM message m
 WHERE m.conversation_id = @conversation_id AND m.cut_generation IS NULL AND m.status <> 'streaming'
   AND NOT EXISTS (SELECT FROM turn t WHERE t.id = m.turn_id AND t.status = 'running')
 ORDER BY m.seq;

-- name: ConversationCopyObjects :many
SELECT o.id FROM display_object o WHERE o.conversation_id = @conversation_id AND o.message_id = ANY(@messages::uuid[])
  ORDER BY o.created_at, o.id;

-- name: ConversationCopyInsert :exec
-- The log of a copy begins with its creation, after the seqs of its messages: a reader with an
-- older cursor must fetch it again.
INSERT INTO conversation (id, org_id, owner_id, name, description, data_sources, project_labels, next_seq, created_at, updated_at)
VALUES (@id, @org_id, @owner_id, @name, @description, @data_sources, @project_labels, @next_seq, @at, @at);

-- name: ConversationCopyMessages :exec
WITH copied AS (
  SELECT unnest(@originals::uuid[]) AS original, unnest(@copies::uuid[]) AS copy, unnest(@seqs::bigint[]) AS seq,
         unnest(@annotations::text[]) AS annotation
)
INSERT INTO message (id, conversation_id, org_id, parent_id, seq, generation, role, text, status, author_id, analyst_id, analyst_name,
  data_sources, blueprint_id, created_at, annotation)
SELECT k.copy, @conversation_id, m.org_id, p.copy, k.seq, 1, m.role, m.text, m.status, m.author_id, m.analyst_id, m.analyst_name,
       ARRAY(SELECT d FROM unnest(m.data_sources) AS d WHERE d = ANY(@usable::bigint[])), m.blueprint_id, m.created_at, k.annotation::jsonb
  FROM copied k
  JOIN message m ON m.id = k.original AND m.conversation_id = @source
  LEFT JOIN copied p ON p.original = m.parent_id;

-- name: ConversationCopyObjectRows :exec
-- The bytes of an object never change, so original and copy share them.
WITH copied AS (
  SELECT unnest(@originals::uuid[]) AS original, unnest(@copies::uuid[]) AS copy
), objects AS (
  SELECT unnest(@object_originals::uuid[]) AS original, unnest(@object_copies::uuid[]) AS copy
)
INSERT INTO display_object (id, conversation_id, message_id, org_id, name, type, language, content_type, size, file_key, columns,
  created_at)
SELECT x.copy, @conversation_id, k.copy, o.org_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.columns, o.created_at
  FROM objects x
  JOIN display_object o ON o.id = x.original
  JOIN copied k ON k.original = o.message_id;
