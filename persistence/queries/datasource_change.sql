-- name: DataSourceLock :one
-- A data source that the person may see, locked until the transaction ends.
SELECT d.id, d.owner_id, d.name, d.description, d.description_generated, d.project_labels, d.type, d.scope, d.file_key, d.work_key, d.size,
       d.version, d.seed,
       coalesce((SELECT max(r.rank) FROM data_source_reader r WHERE r.data_source_id = d.id AND r.user_id = @user_id), 0)::int AS rank
  FROM data_source d WHERE d.id = @id
   FOR UPDATE OF d;

-- name: DataSourceUpdate :exec
UPDATE data_source
   SET name = @name, description = @description, description_generated = @description_generated, project_labels = @project_labels,
     version = version + 1, updated_at = clock_timestamp()
 WHERE id = @id;

-- name: DataSourceTouch :exec
UPDATE data_source SET version = version + 1, updated_at = clock_timestamp() WHERE id = @id;

-- name: DataSourceSetFile :exec
UPDATE data_source SET type = @type, file_name = @file_name, delimiter = @delimiter, file_key = @file_key, work_key = @work_key,
  size = @size WHERE id = @id;

-- name: DataSourceSetWork :exec
UPDATE data_source SET work_key = @work_key, left_out = @left_out WHERE id = @id;

-- name: DataSourceSetArchived :exec
UPDATE data_source SET is_archived = @is_archived, version = version + 1, updated_at = clock_timestamp()
 WHERE id = @id AND is_archived <> @is_archived;

-- name: DataSourceDelete :exec
DELETE FROM data_source WHERE id = $1;

-- name: DataSourceSetFavorite :exec
INSERT INTO data_source_person (user_id, data_source_id, org_id, is_favorite) VALUES (@user_id, @data_source_id, @org_id, @is_favorite)
ON CONFLICT (user_id, data_source_id) DO UPDATE SET is_favorite = excluded.is_favorite;

-- name: DataResourceUpdate :exec
UPDATE data_resource
   SET name = @name, table_name = @table_name, description = @description, columns = @columns, row_count = @row_count, preview = @preview,
       declared = @declared
 WHERE id = @id;

-- name: DataResourceDelete :exec
DELETE FROM data_resource WHERE data_source_id = @data_source_id AND NOT id = ANY(@kept::bigint[]);

-- name: DataResourceSource :one
-- @batch
-- The data source of a table, if the person may see it. Otherwise there is no row, as for a table
-- that does not exist.
SELECT x.data_source_id FROM data_resource x
 WHERE x.id = @id AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = x.data_source_id AND r.user_id = @user_id);

-- name: DataResourceSetDetails :execrows
UPDATE data_resource SET details = @details WHERE id = @id AND data_source_id = @data_source_id;

-- name: DataSourceGrants :many
-- @batch @row:GrantShown
SELECT 'user'::text AS type, u.id, u.full_name AS name, u.picture, 'owner'::text AS permission, 0 AS place
  FROM data_source d JOIN app_user u ON u.id = d.owner_id
 WHERE d.id = @id
UNION ALL
SELECT 'user'::text, u.id, u.full_name, u.picture, g.permission, 1
  FROM data_source_grant g JOIN app_user u ON u.id = g.user_id
 WHERE g.data_source_id = @id
UNION ALL
SELECT 'team'::text, t.id, t.name, ''::text, g.permission, 2
  FROM data_source_grant g JOIN team t ON t.id = g.team_id
 WHERE g.data_source_id = @id
ORDER BY place, name, id;

-- name: DataSourceGrantUser :exec
INSERT INTO data_source_grant (data_source_id, org_id, user_id, permission) VALUES (@data_source_id, @org_id, @user_id::bigint, @permission)
ON CONFLICT (data_source_id, user_id) DO UPDATE SET permission = excluded.permission;

-- name: DataSourceGrantTeam :exec
INSERT INTO data_source_grant (data_source_id, org_id, team_id, permission) VALUES (@data_source_id, @org_id, @team_id::bigint, @permission)
ON CONFLICT (data_source_id, team_id) DO UPDATE SET permission = excluded.permission;

-- name: DataSourceRevoke :exec
DELETE FROM data_source_grant
 WHERE data_source_id = @data_source_id AND (user_id = ANY(@users::bigint[]) OR team_id = ANY(@teams::bigint[]));

-- name: DeletedSampleInsert :exec
INSERT INTO deleted_sample (org_id, seed) VALUES (@org_id, @seed) ON CONFLICT DO NOTHING;

-- name: DiscardFiles :exec
INSERT INTO discarded_file (key, org_id) SELECT k, @org_id FROM unnest(@keys::text[]) AS k WHERE k <> '' ON CONFLICT DO NOTHING;

-- name: FilesBegin :exec
-- Registers keys before anything is stored under them. Without a node they are due after the usual
-- delay, unless a row refers to them by then.
INSERT INTO discarded_file (key, org_id, node) SELECT k, @org_id, nullif(@node::text, '') FROM unnest(@keys::text[]) AS k
 WHERE k <> ''
ON CONFLICT (key) DO UPDATE SET node = excluded.node, at = clock_timestamp();

-- name: FilesTake :execrows
-- Removes keys, in the transaction whose row refers to them from now on.
DELETE FROM discarded_file WHERE key = ANY(@keys::text[]);

-- name: FilesEnd :exec
-- Keys that no transaction has taken are due after the usual delay. A transaction that takes them
-- may still be running: then this statement waits for it and changes nothing.
UPDATE discarded_file SET node = NULL, at = clock_timestamp() WHERE key = ANY(@keys::text[]);

-- name: DiscardedFiles :many
-- The keys of files that are due and that nothing refers to. Files that a node is storing are due
-- when the node is gone, or after a day. Objects of a running turn are not due, because the turn may
-- still show what it has stored.
SELECT f.key FROM discarded_file f
 WHERE f.key > @after::text
   AND CASE WHEN f.node IS NULL THEN f.at < clock_timestamp() - make_interval(secs => @seconds::float8)
            ELSE f.at < clock_timestamp() - interval '1 day'
                 OR NOT EXISTS (SELECT FROM cluster_member m WHERE m.node = f.node) END
   AND NOT EXISTS (SELECT FROM data_source d WHERE d.file_key = f.key)
   AND NOT EXISTS (SELECT FROM data_source d WHERE d.work_key = f.key)
   AND NOT EXISTS (SELECT FROM display_object o WHERE o.file_key = f.key)
   AND split_part(f.key, '/', 2) NOT IN (SELECT t.conversation_id::text FROM turn t WHERE t.status = 'running')
 ORDER BY f.key LIMIT 500;

-- name: DiscardedFileForget :execrows
-- Runs in the transaction that removes the file, so that nobody can take the key meanwhile.
DELETE FROM discarded_file WHERE key = $1;
