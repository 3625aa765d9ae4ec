-- Removes the contents of deleted conversations. Every caller holds the purge's lock: if two
-- conversations that share files were purged at once, each would leave the files to the other.

-- name: PurgeLock :one
SELECT pg_try_advisory_xact_lock(hashtext('conversation purge')) AS held;

-- name: PurgeNext :one
-- The one that was deleted first. After @seconds, all that was reading or copying it when it was
-- deleted has ended.
SELECT id, org_id FROM conversation
 WHERE deleted_at IS NOT NULL AND purged_at IS NULL AND deleted_at < clock_timestamp() - make_interval(secs => @seconds::float8)
 ORDER BY deleted_at LIMIT 1;

-- name: PurgeFeedback :exec
-- Deletes its comments as well.
DELETE FROM feedback WHERE conversation_id = $1;

-- name: PurgeNotes :exec
-- Deletes the entries of stored files that an object refers to. It needs the lock, because a purge
-- that removes the object at this moment relies on the entry.
DELETE FROM discarded_file f
 WHERE f.node IS NULL AND f.at < clock_timestamp() - make_interval(secs => @seconds::float8)
   AND EXISTS (SELECT FROM display_object o WHERE o.file_key = f.key);

-- name: PurgeObjects :many
DELETE FROM display_object WHERE conversation_id = $1 RETURNING file_key;

-- name: PurgeFiles :exec
-- The files to which no object of a copy refers. They are due at once: nobody can open them any more.
INSERT INTO discarded_file (key, org_id, at)
SELECT DISTINCT k, @org_id::bigint, clock_timestamp() - make_interval(secs => @seconds::float8)
  FROM unnest(@keys::text[]) AS k
 WHERE k <> '' AND NOT EXISTS (SELECT FROM display_object o WHERE o.file_key = k)
ON CONFLICT DO NOTHING;

-- name: PurgeDataSources :many
-- The data sources that belong to this conversation alone.
DELETE FROM data_source WHERE conversation_id = $1::uuid RETURNING file_key, work_key;

-- name: PurgeMessagesOf :many
-- The messages that a rewind has cut and the others, each by its index. They name all turns,
-- because a turn has at least the message that started it.
SELECT m.id, m.turn_id FROM message m WHERE m.conversation_id = @conversation_id AND m.cut_generation IS NULL
UNION ALL
SELECT m.id, m.turn_id FROM message m WHERE m.conversation_id = @conversation_id AND m.cut_generation IS NOT NULL;

-- name: PurgeChunks :exec
DELETE FROM message_chunk WHERE message_id = ANY(@messages::uuid[]) AND org_id = @org_id;

-- name: PurgeMessages :exec
DELETE FROM message WHERE id = ANY(@messages::uuid[]) AND conversation_id = @conversation_id;

-- name: PurgeSteps :exec
DELETE FROM step WHERE turn_id = ANY(@turns::uuid[]);

-- name: PurgeTurnEnds :exec
DELETE FROM turn_end WHERE turn_id = ANY(@turns::uuid[]);

-- name: PurgeTurns :exec
DELETE FROM turn WHERE id = ANY(@turns::uuid[]);

-- name: PurgeEvents :exec
DELETE FROM conversation_event WHERE conversation_id = $1;

-- name: PurgeSnapshot :exec
DELETE FROM conversation_snapshot WHERE conversation_id = $1;

-- name: PurgeGrants :exec
DELETE FROM conversation_grant WHERE conversation_id = $1;

-- name: PurgePeople :exec
DELETE FROM conversation_person WHERE conversation_id = $1;

-- name: PurgeTombstone :exec
UPDATE conversation SET purged_at = clock_timestamp(), description = '', status_summary = '', data_sources = '{}' WHERE id = $1;
