-- name: MessageList :many
-- @batch
-- The messages that no rewind has cut, oldest first. An open one has the text stored so far.
SELECT m.*
  FROM message_shown m
 WHERE m.conversation_id = @conversation_id AND m.cut_generation IS NULL
 ORDER BY m.seq;

-- name: MessageListReadable :many
-- @batch
-- Like MessageList, but no rows for a person who may not read the conversation.
SELECT m.*
  FROM message_shown m
 WHERE m.conversation_id = @conversation_id AND m.cut_generation IS NULL
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = @conversation_id AND r.user_id = @user_id)
 ORDER BY m.seq;

-- name: MessagePageReadable :many
-- @batch
-- Like MessageListReadable: the newest messages before a seq, newest first.
SELECT m.*
  FROM message_shown m
 WHERE m.conversation_id = @conversation_id AND m.cut_generation IS NULL AND m.seq < @before
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = @conversation_id AND r.user_id = @user_id)
 ORDER BY m.seq DESC LIMIT @size;

-- name: MessageLast :many
-- @batch
-- Like MessageList: at most @size messages before a seq, newest first.
SELECT m.*
  FROM message_shown m
 WHERE m.conversation_id = @conversation_id AND m.cut_generation IS NULL AND m.seq < @before::bigint
 ORDER BY m.seq DESC
 LIMIT @size::bigint;

-- name: MessagesLast :many
-- @batch
-- MessageLast for many conversations, each with its own limits, in the order of the seqs.
SELECT m.*
  FROM (SELECT unnest(@conversations::uuid[]) AS id, unnest(@befores::bigint[]) AS before, unnest(@sizes::bigint[]) AS size) k
 CROSS JOIN LATERAL (
        SELECT s.id FROM message s
         WHERE s.conversation_id = k.id AND s.cut_generation IS NULL AND s.seq < k.before
         ORDER BY s.seq DESC LIMIT k.size) i
  JOIN message_shown m ON m.id = i.id AND m.conversation_id = k.id
 ORDER BY m.conversation_id, m.seq;

-- name: MessageGet :one
-- @batch
-- Ids are unique within an organisation. The engine reads all organisations, so it must name one.
SELECT m.*
  FROM message_shown m
 WHERE m.id = @id AND m.org_id = @org_id;

-- name: MessageReadable :one
-- @batch
-- Like MessageGet, if the person may read the conversation and no rewind has cut the message.
SELECT m.*
  FROM message_shown m
  JOIN conversation c ON c.id = m.conversation_id AND c.deleted_at IS NULL
 WHERE m.id = @id AND m.cut_generation IS NULL
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = @user_id);

-- name: MessageOpenText :one
-- @batch
SELECT m.text FROM message_shown m WHERE m.id = @id AND m.conversation_id = @conversation_id;

-- name: ObjectList :many
-- @batch
SELECT o.*
  FROM display_object o JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id
 WHERE o.conversation_id = @conversation_id AND m.cut_generation IS NULL
 ORDER BY o.created_at, o.id;

-- name: ObjectListReadable :many
-- @batch
SELECT o.*
  FROM display_object o JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id
 WHERE o.conversation_id = @conversation_id AND m.cut_generation IS NULL
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = @conversation_id AND r.user_id = @user_id)
 ORDER BY o.created_at, o.id;

-- name: ObjectPageReadable :many
-- @batch
-- The objects of the messages of MessagePageReadable.
SELECT o.*
  FROM display_object o JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id
 WHERE o.conversation_id = @conversation_id AND m.cut_generation IS NULL AND m.seq < @before
   AND m.seq >= (SELECT coalesce(min(p.seq), 0) FROM (
     SELECT n.seq FROM message n WHERE n.conversation_id = @conversation_id AND n.cut_generation IS NULL AND n.seq < @before
      ORDER BY n.seq DESC LIMIT @size) p)
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = @conversation_id AND r.user_id = @user_id)
 ORDER BY o.created_at, o.id;

-- name: ObjectsOf :many
-- @batch
SELECT o.*
  FROM display_object o
 WHERE o.message_id = ANY(@messages::uuid[]) AND o.org_id = @org_id
 ORDER BY o.created_at, o.id;

-- name: ObjectsReadable :many
-- @batch
-- The objects of one message. No rows for a person who may not read it.
SELECT o.*
  FROM display_object o
 WHERE o.message_id = @message_id
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = o.conversation_id AND r.user_id = @user_id)
 ORDER BY o.created_at, o.id;

-- name: ObjectReadable :one
-- @batch
SELECT o.*
  FROM display_object o
  JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id AND m.cut_generation IS NULL
  JOIN conversation c ON c.id = o.conversation_id AND c.deleted_at IS NULL
 WHERE o.id = @id
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = @user_id);

-- name: MessageSearch :many
-- @batch
-- The newest message with all words of each conversation, the last changed conversation first. The rows come in that order, so
-- that it stops at the last one that is returned; without a hit it reads the messages of all these conversations.
SELECT v.id AS conversation_id, v.name, m.id AS message_id, m.role, m.created_at, m.part, m.is_cut_before, m.is_cut_after
  FROM (
    SELECT u.id, u.name, u.updated_at FROM (
      (SELECT c.id, c.name, c.updated_at FROM conversation c
        WHERE c.owner_id = @user_id AND c.deleted_at IS NULL
        ORDER BY c.updated_at DESC, c.id DESC LIMIT @conversations::bigint)
      UNION ALL
      SELECT c.id, c.name, c.updated_at
        FROM (SELECT DISTINCT r.conversation_id FROM conversation_reader r WHERE r.user_id = @user_id AND r.rank < 3) s
        JOIN conversation c ON c.id = s.conversation_id AND c.deleted_at IS NULL
       WHERE c.owner_id <> @user_id
    ) u
    ORDER BY u.updated_at DESC, u.id DESC LIMIT @conversations::bigint
  ) v
 CROSS JOIN LATERAL (
   SELECT h.id, h.role, h.created_at, substring(h.text FROM h.start FOR 200)::text AS part,
          (h.start > 1)::boolean AS is_cut_before, (length(h.text) >= h.start + 200)::boolean AS is_cut_after
     FROM (
       SELECT k.id, k.role, k.created_at, k.text, greatest(1, position(lower(@word::text) IN lower(k.text)) - 50) AS start
         FROM message k
        WHERE k.conversation_id = v.id AND k.cut_generation IS NULL AND k.status <> 'streaming'
          AND k.role IN ('user', 'assistant', 'summary') AND k.text ILIKE ALL (@patterns::text[])
        ORDER BY k.seq DESC LIMIT 1
     ) h
 ) m
 ORDER BY v.updated_at DESC, v.id DESC LIMIT @size::bigint;
