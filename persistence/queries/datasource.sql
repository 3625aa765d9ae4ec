-- name: DataSourceGet :one
-- @batch @row:DataSourceSeen @into:DataSource
SELECT sqlc.embed(shown), v.rank::int AS rank,
       coalesce(p.is_favorite, false) AS is_favorite, coalesce(u.at, 'epoch'::timestamptz)::timestamptz AS last_used_at
  FROM data_source_shown shown
  CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM data_source_reader r WHERE r.data_source_id = shown.id AND r.user_id = @user_id) v
  LEFT JOIN data_source_person p ON p.data_source_id = shown.id AND p.user_id = @user_id
  LEFT JOIN LATERAL (SELECT max(c.updated_at) AS at
                       FROM (SELECT data_sources, updated_at FROM conversation WHERE owner_id = @user_id AND deleted_at IS NULL
                              ORDER BY updated_at DESC, id DESC LIMIT 1000) c
                      WHERE shown.id = ANY(c.data_sources)) u ON true
 WHERE shown.id = @id AND v.rank IS NOT NULL;

-- name: DataSourceList :many
-- @batch @row:DataSourceSeen @total
-- The time of last use comes from the person's last thousand conversations, which bounds what one
-- list costs. Where no order is asked for, a search lists those whose name matches before those
-- whose description matches.
WITH visible AS (
  SELECT r.data_source_id, max(r.rank)::int AS rank FROM data_source_reader r WHERE r.user_id = @user_id GROUP BY r.data_source_id
), recent AS (
  SELECT used.id, max(c.updated_at) AS at
    FROM (SELECT data_sources, updated_at FROM conversation WHERE owner_id = @user_id AND deleted_at IS NULL
           ORDER BY updated_at DESC, id DESC LIMIT 1000) c
   CROSS JOIN LATERAL unnest(c.data_sources) AS used(id)
   GROUP BY used.id
), page AS (
  SELECT d.id, v.rank, u.at, count(*) OVER () AS total, row_number() OVER (
           ORDER BY CASE @sort::text WHEN '-updated_at' THEN d.updated_at WHEN '-created_at' THEN d.created_at END DESC,
                    CASE @sort WHEN 'updated_at' THEN d.updated_at WHEN 'created_at' THEN d.created_at END,
                    CASE @sort WHEN '-name' THEN lower(d.name) END DESC,
                    CASE @sort WHEN 'name' THEN lower(d.name) END,
                    CASE WHEN 'recent' = ANY(@scopes) THEN u.at END DESC NULLS LAST,
                    @pattern::text <> '' AND d.name ILIKE @pattern DESC,
                    d.updated_at DESC, d.id DESC) AS place
    FROM visible v
    JOIN data_source d ON d.id = v.data_source_id
    LEFT JOIN recent u ON u.id = d.id
    LEFT JOIN data_source_person p ON p.data_source_id = d.id AND p.user_id = @user_id
   WHERE d.is_archived = @archived::boolean
     AND ('favorite' <> ALL(@scopes::text[]) OR coalesce(p.is_favorite, false))
     AND ('organization' <> ALL(@scopes) OR d.scope = 'organization')
     AND ('conversation' <> ALL(@scopes) OR d.scope = 'conversation')
     AND ('owned' <> ALL(@scopes) OR v.rank = 3)
     AND ('shared' <> ALL(@scopes) OR v.rank < 3 AND d.scope <> 'organization')
     AND ('recent' <> ALL(@scopes) OR u.at IS NOT NULL)
     AND (@pattern::text = '' OR d.name ILIKE @pattern OR d.description ILIKE @pattern)
     AND (cardinality(@labels::bigint[]) = 0 OR d.project_labels && @labels)
     AND CASE WHEN @conditions::text = '' THEN true ELSE filter_matches(jsonb_build_object(
           'name', d.name, 'description', d.description, 'type', d.type, 'scope', d.scope, 'fileName', d.file_name,
           'ownerId', d.owner_id, 'size', d.size, 'hasFile', d.file_key <> '', 'isFavorite', coalesce(p.is_favorite, false),
           'projectLabels', d.project_labels, 'createdAt', extract(epoch FROM d.created_at), 'updatedAt', extract(epoch FROM d.updated_at)),
           CAST(@conditions::text AS jsonb)) END
   ORDER BY place
   LIMIT @size::bigint OFFSET @skip::bigint
)
SELECT sqlc.embed(shown), page.rank::int AS rank,
       coalesce(p.is_favorite, false) AS is_favorite, coalesce(page.at, 'epoch'::timestamptz)::timestamptz AS last_used_at, page.total
  FROM page
  JOIN data_source_shown shown ON shown.id = page.id
  LEFT JOIN data_source_person p ON p.data_source_id = shown.id AND p.user_id = @user_id
 ORDER BY page.place;

-- name: DataSourceReadable :many
-- @batch @call @row:DataSourceSeen
-- Those of the ids that the person may use now, in the order of their ids.
SELECT sqlc.embed(shown), v.rank::int AS rank,
       coalesce(p.is_favorite, false) AS is_favorite, 'epoch'::timestamptz AS last_used_at
  FROM data_source_shown shown
  CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM data_source_reader r WHERE r.data_source_id = shown.id AND r.user_id = @user_id) v
  LEFT JOIN data_source_person p ON p.data_source_id = shown.id AND p.user_id = @user_id
 WHERE shown.id = ANY(@ids::bigint[]) AND v.rank IS NOT NULL
 ORDER BY shown.id;

-- name: DataSourceOfConversation :many
-- @batch @row:DataSourceSeen
-- What is attached to the conversation, or was used by one of its prompts, or belongs to it, as far
-- as the person may use it.
SELECT sqlc.embed(shown), v.rank::int AS rank,
       coalesce(p.is_favorite, false) AS is_favorite, 'epoch'::timestamptz AS last_used_at
  FROM conversation c
  JOIN data_source_shown shown ON shown.id = ANY(c.data_sources) OR shown.conversation_id = c.id
  CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM data_source_reader r WHERE r.data_source_id = shown.id AND r.user_id = @user_id) v
  LEFT JOIN data_source_person p ON p.data_source_id = shown.id AND p.user_id = @user_id
 WHERE c.id = @conversation_id AND c.deleted_at IS NULL AND v.rank IS NOT NULL
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = @user_id)
 ORDER BY shown.id;

-- name: DataResourceList :many
-- @batch @call @row:DataResourceShown
SELECT id, data_source_id, name, table_name, description, details, columns, row_count, preview, declared
  FROM data_resource WHERE data_source_id = ANY(@data_sources::bigint[])
 ORDER BY data_source_id, id;

-- name: DataResourceShape :many
-- @batch @row:DataResourceShown
-- The tables of many data sources, without the statistics of their columns.
SELECT id, data_source_id, name, table_name, description, details,
       coalesce((SELECT json_agg(json_build_object('name', c ->> 'name', 'type', c ->> 'type', 'description',
       coalesce(c ->> 'description', '')))
                   FROM json_array_elements(columns) c), '[]')::json AS columns, row_count, preview, '{}'::json AS declared
  FROM data_resource WHERE data_source_id = ANY(@data_sources::bigint[])
 ORDER BY data_source_id, id;

-- name: DataResourceNames :many
-- @batch @row:DataResourceShown
-- What a row of a list shows of the tables.
SELECT id, data_source_id, name, table_name, description, ''::text AS details, '[]'::json AS columns, row_count,
       ''::text AS preview, '{}'::json AS declared
  FROM data_resource WHERE data_source_id = ANY(@data_sources::bigint[])
 ORDER BY data_source_id, id;

-- name: DataSourceInsert :one
-- @from:NewDataSource
INSERT INTO data_source (org_id, owner_id, name, description, description_generated, type, scope, conversation_id, file_name, delimiter,
  file_key, work_key, size, params, credential_id, left_out)
VALUES (@org_id, @owner_id, @name, @description, @description_generated, @type, @scope, @conversation_id, @file_name, @delimiter,
  @file_key, @work_key, @size, @params, @credential_id, @left_out)
RETURNING id;

-- name: DataResourceInsert :exec
INSERT INTO data_resource (data_source_id, org_id, name, table_name, description, details, columns, row_count, preview, declared)
VALUES (@data_source_id, @org_id, @name, @table_name, @description, @details, @columns, @row_count, @preview, @declared);
