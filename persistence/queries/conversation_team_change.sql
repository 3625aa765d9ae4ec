-- name: TeamChangeHorizon :one
-- @batch
-- All transactions below it have ended, and what they wrote is seen.
SELECT pg_snapshot_xmin(pg_current_snapshot())::text;

-- name: TeamChanges :many
-- @batch
-- What a node may remember wrongly since: its conversations that a changed team
-- reads, and its sessions of the people who came or went. The zero id stands for
-- none. A node that has just begun asks for what it may have missed meanwhile.
SELECT t.xid::text AS change, c.id AS conversation_id, '00000000-0000-0000-0000-000000000000'::uuid AS user_uuid
  FROM team_change t
  JOIN conversation_grant g ON g.team_id = t.team_id
  JOIN conversation c ON c.id = g.conversation_id AND c.node = @node AND c.deleted_at IS NULL
 WHERE CASE WHEN sqlc.arg(since)::text <> '' THEN t.xid >= CAST(sqlc.arg(since)::text AS xid8)
            ELSE t.at > clock_timestamp() - interval '5 minutes' END
UNION
SELECT t.xid::text, '00000000-0000-0000-0000-000000000000'::uuid, u.uuid
  FROM team_change t JOIN app_user u ON u.id = t.user_id AND u.session_node = @node
 WHERE CASE WHEN sqlc.arg(since)::text <> '' THEN t.xid >= CAST(sqlc.arg(since)::text AS xid8)
            ELSE t.at > clock_timestamp() - interval '5 minutes' END;

-- name: TeamChangePrune :execrows
DELETE FROM team_change WHERE at < clock_timestamp() - interval '1 day';
