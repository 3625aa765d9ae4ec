-- name: SessionClaim :one
-- @batch
UPDATE app_user SET session_node = @node::text, session_claimed_at = clock_timestamp()
 WHERE uuid = @uuid AND NOT is_disabled
RETURNING id, (next_seq - 1)::bigint AS head;

-- name: SessionClaimFree :many
-- SessionClaim for many: it claims the rows that no other transaction has locked.
WITH free AS MATERIALIZED (
  SELECT u.id FROM app_user u WHERE u.uuid = ANY(@users::uuid[]) AND NOT u.is_disabled
   ORDER BY u.id FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE app_user u SET session_node = k.node, session_claimed_at = clock_timestamp()
  FROM free, (SELECT unnest(@users::uuid[]) AS uuid, unnest(@nodes::text[]) AS node) k
 WHERE u.id = free.id AND k.uuid = u.uuid
RETURNING u.uuid, u.id, (u.next_seq - 1)::bigint AS head;

-- name: SessionRelease :exec
UPDATE app_user SET session_node = NULL WHERE uuid = @uuid AND session_node = @node::text;

-- name: SessionHomes :many
SELECT u.uuid, coalesce(m.node, '')::text AS node
  FROM app_user u LEFT JOIN cluster_member m ON m.node = u.session_node
 WHERE u.uuid = ANY(@users::uuid[]);

-- name: SessionHeads :many
-- @batch
-- The sessions whose head differs from the given one, or whose node from the one that they are believed to have.
SELECT u.uuid, (u.next_seq - 1)::bigint AS head, coalesce(u.session_node, '')::text AS node
  FROM (SELECT unnest(@users::uuid[]) AS uuid, unnest(@heads::bigint[]) AS head) k
  JOIN app_user u ON u.uuid = k.uuid
 WHERE u.next_seq - 1 > k.head OR coalesce(u.session_node, '') <> @node::text;

-- name: UserEvents :many
-- @batch
SELECT e.seq, e.type, e.data, e.at, u.uuid
  FROM user_event e JOIN app_user u ON u.id = e.user_id
 WHERE e.user_id = @user_id AND e.seq > @after
 ORDER BY e.seq LIMIT @size::bigint;

-- name: UserHead :one
-- @batch
SELECT (next_seq - 1)::bigint FROM app_user WHERE id = $1;

-- name: UserEventPrune :execrows
DELETE FROM user_event WHERE at < clock_timestamp() - interval '7 days';
