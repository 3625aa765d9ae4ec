-- Reports over usage_day. Every grouping reads the same rows, so that all of them
-- add up to the same total. @only_mine narrows to one person's own.

-- name: UsageTotals :one
-- Of the whole organisation, and of the person alone.
SELECT coalesce(sum(d.credits), 0)::float8 AS organisation, coalesce(sum(d.credits) FILTER (WHERE d.user_id = @user_id), 0)::float8 AS mine
  FROM usage_day d WHERE d.org_id = @org_id AND d.day BETWEEN @first::date AND @last::date;

-- name: UsageByDay :many
SELECT d.day, sum(d.credits)::float8 AS credits
  FROM usage_day d
 WHERE d.org_id = @org_id AND d.day BETWEEN @first::date AND @last::date AND (NOT @only_mine::boolean OR d.user_id = @user_id)
 GROUP BY d.day ORDER BY d.day;

-- name: UsageByWeek :many
-- A week is named by its Monday.
SELECT date_trunc('week', d.day)::date AS week, sum(d.credits)::float8 AS credits
  FROM usage_day d
 WHERE d.org_id = @org_id AND d.day BETWEEN @first::date AND @last::date AND (NOT @only_mine::boolean OR d.user_id = @user_id)
 GROUP BY 1 ORDER BY 1;

-- name: UsageByUser :many
SELECT d.user_id, u.full_name AS name, u.is_disabled AS is_deleted, sum(d.credits)::float8 AS credits
  FROM usage_day d JOIN app_user u ON u.id = d.user_id
 WHERE d.org_id = @org_id AND d.day BETWEEN @first::date AND @last::date AND (NOT @only_mine::boolean OR d.user_id = @user_id)
 GROUP BY d.user_id, u.full_name, u.is_disabled
 ORDER BY sum(d.credits) DESC, d.user_id;

-- name: UsageByConversation :many
-- Conversations that the person may not read stand together in one row without
-- an id, so that the total holds and no name shows. A deleted one keeps its name
-- for its owner. With @without_deleted those stand in the same row.
WITH used AS (
  SELECT d.conversation_id, sum(d.credits) AS credits
    FROM usage_day d
   WHERE d.org_id = @org_id AND d.day BETWEEN @first::date AND @last::date AND (NOT @only_mine::boolean OR d.user_id = @user_id)
   GROUP BY d.conversation_id
), shared AS (
  SELECT g.conversation_id FROM conversation_grant g WHERE g.user_id = @user_id
  UNION
  SELECT g.conversation_id FROM team_member t JOIN conversation_grant g ON g.team_id = t.team_id WHERE t.user_id = @user_id
), named AS (
  SELECT used.credits, c.id, c.name, c.deleted_at IS NOT NULL AS is_deleted,
         (c.deleted_at IS NULL OR NOT @without_deleted::boolean)
           AND (c.owner_id = @user_id OR (c.deleted_at IS NULL AND s.conversation_id IS NOT NULL)) AS is_shown
    FROM used
    JOIN conversation c ON c.id = used.conversation_id
    LEFT JOIN shared s ON s.conversation_id = c.id
)
SELECT (CASE WHEN n.is_shown THEN n.id ELSE '00000000-0000-0000-0000-000000000000' END)::uuid AS conversation_id, (CASE WHEN n.is_shown THEN n.name ELSE '' END)::text AS name,
       (n.is_shown AND n.is_deleted)::boolean AS is_deleted, sum(n.credits)::float8 AS credits
  FROM named n
 GROUP BY 1, 2, 3
 ORDER BY sum(n.credits) DESC, 1;

-- name: UsageByProjectLabel :many
-- A conversation counts for its first label as it is now; those without one
-- stand in the row without an id.
SELECT l.id, coalesce(l.name, '')::text AS name, coalesce(l.color, '')::text AS color, coalesce(l.deleted_at IS NOT NULL, false)::boolean AS is_deleted,
       sum(d.credits)::float8 AS credits
  FROM usage_day d
  JOIN conversation c ON c.id = d.conversation_id
  LEFT JOIN project_label l ON l.id = c.project_labels[1]
 WHERE d.org_id = @org_id AND d.day BETWEEN @first::date AND @last::date AND (NOT @only_mine::boolean OR d.user_id = @user_id)
 GROUP BY l.id, l.name, l.color, l.deleted_at
 ORDER BY sum(d.credits) DESC, l.id;

-- name: UsageCreditLimit :one
SELECT o.credit_limit::float8 AS credit_limit FROM organisation o WHERE o.id = @org_id;
