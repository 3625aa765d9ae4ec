-- name: CorrectionList :many
-- @batch @row:CorrectionShown
-- The standing corrections of the data sources that the person may read, under the present names of their tables.
SELECT c.id, c.data_source_id, coalesce(r.table_name, c.table_name)::text AS table_name, c.column_name, c.field, c.value, c.reason,
       c.said_by, u.full_name, c.said_at
  FROM data_correction c
  JOIN app_user u ON u.id = c.said_by
  LEFT JOIN data_resource r ON r.id = c.data_resource_id
 WHERE c.data_source_id = ANY(@ids::bigint[]) AND c.withdrawn_at IS NULL
   AND EXISTS (SELECT FROM data_source_reader k WHERE k.data_source_id = c.data_source_id AND k.user_id = @user_id)
 ORDER BY c.id;

-- name: CorrectionTables :many
-- @batch
-- The tables of the same data sources with the names of their columns, as far as anything is said about the data source.
SELECT r.data_source_id, r.table_name, ARRAY(SELECT k ->> 'name' FROM json_array_elements(r.columns) k)::text[] AS columns
  FROM data_resource r
 WHERE r.data_source_id = ANY(@ids::bigint[])
   AND EXISTS (SELECT FROM data_correction c WHERE c.data_source_id = r.data_source_id AND c.withdrawn_at IS NULL)
   AND EXISTS (SELECT FROM data_source_reader k WHERE k.data_source_id = r.data_source_id AND k.user_id = @user_id);

-- name: CorrectionsStanding :many
-- The standing corrections of one data source, whose row is locked.
SELECT c.id, coalesce(r.table_name, c.table_name)::text AS table_name, c.column_name, c.field, c.value
  FROM data_correction c
  LEFT JOIN data_resource r ON r.id = c.data_resource_id
 WHERE c.data_source_id = @data_source_id AND c.withdrawn_at IS NULL
 ORDER BY c.id;

-- name: CorrectionInsert :one
INSERT INTO data_correction (data_source_id, data_resource_id, org_id, table_name, column_name, field, value, reason, said_by, said_at)
VALUES (@data_source_id, @data_resource_id, @org_id, @table_name, @column_name, @field, @value, @reason, @said_by, @said_at)
RETURNING id;

-- name: CorrectionsWithdraw :execrows
UPDATE data_correction SET withdrawn_by = @user_id, withdrawn_at = @at
 WHERE data_source_id = @data_source_id AND id = ANY(@ids::bigint[]) AND withdrawn_at IS NULL;

-- name: CorrectionOne :one
-- @batch @row:CorrectionShown
-- A correction that the person has just made, or made before with the same key, also if it was withdrawn since.
SELECT c.id, c.data_source_id, coalesce(r.table_name, c.table_name)::text AS table_name, c.column_name, c.field, c.value, c.reason,
       c.said_by, u.full_name, c.said_at
  FROM data_correction c
  JOIN app_user u ON u.id = c.said_by
  LEFT JOIN data_resource r ON r.id = c.data_resource_id
 WHERE c.id = @id;
