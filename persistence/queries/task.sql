-- name: TaskGet :one
-- @batch @row:TaskShown
-- A task of the person, or, for a superuser, any of the organisation.
SELECT sqlc.embed(t), o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture,
       EXISTS (SELECT FROM blueprint b WHERE b.id = t.blueprint_id)::boolean AS has_blueprint
  FROM scheduled_task t
  JOIN app_user o ON o.id = t.owner_id
 WHERE t.id = @id AND (t.owner_id = @user_id OR @superuser::boolean);

-- name: TaskLock :one
SELECT sqlc.embed(t), clock_timestamp()::timestamptz AS now FROM scheduled_task t
 WHERE t.id = @id AND (t.owner_id = @user_id OR @superuser::boolean) FOR UPDATE;

-- name: TaskListOwned :many
-- @batch @row:TaskShown @total
WITH page AS (
  SELECT t.id, count(*) OVER () AS total
    FROM scheduled_task t
   WHERE t.owner_id = @user_id AND t.is_archived = @archived::boolean
     AND (@pattern::text = '' OR t.name ILIKE @pattern)
     AND (@conditions::text = '' OR filter_matches(jsonb_build_object(
           'name', t.name, 'isEnabled', t.is_enabled, 'icebreaker', t.blueprint_id, 'projectLabels', t.project_labels, 'owner', t.owner_id,
           'frequencyType', t.frequency, 'nextRunAt', extract(epoch FROM t.next_due_at), 'createdAt', extract(epoch FROM t.created_at),
           'updatedAt', extract(epoch FROM t.updated_at)), CAST(@conditions::text AS jsonb)))
   ORDER BY t.updated_at DESC, t.id DESC
   LIMIT @size::bigint OFFSET @skip::bigint
)
SELECT sqlc.embed(t), o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture,
       EXISTS (SELECT FROM blueprint b WHERE b.id = t.blueprint_id)::boolean AS has_blueprint, page.total
  FROM page
  JOIN scheduled_task t ON t.id = page.id
  JOIN app_user o ON o.id = t.owner_id
 ORDER BY t.updated_at DESC, t.id DESC;

-- name: TaskListAll :many
-- @batch @row:TaskShown @total
-- All tasks of the organisation, for superusers.
WITH page AS (
  SELECT t.id, count(*) OVER () AS total
    FROM scheduled_task t
   WHERE t.org_id = @org_id AND t.is_archived = @archived::boolean
     AND (@pattern::text = '' OR t.name ILIKE @pattern)
     AND (@conditions::text = '' OR filter_matches(jsonb_build_object(
           'name', t.name, 'isEnabled', t.is_enabled, 'icebreaker', t.blueprint_id, 'projectLabels', t.project_labels, 'owner', t.owner_id,
           'frequencyType', t.frequency, 'nextRunAt', extract(epoch FROM t.next_due_at), 'createdAt', extract(epoch FROM t.created_at),
           'updatedAt', extract(epoch FROM t.updated_at)), CAST(@conditions::text AS jsonb)))
   ORDER BY t.updated_at DESC, t.id DESC
   LIMIT @size::bigint OFFSET @skip::bigint
)
SELECT sqlc.embed(t), o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture,
       EXISTS (SELECT FROM blueprint b WHERE b.id = t.blueprint_id)::boolean AS has_blueprint, page.total
  FROM page
  JOIN scheduled_task t ON t.id = page.id
  JOIN app_user o ON o.id = t.owner_id
 ORDER BY t.updated_at DESC, t.id DESC;

-- name: TaskNow :one
-- @batch @call
-- The clock of the database, which decides what is due.
SELECT clock_timestamp()::timestamptz;

-- name: TaskInsert :exec
INSERT INTO scheduled_task (id, org_id, owner_id, name, blueprint_id, project_labels, frequency, time_zone, minute, day_of_week,
  day_of_month, month,
  next_due_at, created_at, updated_at)
VALUES (@id, @org_id, @owner_id, @name, @blueprint_id, @project_labels, @frequency, @time_zone, @minute, @day_of_week, @day_of_month,
  @month,
  @next_due_at, @at, @at);

-- name: TaskUpdate :exec
UPDATE scheduled_task
   SET name = @name, blueprint_id = @blueprint_id, project_labels = @project_labels, frequency = @frequency, time_zone = @time_zone,
       minute = @minute, day_of_week = @day_of_week, day_of_month = @day_of_month, month = @month,
       is_enabled = @is_enabled, is_archived = @is_archived, next_due_at = @next_due_at, version = version + 1, updated_at = @at
 WHERE id = @id;

-- name: TaskBlueprintHold :one
-- The blueprint cannot be deleted before the end of the transaction. No row means that it was
-- deleted.
SELECT b.id FROM blueprint b WHERE b.id = $1 FOR KEY SHARE;

-- name: TaskBlueprintLock :exec
-- Deleting a blueprint locks its tasks first, because firing or changing a task also locks the task
-- before its blueprint.
SELECT t.id FROM scheduled_task t WHERE t.blueprint_id = $1 ORDER BY t.id FOR UPDATE;

-- name: TaskBlueprintGone :many
-- Switches off the tasks of a blueprint that was deleted.
UPDATE scheduled_task SET is_enabled = false, next_due_at = NULL, version = version + 1, updated_at = @at
 WHERE blueprint_id = @blueprint_id AND is_enabled
RETURNING id, owner_id, name;

-- name: TaskDelete :exec
DELETE FROM scheduled_task WHERE id = @id;

-- name: TaskRunList :many
-- @batch @total
-- A run whose turn has ended is shown as ended even before TaskRunSettle has copied the end to the run.
WITH page AS (
  SELECT r.due_at, count(*) OVER () AS total FROM task_run r
   WHERE r.task_id = @task_id
   ORDER BY r.due_at DESC
   LIMIT @size::bigint OFFSET @skip::bigint
)
SELECT r.due_at, coalesce(e.status, r.status)::text AS status, coalesce(e.reason, r.reason)::text AS reason, r.conversation_id, r.turn_id,
       r.started_at, r.ended_at, e.at AS turn_ended_at, page.total
  FROM page
  JOIN task_run r ON r.task_id = @task_id AND r.due_at = page.due_at
  LEFT JOIN turn_end e ON e.turn_id = r.turn_id
 ORDER BY r.due_at DESC;

