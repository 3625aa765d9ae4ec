-- name: AnalystGet :one
-- @batch @row:AnalystShown
SELECT sqlc.embed(a), u.uuid AS owner_uuid, u.full_name AS owner_name, u.picture AS owner_picture
  FROM analyst a LEFT JOIN app_user u ON u.id = a.owner_id
 WHERE a.id = $1;

-- name: AnalystDefault :one
-- @batch @call @row:AnalystShown
SELECT sqlc.embed(a), u.uuid AS owner_uuid, u.full_name AS owner_name, u.picture AS owner_picture
  FROM analyst a LEFT JOIN app_user u ON u.id = a.owner_id
 WHERE a.org_id = $1 AND a.is_default;

-- name: AnalystUsable :one
-- @batch @row:AnalystShown
SELECT sqlc.embed(a), u.uuid AS owner_uuid, u.full_name AS owner_name, u.picture AS owner_picture
  FROM analyst a LEFT JOIN app_user u ON u.id = a.owner_id
 WHERE a.id = @id AND EXISTS (SELECT FROM analyst_reader r WHERE r.analyst_id = a.id AND r.user_id = @user_id::bigint);

-- name: AnalystFor :one
-- @batch @row:AnalystSeen
-- As a person sees it: only with the connectors that the person may use.
SELECT sqlc.embed(a), u.uuid AS owner_uuid, u.full_name AS owner_name, u.picture AS owner_picture,
       v.rank::int AS rank, coalesce(p.is_favorite, false) AS is_favorite, live_labels(a.project_labels)::bigint[] AS live_labels,
       ARRAY(SELECT c.id FROM unnest(a.connectors) AS c (id)
              WHERE EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = c.id
                AND r.user_id = @user_id::bigint))::bigint[] AS usable
  FROM analyst a
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM analyst_reader r WHERE r.analyst_id = a.id AND r.user_id = @user_id::bigint) v
  LEFT JOIN app_user u ON u.id = a.owner_id
  LEFT JOIN analyst_person p ON p.analyst_id = a.id AND p.user_id = @user_id
 WHERE a.id = @id AND v.rank IS NOT NULL AND (a.is_enabled OR @is_superuser::boolean OR v.rank = 3);

-- name: AnalystList :many
-- @batch @row:AnalystSeen @total
WITH visible AS (
  SELECT r.analyst_id, max(r.rank)::int AS rank FROM analyst_reader r WHERE r.user_id = @user_id::bigint GROUP BY r.analyst_id
), recent AS (
  SELECT used.analyst_id, max(c.updated_at) AS at
    FROM (SELECT id, updated_at FROM conversation WHERE owner_id = @user_id AND deleted_at IS NULL AND 'recent' = ANY(@scopes::text[])
           ORDER BY updated_at DESC, id DESC LIMIT 1000) c
   CROSS JOIN LATERAL (SELECT m.analyst_id FROM message m
                        WHERE m.conversation_id = c.id AND m.cut_generation IS NULL AND m.analyst_id IS NOT NULL
                        ORDER BY m.seq DESC LIMIT 1) used
   GROUP BY used.analyst_id
), page AS (
  SELECT a.id, v.rank, c.at, count(*) OVER () AS total
    FROM visible v
    JOIN analyst a ON a.id = v.analyst_id
    LEFT JOIN recent c ON c.analyst_id = a.id
    LEFT JOIN analyst_person p ON p.analyst_id = a.id AND p.user_id = @user_id
   WHERE (a.is_enabled OR NOT @only_enabled::boolean AND (@is_superuser::boolean OR v.rank = 3))
     AND (cardinality(@labels::bigint[]) = 0 OR a.project_labels && @labels)
     AND (@pattern::text = '' OR a.name ILIKE @pattern OR a.description ILIKE @pattern)
     AND ('favorite' <> ALL(@scopes::text[]) OR coalesce(p.is_favorite, false))
     AND ('organization' <> ALL(@scopes) OR a.owner_id IS NULL)
     AND ('owned' <> ALL(@scopes) OR v.rank = 3)
     AND ('shared' <> ALL(@scopes) OR v.rank = 1 AND a.owner_id IS NOT NULL)
     AND ('recent' <> ALL(@scopes) OR c.at IS NOT NULL)
     AND CASE WHEN @conditions::text = '' THEN true ELSE filter_matches(jsonb_build_object(
           'name', a.name, 'description', a.description, 'agent', a.controller, 'modelProvider', a.provider, 'model', a.model,
           'owner', a.owner_id, 'isEnabled', a.is_enabled, 'isFavorite', coalesce(p.is_favorite, false), 'projectLabels', a.project_labels,
           'updatedAt', extract(epoch FROM a.updated_at)), CAST(@conditions::text AS jsonb)) END
   ORDER BY c.at DESC NULLS LAST, a.is_default DESC, lower(a.name), a.id
   LIMIT @size::bigint OFFSET @skip::bigint
)
SELECT sqlc.embed(a), u.uuid AS owner_uuid, u.full_name AS owner_name, u.picture AS owner_picture,
       page.rank::int AS rank, coalesce(p.is_favorite, false) AS is_favorite, live_labels(a.project_labels)::bigint[] AS live_labels,
       ARRAY(SELECT c.id FROM unnest(a.connectors) AS c (id)
              WHERE EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = c.id
                AND r.user_id = @user_id::bigint))::bigint[] AS usable, page.total
  FROM page
  JOIN analyst a ON a.id = page.id
  LEFT JOIN app_user u ON u.id = a.owner_id
  LEFT JOIN analyst_person p ON p.analyst_id = a.id AND p.user_id = @user_id
 ORDER BY page.at DESC NULLS LAST, a.is_default DESC, lower(a.name), a.id;

-- name: AnalystLock :one
-- The lock makes two changes of one agent run one after the other. The rank is the caller's.
SELECT sqlc.embed(a), coalesce((SELECT max(r.rank) FROM analyst_reader r WHERE r.analyst_id = a.id AND r.user_id = @user_id::bigint),
       -1)::int AS rank
  FROM analyst a WHERE a.id = @id FOR UPDATE OF a;

-- name: AnalystNamesLock :exec
-- Held until the end of the transaction, so that two new agents do not get the same name.
SELECT pg_advisory_xact_lock(hashtextextended('names of agents', @org_id::bigint));

-- name: AnalystFreeName :one
-- The first of prism-1, prism-2 and so on that is not taken.
SELECT (@prefix::text || n.n)::text AS name
  FROM generate_series(1, (SELECT count(*) + 1 FROM analyst b WHERE b.org_id = @org_id)) AS n (n)
 WHERE NOT EXISTS (SELECT FROM analyst a WHERE a.org_id = @org_id AND a.name = @prefix || n.n)
 ORDER BY n.n LIMIT 1;

-- name: AnalystNameTaken :one
SELECT EXISTS (SELECT FROM analyst a WHERE a.org_id = @org_id AND a.name = @name AND a.id <> @id);

-- name: AnalystInsert :one
-- @from:Analyst
INSERT INTO analyst (org_id, owner_id, name, description, controller, provider, model, instructions, picture, settings, connectors,
  project_labels, is_enabled, updated_at)
VALUES (@org_id, @owner_id::bigint, @name, @description, @controller, @provider, @model, @instructions, @picture, @settings, @connectors,
  @project_labels, @is_enabled, @at)
RETURNING id;

-- name: AnalystUpdate :exec
-- @from:Analyst
UPDATE analyst SET name = @name, description = @description, controller = @controller, provider = @provider, model = @model,
       instructions = @instructions, picture = @picture, settings = @settings, connectors = @connectors, project_labels = @project_labels,
       is_enabled = @is_enabled, version = version + 1, updated_at = @at
 WHERE id = @id;

-- name: AnalystDelete :exec
DELETE FROM analyst WHERE id = $1;

-- name: AnalystKnownMemories :one
-- Those of the ids that exist in the organisation.
SELECT ARRAY(SELECT m.id FROM memory m WHERE m.id = ANY(@memories::bigint[]) ORDER BY 1)::bigint[] AS memories,
       ARRAY(SELECT l.id FROM memory_label l WHERE l.id = ANY(@labels::bigint[]) ORDER BY 1)::bigint[] AS labels;

-- name: AnalystSetFavorite :exec
INSERT INTO analyst_person (user_id, analyst_id, org_id, is_favorite) VALUES (@user_id, @analyst_id, @org_id, @is_favorite)
ON CONFLICT (user_id, analyst_id) DO UPDATE SET is_favorite = excluded.is_favorite;

-- name: AnalystGrantList :many
-- @batch @row:GrantShown
SELECT 'user'::text AS type, u.id, u.full_name AS name, u.picture, 'owner'::text AS permission, 0 AS place
  FROM analyst a JOIN app_user u ON u.id = a.owner_id
 WHERE a.id = @id
UNION ALL
SELECT 'user'::text, u.id, u.full_name, u.picture, g.permission, 1
  FROM analyst_grant g JOIN app_user u ON u.id = g.user_id
 WHERE g.analyst_id = @id
UNION ALL
SELECT 'team'::text, t.id, t.name, ''::text, g.permission, 2
  FROM analyst_grant g JOIN team t ON t.id = g.team_id
 WHERE g.analyst_id = @id
ORDER BY place, name, id;

-- name: AnalystGrantAdd :exec
INSERT INTO analyst_grant (analyst_id, org_id, user_id, team_id)
VALUES (@analyst_id, @org_id, nullif(@user_id::bigint, 0), nullif(@team_id::bigint, 0))
ON CONFLICT DO NOTHING;

-- name: AnalystGrantRemove :exec
DELETE FROM analyst_grant WHERE analyst_id = @analyst_id AND (user_id = nullif(@user_id::bigint, 0)
  OR team_id = nullif(@team_id::bigint, 0));
