-- Other views of one conversation: for reviewers of feedback, and with the messages that rewinds
-- have cut.

-- name: ConversationReviewed :one
-- @batch @row:ConversationSeen
-- For a superuser, of a conversation that has feedback. The rank stays 0: a reviewer may only read.
SELECT sqlc.embed(shown), 0::int AS rank, false AS is_archived, false AS is_favorite, 0::int AS unread
  FROM conversation_shown shown
 WHERE shown.id = @id
   AND EXISTS (SELECT FROM feedback f WHERE f.conversation_id = shown.id);

-- name: MessageReviewed :one
-- @batch
-- MessageGet for a superuser, of a conversation that has feedback.
SELECT m.*
  FROM message_shown m
  JOIN conversation c ON c.id = m.conversation_id AND c.deleted_at IS NULL
 WHERE m.id = @id AND m.cut_generation IS NULL
   AND EXISTS (SELECT FROM feedback f WHERE f.conversation_id = c.id);

-- name: ObjectReviewed :one
-- @batch
SELECT o.*
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
-- @batch
SELECT m.*
  FROM message_shown m
 WHERE m.id = ANY(@ids::uuid[])
 ORDER BY m.seq;

-- name: NestedDataSources :many
-- @batch
-- The names of data sources that the person may use.
SELECT d.id, d.name, d.type FROM data_source d
 WHERE d.id = ANY(@ids::bigint[])
   AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = d.id AND r.user_id = @user_id)
 ORDER BY d.id;

-- name: ConversationWasOwn :one
-- @batch
-- The tombstone of a conversation keeps its owner.
SELECT true AS own FROM conversation WHERE id = @id AND owner_id = @user_id AND deleted_at IS NOT NULL;
