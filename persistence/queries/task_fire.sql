-- name: TaskDue :many
-- @batch
-- Tasks that are due, without those that another live node owns. The clock is read once for the
-- whole query, so that the index can be used.
SELECT t.id
  FROM scheduled_task t
 WHERE t.next_due_at <= (SELECT clock_timestamp())
   AND NOT EXISTS (SELECT FROM cluster_member m WHERE m.node = t.node AND m.node <> @node::text AND m.expires_at > clock_timestamp())
 ORDER BY t.next_due_at
 LIMIT @size::bigint;

-- name: TaskClaim :one
UPDATE scheduled_task SET epoch = epoch + 1, activation = @activation, node = @node WHERE id = @id RETURNING org_id, epoch;

-- name: TaskHome :one
-- @batch
SELECT coalesce(m.node, '')::text AS node
  FROM scheduled_task t LEFT JOIN cluster_member m ON m.node = t.node
 WHERE t.id = $1;

-- name: TaskRelease :exec
UPDATE scheduled_task SET node = NULL WHERE id = @id AND epoch = @epoch AND activation = @activation;

-- name: TaskFireRead :one
-- @batch
-- A due task, and its owner with the present rights.
SELECT sqlc.embed(t), o.uuid AS owner_uuid, o.full_name AS owner_name, o.is_superuser, o.is_disabled, o.scheduled_task_view,
       o.upload_credentials,
       clock_timestamp()::timestamptz AS now
  FROM scheduled_task t
  JOIN app_user o ON o.id = t.owner_id
 WHERE t.id = @id;

-- name: TaskAdvance :execrows
-- Takes a due time: only the owner may do it, and only if nothing has changed since the task was
-- read. The row stays locked until the transaction ends.
UPDATE scheduled_task SET next_due_at = @next
 WHERE id = @id AND epoch = @epoch AND activation = @activation AND version = @version AND next_due_at = @due;

-- name: TaskRunGoing :one
-- Whether an earlier run is still running.
SELECT EXISTS (SELECT FROM task_run r WHERE r.task_id = @task_id AND r.status = 'running'
                  AND NOT EXISTS (SELECT FROM turn_end e WHERE e.turn_id = r.turn_id));

-- name: TaskRunSkip :exec
INSERT INTO task_run (task_id, due_at, org_id, status, reason, ended_at)
SELECT @task_id, d, @org_id, 'skipped', @reason, clock_timestamp() FROM unnest(@due::timestamptz[]) AS d
ON CONFLICT (task_id, due_at) DO NOTHING;

-- name: TaskRunBegin :execrows
-- No row means that the due time was taken before.
INSERT INTO task_run (task_id, due_at, org_id, status) VALUES (@task_id, @due_at, @org_id, 'running')
ON CONFLICT (task_id, due_at) DO NOTHING;

-- name: TaskRunStarted :exec
UPDATE task_run SET conversation_id = @conversation_id, turn_id = @turn_id WHERE task_id = @task_id AND due_at = @due_at;

-- name: TaskRunEnd :exec
UPDATE task_run SET status = @status, reason = @reason, ended_at = clock_timestamp() WHERE task_id = @task_id AND due_at = @due_at;

-- name: TaskRunSettle :one
-- Stores the end of one run whose turn has ended.
UPDATE task_run r SET status = e.status, reason = e.reason, ended_at = e.at
  FROM turn_end e, scheduled_task t
 WHERE (r.task_id, r.due_at) = (
         SELECT s.task_id, s.due_at FROM task_run s JOIN turn_end x ON x.turn_id = s.turn_id
          WHERE s.status = 'running' LIMIT 1 FOR UPDATE OF s SKIP LOCKED)
   AND e.turn_id = r.turn_id AND t.id = r.task_id
RETURNING r.task_id, r.due_at, r.org_id, r.status, r.reason, r.conversation_id, t.name, t.owner_id;
