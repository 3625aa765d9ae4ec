-- name: TeamChangeHorizon :one
-- @batch
-- All transactions with a lower number have ended, and what they wrote is visible.
SELECT pg_snapshot_xmin(pg_current_snapshot())::text;

-- name: TeamChanges :many
-- @batch
-- Where the rights that a node has in memory may be outdated: its conversations that a changed team
-- may read, and its sessions of the people who joined or left a team. The zero id means none. A node
-- that has just started names no change and gets those of the last minutes. So does one that names a
-- change, for the last minute: a server that has crashed begins again at a lower number than it had.
WITH t AS (
  SELECT xid, team_id, user_id FROM team_change WHERE xid >= CAST(nullif(sqlc.arg(since)::text, '') AS xid8)
  UNION
  SELECT xid, team_id, user_id FROM team_change
   WHERE at > now() - CASE WHEN sqlc.arg(since)::text = '' THEN interval '5 minutes' ELSE interval '1 minute' END
)
SELECT t.xid::text AS change, c.id AS conversation_id, '00000000-0000-0000-0000-000000000000'::uuid AS user_uuid
  FROM t
  JOIN conversation_grant g ON g.team_id = t.team_id
  JOIN conversation c ON c.id = g.conversation_id AND c.node = @node AND c.deleted_at IS NULL
UNION
SELECT t.xid::text, '00000000-0000-0000-0000-000000000000'::uuid, u.uuid
  FROM t JOIN app_user u ON u.id = t.user_id AND u.session_node = @node;

-- name: TeamChangePrune :execrows
DELETE FROM team_change WHERE at < clock_timestamp() - interval '1 day';
