-- name: SentimentList :many
-- @batch
SELECT s.id, s.name, l.id AS label_id, l.name AS label, l.is_default
  FROM sentiment s JOIN sentiment_label l ON l.sentiment_id = s.id
 ORDER BY s.id, l.is_default DESC, l.id;

-- name: FeedbackTarget :one
-- @batch @call
-- An answer that the person may read, with the owner of its conversation.
SELECT m.id, m.conversation_id, c.owner_id, m.role, m.status
  FROM message m JOIN conversation c ON c.id = m.conversation_id AND c.deleted_at IS NULL
 WHERE m.id = @message_id AND m.cut_generation IS NULL
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = @user_id);

-- name: FeedbackInsert :one
INSERT INTO feedback (org_id, user_id, conversation_id, owner_id, message_id, sentiment_id, labels)
VALUES (@org_id, @user_id, @conversation_id, @owner_id, @message_id, @sentiment_id, @labels)
ON CONFLICT (message_id, user_id) DO NOTHING
RETURNING id;

-- name: FeedbackCommentInsert :one
INSERT INTO feedback_comment (org_id, feedback_id, user_id, text) VALUES (@org_id, @feedback_id, @user_id, @text) RETURNING id;

-- name: FeedbackGet :one
-- @batch
SELECT f.*
  FROM feedback_shown f
 CROSS JOIN LATERAL feedback_rank(f.owner_id, f.user_id, f.conversation_id, @user_id) v
 WHERE f.id = @id
   AND (@is_superuser::boolean OR v.rank > 0);

-- name: FeedbackList :many
-- @batch
-- What a person gave and what was given in the person's conversations, newest first. Of both, only
-- as many rows are read as the page needs.
WITH mine AS (
  (SELECT f.id FROM feedback_standing f CROSS JOIN LATERAL feedback_rank(f.owner_id, f.user_id, f.conversation_id, sqlc.arg(user_id)) v
    WHERE f.user_id = sqlc.arg(user_id) AND v.rank > 0
    ORDER BY f.id DESC LIMIT (sqlc.arg(size)::bigint + sqlc.arg(skip)::bigint))
  UNION
  (SELECT f.id FROM feedback_standing f
    WHERE f.owner_id = sqlc.arg(user_id)
    ORDER BY f.id DESC LIMIT (sqlc.arg(size) + sqlc.arg(skip)))
), page AS (
  SELECT mine.id FROM mine ORDER BY mine.id DESC LIMIT sqlc.arg(size) OFFSET sqlc.arg(skip)
)
SELECT f.*
  FROM page
  JOIN feedback_shown f ON f.id = page.id
 ORDER BY f.id DESC;

-- name: FeedbackListAll :many
-- @batch
-- All feedback of the organisation, for superusers.
WITH page AS (
  SELECT f.id FROM feedback_standing f
   WHERE f.org_id = @org_id
   ORDER BY f.id DESC LIMIT @size::bigint OFFSET @skip::bigint
)
SELECT f.*
  FROM page
  JOIN feedback_shown f ON f.id = page.id
 ORDER BY f.id DESC;

-- name: FeedbackFind :many
-- @batch
-- The feedback that matches a filter. A condition that is 0, false or empty matches everything.
-- Without a filter, the two queries above read less.
SELECT f.*
  FROM feedback_shown f
 CROSS JOIN LATERAL feedback_rank(f.owner_id, f.user_id, f.conversation_id, @user_id) v
 WHERE f.org_id = @org_id
   AND (@is_superuser::boolean OR v.rank > 0)
   AND (NOT @executive::boolean OR f.message_role = 'summary')
   AND (@label::bigint = 0 OR @label = ANY(f.labels))
   AND (@pattern::text = '' OR f.conversation_name ILIKE @pattern OR f.user_name ILIKE @pattern
        OR EXISTS (SELECT FROM feedback_comment k WHERE k.feedback_id = f.id AND k.text ILIKE @pattern))
   AND (@sentiment::bigint = 0 OR f.sentiment_id = @sentiment)
 ORDER BY f.id DESC
 LIMIT @size::bigint OFFSET @skip::bigint;

-- name: FeedbackCount :many
-- @batch @row:SentimentCount
WITH mine AS (
  SELECT b.sentiment_id FROM feedback_standing b CROSS JOIN LATERAL feedback_rank(b.owner_id, b.user_id, b.conversation_id, @user_id) v
   WHERE b.user_id = @user_id AND v.rank > 0
  UNION ALL
  SELECT o.sentiment_id FROM feedback_standing o WHERE o.owner_id = @user_id AND o.user_id <> @user_id
)
SELECT f.sentiment_id, count(*) AS number
  FROM mine f
 GROUP BY f.sentiment_id
 ORDER BY f.sentiment_id;

-- name: FeedbackCountAll :many
-- @batch @row:SentimentCount
SELECT f.sentiment_id, count(*) AS number
  FROM feedback_standing f
 WHERE f.org_id = @org_id
 GROUP BY f.sentiment_id
 ORDER BY f.sentiment_id;

-- name: FeedbackFindCount :many
-- @batch @row:SentimentCount
-- Counts by sentiment. The filter by sentiment is not applied: it would leave nothing to compare.
SELECT f.sentiment_id, count(*) AS number
  FROM feedback_shown f
 CROSS JOIN LATERAL feedback_rank(f.owner_id, f.user_id, f.conversation_id, @user_id) v
 WHERE f.org_id = @org_id
   AND (@is_superuser::boolean OR v.rank > 0)
   AND (NOT @executive::boolean OR f.message_role = 'summary')
   AND (@label::bigint = 0 OR @label = ANY(f.labels))
   AND (@pattern::text = '' OR f.conversation_name ILIKE @pattern OR f.user_name ILIKE @pattern
        OR EXISTS (SELECT FROM feedback_comment k WHERE k.feedback_id = f.id AND k.text ILIKE @pattern))
 GROUP BY f.sentiment_id
 ORDER BY f.sentiment_id;

-- name: FeedbackOfConversation :many
-- @batch
-- Oldest first. With @all, what the person may see, else only the person's own. No rows for a
-- person who may not read the conversation, except that a superuser gets everything with @all.
SELECT f.*
  FROM feedback_shown f
 CROSS JOIN LATERAL feedback_rank(f.owner_id, f.user_id, f.conversation_id, @user_id) v
 WHERE f.conversation_id = @conversation_id
   AND (sqlc.arg('all')::boolean OR f.user_id = @user_id)
   AND (sqlc.arg('all') AND @is_superuser::boolean OR v.rank > 0)
 ORDER BY f.id;

-- name: FeedbackCommentsOfConversation :many
-- @batch
-- The comments on what FeedbackOfConversation returns. It also returns those on answers that a rewind has cut and, to the owner, of
-- a deleted conversation: nobody sees them, because their feedback is not returned, and to ask for it would cost more.
SELECT k.*
  FROM feedback f
 CROSS JOIN LATERAL feedback_rank(f.owner_id, f.user_id, f.conversation_id, @user_id) v
  JOIN comment_shown k ON k.feedback_id = f.id
 WHERE f.conversation_id = @conversation_id
   AND (sqlc.arg('all')::boolean OR f.user_id = @user_id)
   AND (sqlc.arg('all') AND @is_superuser::boolean OR v.rank > 0)
 ORDER BY k.id;

-- name: FeedbackComments :many
-- @batch
SELECT k.*
  FROM comment_shown k
 WHERE k.feedback_id = ANY(@feedbacks::bigint[])
 ORDER BY k.id;

-- name: FeedbackCommentGet :one
-- @batch
SELECT k.*
  FROM comment_shown k
 WHERE k.id = $1;

-- name: FeedbackCommentLock :exec
-- The lock makes transactions that comment on one feedback count its comments one after the other.
SELECT pg_advisory_xact_lock(hashtextextended('comments of feedback', @feedback_id::bigint));

-- name: FeedbackCommentNumber :one
SELECT count(*) FROM feedback_comment WHERE feedback_id = $1;

-- name: FeedbackCommentsOfMessage :many
-- @batch
SELECT k.*
  FROM feedback_standing f
 CROSS JOIN LATERAL feedback_rank(f.owner_id, f.user_id, f.conversation_id, @user_id) v
  JOIN comment_shown k ON k.feedback_id = f.id
 WHERE f.message_id = @message_id
   AND (@is_superuser::boolean OR v.rank > 0)
 ORDER BY k.id
 LIMIT 1000;
