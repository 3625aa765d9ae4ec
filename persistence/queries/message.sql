-- name: MessageList :many
-- @batch @row:MessageShown
-- The messages that stand, oldest first. An open one has the text stored so far.
SELECT m.id, m.conversation_id, m.turn_id, m.parent_id, m.seq, m.generation, m.role,
       CASE m.status WHEN 'streaming'
         THEN m.text || coalesce((SELECT string_agg(k.text, '' ORDER BY k.byte_offset) FROM message_chunk k WHERE k.message_id = m.id), '')
         ELSE m.text END::text AS text,
       m.status,
       CASE WHEN m.status IN ('failed', 'interrupted') THEN coalesce((SELECT e.reason FROM turn e WHERE e.id = m.turn_id), '') ELSE '' END::text AS reason,
       m.author_id, a.uuid AS author_uuid, a.full_name AS author_name, a.picture AS author_picture,
       m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message m LEFT JOIN app_user a ON a.id = m.author_id
 WHERE m.conversation_id = @conversation_id AND m.cut_generation IS NULL
 ORDER BY m.seq;

-- name: MessageListReadable :many
-- @batch @row:MessageShown
-- As MessageList, and nothing for a person who may not read the conversation.
SELECT m.id, m.conversation_id, m.turn_id, m.parent_id, m.seq, m.generation, m.role,
       CASE m.status WHEN 'streaming'
         THEN m.text || coalesce((SELECT string_agg(k.text, '' ORDER BY k.byte_offset) FROM message_chunk k WHERE k.message_id = m.id), '')
         ELSE m.text END::text AS text,
       m.status,
       CASE WHEN m.status IN ('failed', 'interrupted') THEN coalesce((SELECT e.reason FROM turn e WHERE e.id = m.turn_id), '') ELSE '' END::text AS reason,
       m.author_id, a.uuid AS author_uuid, a.full_name AS author_name, a.picture AS author_picture,
       m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message m LEFT JOIN app_user a ON a.id = m.author_id
 WHERE m.conversation_id = @conversation_id AND m.cut_generation IS NULL
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = @conversation_id AND r.user_id = @user_id)
 ORDER BY m.seq;

-- name: MessagePageReadable :many
-- @batch @row:MessageShown
-- As MessageListReadable, the newest ones before a seq, newest first.
SELECT m.id, m.conversation_id, m.turn_id, m.parent_id, m.seq, m.generation, m.role,
       CASE m.status WHEN 'streaming'
         THEN m.text || coalesce((SELECT string_agg(k.text, '' ORDER BY k.byte_offset) FROM message_chunk k WHERE k.message_id = m.id), '')
         ELSE m.text END::text AS text,
       m.status,
       CASE WHEN m.status IN ('failed', 'interrupted') THEN coalesce((SELECT e.reason FROM turn e WHERE e.id = m.turn_id), '') ELSE '' END::text AS reason,
       m.author_id, a.uuid AS author_uuid, a.full_name AS author_name, a.picture AS author_picture,
       m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message m LEFT JOIN app_user a ON a.id = m.author_id
 WHERE m.conversation_id = @conversation_id AND m.cut_generation IS NULL AND m.seq < @before
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = @conversation_id AND r.user_id = @user_id)
 ORDER BY m.seq DESC LIMIT @size;

-- name: MessageLast :many
-- @batch @row:MessageShown
-- As MessageList of those before a seq, newest first and not more than so many.
SELECT m.id, m.conversation_id, m.turn_id, m.parent_id, m.seq, m.generation, m.role,
       CASE m.status WHEN 'streaming'
         THEN m.text || coalesce((SELECT string_agg(k.text, '' ORDER BY k.byte_offset) FROM message_chunk k WHERE k.message_id = m.id), '')
         ELSE m.text END::text AS text,
       m.status,
       CASE WHEN m.status IN ('failed', 'interrupted') THEN coalesce((SELECT e.reason FROM turn e WHERE e.id = m.turn_id), '') ELSE '' END::text AS reason,
       m.author_id, a.uuid AS author_uuid, a.full_name AS author_name, a.picture AS author_picture,
       m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message m LEFT JOIN app_user a ON a.id = m.author_id
 WHERE m.conversation_id = @conversation_id AND m.cut_generation IS NULL AND m.seq < @before::bigint
 ORDER BY m.seq DESC
 LIMIT @size::bigint;

-- name: MessageGet :one
-- @batch @row:MessageShown
-- Ids are unique in an organisation, which the engine has to name.
SELECT m.id, m.conversation_id, m.turn_id, m.parent_id, m.seq, m.generation, m.role,
       CASE m.status WHEN 'streaming'
         THEN m.text || coalesce((SELECT string_agg(k.text, '' ORDER BY k.byte_offset) FROM message_chunk k WHERE k.message_id = m.id), '')
         ELSE m.text END::text AS text,
       m.status,
       CASE WHEN m.status IN ('failed', 'interrupted') THEN coalesce((SELECT e.reason FROM turn e WHERE e.id = m.turn_id), '') ELSE '' END::text AS reason,
       m.author_id, a.uuid AS author_uuid, a.full_name AS author_name, a.picture AS author_picture,
       m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message m LEFT JOIN app_user a ON a.id = m.author_id
 WHERE m.id = @id AND m.org_id = @org_id;

-- name: MessageReadable :one
-- @batch @row:MessageShown
-- As MessageGet, where the person may read the conversation and no rewind took it.
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
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = @user_id);

-- name: MessageOpenText :one
-- @batch
SELECT CASE m.status WHEN 'streaming'
         THEN m.text || coalesce((SELECT string_agg(k.text, '' ORDER BY k.byte_offset) FROM message_chunk k WHERE k.message_id = m.id), '')
         ELSE m.text END::text AS text
  FROM message m WHERE m.id = @id AND m.conversation_id = @conversation_id;

-- name: ObjectList :many
-- @batch @row:ObjectShown
SELECT o.id, o.conversation_id, o.message_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.columns, o.created_at
  FROM display_object o JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id
 WHERE o.conversation_id = @conversation_id AND m.cut_generation IS NULL
 ORDER BY o.created_at, o.id;

-- name: ObjectListReadable :many
-- @batch @row:ObjectShown
SELECT o.id, o.conversation_id, o.message_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.columns, o.created_at
  FROM display_object o JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id
 WHERE o.conversation_id = @conversation_id AND m.cut_generation IS NULL
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = @conversation_id AND r.user_id = @user_id)
 ORDER BY o.created_at, o.id;

-- name: ObjectPageReadable :many
-- @batch @row:ObjectShown
-- The objects of the messages of MessagePageReadable.
SELECT o.id, o.conversation_id, o.message_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.columns, o.created_at
  FROM display_object o JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id
 WHERE o.conversation_id = @conversation_id AND m.cut_generation IS NULL AND m.seq < @before
   AND m.seq >= (SELECT coalesce(min(p.seq), 0) FROM (
     SELECT n.seq FROM message n WHERE n.conversation_id = @conversation_id AND n.cut_generation IS NULL AND n.seq < @before
      ORDER BY n.seq DESC LIMIT @size) p)
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = @conversation_id AND r.user_id = @user_id)
 ORDER BY o.created_at, o.id;

-- name: ObjectsOf :many
-- @batch @row:ObjectShown
SELECT o.id, o.conversation_id, o.message_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.columns, o.created_at
  FROM display_object o
 WHERE o.message_id = ANY(@messages::uuid[]) AND o.org_id = @org_id
 ORDER BY o.created_at, o.id;

-- name: ObjectsReadable :many
-- @batch @row:ObjectShown
-- Those of one message, and nothing for a person who may not read it.
SELECT o.id, o.conversation_id, o.message_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.columns, o.created_at
  FROM display_object o
 WHERE o.message_id = @message_id
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = o.conversation_id AND r.user_id = @user_id)
 ORDER BY o.created_at, o.id;

-- name: ObjectReadable :one
-- @batch @row:ObjectShown
SELECT o.id, o.conversation_id, o.message_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.columns, o.created_at
  FROM display_object o
  JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id AND m.cut_generation IS NULL
  JOIN conversation c ON c.id = o.conversation_id AND c.deleted_at IS NULL
 WHERE o.id = @id
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = @user_id);
