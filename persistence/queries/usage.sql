-- Reports over usage_day. Every grouping reads the same rows, so that all have the same total.
-- @only_mine restricts them to the person's own usage, @without_deleted to conversations that are
-- not deleted. That condition is a CASE, so that a conversation is looked up by its id, and only
-- when the condition applies.

-- name: UsageTotals :one
-- @batch
-- Of the whole organisation, and of the person alone.
SELECT coalesce(sum(d.credits), 0)::float8 AS organisation, coalesce(sum(d.credits) FILTER (WHERE d.user_id = @user_id), 0)::float8 AS mine
  FROM usage_day d WHERE d.org_id = @org_id AND d.day BETWEEN @first::date AND @last::date
   AND CASE WHEN @without_deleted::boolean THEN (SELECT k.deleted_at IS NULL FROM conversation k WHERE k.id = d.conversation_id)
     ELSE true END;

-- name: UsageByDay :many
-- @batch
SELECT d.day, sum(d.credits)::float8 AS credits
  FROM usage_day d
 WHERE d.org_id = @org_id AND d.day BETWEEN @first::date AND @last::date AND (NOT @only_mine::boolean OR d.user_id = @user_id)
   AND CASE WHEN @without_deleted::boolean THEN (SELECT k.deleted_at IS NULL FROM conversation k WHERE k.id = d.conversation_id)
     ELSE true END
 GROUP BY d.day ORDER BY d.day;

-- name: UsageByWeek :many
-- @batch
-- A week is identified by its Monday.
SELECT date_trunc('week', d.day)::date AS week, sum(d.credits)::float8 AS credits
  FROM usage_day d
 WHERE d.org_id = @org_id AND d.day BETWEEN @first::date AND @last::date AND (NOT @only_mine::boolean OR d.user_id = @user_id)
   AND CASE WHEN @without_deleted::boolean THEN (SELECT k.deleted_at IS NULL FROM conversation k WHERE k.id = d.conversation_id)
     ELSE true END
 GROUP BY 1 ORDER BY 1;

-- name: UsageByUser :many
-- @batch
SELECT d.user_id, u.full_name AS name, u.is_disabled AS is_deleted, sum(d.credits)::float8 AS credits
  FROM usage_day d JOIN app_user u ON u.id = d.user_id
 WHERE d.org_id = @org_id AND d.day BETWEEN @first::date AND @last::date AND (NOT @only_mine::boolean OR d.user_id = @user_id)
   AND CASE WHEN @without_deleted::boolean THEN (SELECT k.deleted_at IS NULL FROM conversation k WHERE k.id = d.conversation_id)
     ELSE true END
 GROUP BY d.user_id, u.full_name, u.is_disabled
 ORDER BY sum(d.credits) DESC, d.user_id;

-- name: UsageByConversation :many
-- @batch
-- Conversations that the person may not read are combined in one row without an id, so
-- that the total is right and no name shows. A deleted one keeps its name for its owner.
WITH used AS (
  SELECT d.conversation_id, sum(d.credits) AS credits
    FROM usage_day d
   WHERE d.org_id = @org_id AND d.day BETWEEN @first::date AND @last::date AND (NOT @only_mine::boolean OR d.user_id = @user_id)
   AND CASE WHEN @without_deleted::boolean THEN (SELECT k.deleted_at IS NULL FROM conversation k WHERE k.id = d.conversation_id)
     ELSE true END
   GROUP BY d.conversation_id
), shared AS (
  SELECT g.conversation_id FROM conversation_grant g WHERE g.user_id = @user_id
  UNION
  SELECT g.conversation_id FROM team_member t JOIN conversation_grant g ON g.team_id = t.team_id WHERE t.user_id = @user_id
), shown AS (
  SELECT c.id, c.name, false AS is_deleted FROM conversation c WHERE c.owner_id = @user_id AND c.deleted_at IS NULL
  UNION ALL
  SELECT c.id, c.name, true FROM conversation c WHERE c.owner_id = @user_id AND c.deleted_at IS NOT NULL
  UNION ALL
  SELECT c.id, c.name, false FROM shared s JOIN conversation c ON c.id = s.conversation_id AND c.deleted_at IS NULL
    AND c.owner_id <> @user_id
)
SELECT coalesce(n.id, '00000000-0000-0000-0000-000000000000')::uuid AS conversation_id, coalesce(n.name, '')::text AS name,
       coalesce(n.is_deleted, false)::boolean AS is_deleted, sum(used.credits)::float8 AS credits
  FROM used LEFT JOIN shown n ON n.id = used.conversation_id
 GROUP BY 1, 2, 3
 ORDER BY sum(used.credits) DESC, 1;

-- name: UsageByProjectLabel :many
-- @batch
-- A conversation counts for its present first label. Conversations without a label count in the
-- row without an id.
SELECT l.id, coalesce(l.name, '')::text AS name, coalesce(l.color, '')::text AS color,
       coalesce(l.deleted_at IS NOT NULL, false)::boolean AS is_deleted,
       sum(d.credits)::float8 AS credits
  FROM usage_day d
  JOIN conversation c ON c.id = d.conversation_id
  LEFT JOIN project_label l ON l.id = c.project_labels[1]
 WHERE d.org_id = @org_id AND d.day BETWEEN @first::date AND @last::date AND (NOT @only_mine::boolean OR d.user_id = @user_id)
   AND CASE WHEN @without_deleted::boolean THEN (SELECT k.deleted_at IS NULL FROM conversation k WHERE k.id = d.conversation_id)
     ELSE true END
 GROUP BY l.id, l.name, l.color, l.deleted_at
 ORDER BY sum(d.credits) DESC, l.id;

-- name: UsageCreditLimit :one
-- @batch
-- No row for an organisation without a limit.
SELECT o.credit_limit::float8 AS credit_limit FROM organisation o WHERE o.id = @org_id AND o.credit_limit IS NOT NULL;

-- name: UsageCreditsLeft :one
-- @batch
-- What an organisation may still use in this month of the database's clock, in UTC;
-- no row for one without a limit.
SELECT (o.credit_limit - (SELECT coalesce(sum(d.credits), 0) FROM usage_day d
                           WHERE d.org_id = o.id AND d.day >= date_trunc('month',
                             clock_timestamp() AT TIME ZONE 'UTC')::date))::float8 AS credits_left
  FROM organisation o WHERE o.id = @org_id AND o.credit_limit IS NOT NULL;
