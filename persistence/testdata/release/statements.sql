-- name: AnalystDefault :one
SELECT a.owner_uuid, a.owner_name, a.owner_picture, a.id, a.org_id, a.name, a.description, a.controller, a.provider, a.model, a.instructions, a.is_enabled, a.is_default, a.owner_id, a.updated_at, a.picture, a.settings, a.connectors, a.project_labels, a.version FROM analyst_shown a WHERE a.org_id = $1 AND a.is_default

-- name: AnalystDelete :exec
DELETE FROM analyst WHERE id = $1

-- name: AnalystFor :one
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.id, shown.org_id, shown.name, shown.description, shown.controller, shown.provider, shown.model, shown.instructions, shown.is_enabled, shown.is_default, shown.owner_id, shown.updated_at, shown.picture, shown.settings, shown.connectors, shown.project_labels, shown.version,
       v.rank::int AS rank, coalesce(p.is_favorite, false) AS is_favorite, live_labels(shown.project_labels)::bigint[] AS live_labels,
       ARRAY(SELECT c.id FROM unnest(shown.connectors) AS c (id)
              WHERE EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = c.id
                AND r.user_id = $1::bigint))::bigint[] AS usable
  FROM analyst_shown shown
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM analyst_reader r WHERE r.analyst_id = shown.id AND r.user_id = $1::bigint) v
  LEFT JOIN analyst_person p ON p.analyst_id = shown.id AND p.user_id = $1
 WHERE shown.id = $2 AND v.rank IS NOT NULL AND (shown.is_enabled OR $3::boolean OR v.rank = 3)

-- name: AnalystFreeName :one
SELECT ($1::text || n.n)::text AS name
  FROM generate_series(1, (SELECT count(*) + 1 FROM analyst b WHERE b.org_id = $2)) AS n (n)
 WHERE NOT EXISTS (SELECT FROM analyst a WHERE a.org_id = $2 AND a.name = $1 || n.n)
 ORDER BY n.n LIMIT 1

-- name: AnalystGet :one
SELECT a.owner_uuid, a.owner_name, a.owner_picture, a.id, a.org_id, a.name, a.description, a.controller, a.provider, a.model, a.instructions, a.is_enabled, a.is_default, a.owner_id, a.updated_at, a.picture, a.settings, a.connectors, a.project_labels, a.version FROM analyst_shown a WHERE a.id = $1

-- name: AnalystGrantAdd :exec
INSERT INTO analyst_grant (analyst_id, org_id, user_id, team_id)
VALUES ($1, $2, nullif($3::bigint, 0), nullif($4::bigint, 0))
ON CONFLICT DO NOTHING

-- name: AnalystGrantList :many
SELECT 'user'::text AS type, u.id, u.full_name AS name, u.picture, 'owner'::text AS permission, 0 AS place
  FROM analyst a JOIN app_user u ON u.id = a.owner_id
 WHERE a.id = $1
UNION ALL
SELECT 'user'::text, u.id, u.full_name, u.picture, g.permission, 1
  FROM analyst_grant g JOIN app_user u ON u.id = g.user_id
 WHERE g.analyst_id = $1
UNION ALL
SELECT 'team'::text, t.id, t.name, ''::text, g.permission, 2
  FROM analyst_grant g JOIN team t ON t.id = g.team_id
 WHERE g.analyst_id = $1
ORDER BY place, name, id

-- name: AnalystGrantRemove :exec
DELETE FROM analyst_grant WHERE analyst_id = $1 AND (user_id = nullif($2::bigint, 0)
  OR team_id = nullif($3::bigint, 0))

-- name: AnalystInsert :one
INSERT INTO analyst (org_id, owner_id, name, description, controller, provider, model, instructions, picture, settings, connectors,
  project_labels, is_enabled, updated_at)
VALUES ($1, $2::bigint, $3, $4, $5, $6, $7, $8, $9, $10, $11,
  $12, $13, $14)
RETURNING id

-- name: AnalystKnownMemories :one
SELECT ARRAY(SELECT m.id FROM memory m WHERE m.id = ANY($1::bigint[]) ORDER BY 1)::bigint[] AS memories,
       ARRAY(SELECT l.id FROM memory_label l WHERE l.id = ANY($2::bigint[]) ORDER BY 1)::bigint[] AS labels

-- name: AnalystList :many
WITH visible AS (
  SELECT r.analyst_id, max(r.rank)::int AS rank FROM analyst_reader r WHERE r.user_id = $1::bigint GROUP BY r.analyst_id
), recent AS (
  SELECT used.analyst_id, max(c.updated_at) AS at
    FROM (SELECT id, updated_at FROM conversation WHERE owner_id = $1 AND deleted_at IS NULL AND 'recent' = ANY($2::text[])
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
    LEFT JOIN analyst_person p ON p.analyst_id = a.id AND p.user_id = $1
   WHERE (a.is_enabled OR NOT $3::boolean AND ($4::boolean OR v.rank = 3))
     AND (cardinality($5::bigint[]) = 0 OR a.project_labels && $5)
     AND ($6::text = '' OR a.name ILIKE $6 OR a.description ILIKE $6)
     AND ('favorite' <> ALL($2::text[]) OR coalesce(p.is_favorite, false))
     AND ('organization' <> ALL($2) OR a.owner_id IS NULL)
     AND ('owned' <> ALL($2) OR v.rank = 3)
     AND ('shared' <> ALL($2) OR v.rank = 1 AND a.owner_id IS NOT NULL)
     AND ('recent' <> ALL($2) OR c.at IS NOT NULL)
     AND CASE WHEN $7::text = '' THEN true ELSE filter_matches(jsonb_build_object(
           'name', a.name, 'description', a.description, 'agent', a.controller, 'modelProvider', a.provider, 'model', a.model,
           'owner', a.owner_id, 'isEnabled', a.is_enabled, 'isFavorite', coalesce(p.is_favorite, false), 'projectLabels', a.project_labels,
           'updatedAt', extract(epoch FROM a.updated_at)), CAST($7::text AS jsonb)) END
   ORDER BY c.at DESC NULLS LAST, a.is_default DESC, lower(a.name), a.id
   LIMIT $9::bigint OFFSET $8::bigint
)
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.id, shown.org_id, shown.name, shown.description, shown.controller, shown.provider, shown.model, shown.instructions, shown.is_enabled, shown.is_default, shown.owner_id, shown.updated_at, shown.picture, shown.settings, shown.connectors, shown.project_labels, shown.version,
       page.rank::int AS rank, coalesce(p.is_favorite, false) AS is_favorite, live_labels(shown.project_labels)::bigint[] AS live_labels,
       ARRAY(SELECT c.id FROM unnest(shown.connectors) AS c (id)
              WHERE EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = c.id
                AND r.user_id = $1::bigint))::bigint[] AS usable, page.total
  FROM page
  JOIN analyst_shown shown ON shown.id = page.id
  LEFT JOIN analyst_person p ON p.analyst_id = shown.id AND p.user_id = $1
 ORDER BY page.at DESC NULLS LAST, shown.is_default DESC, lower(shown.name), shown.id

-- name: AnalystLock :one
SELECT coalesce((SELECT max(r.rank) FROM analyst_reader r WHERE r.analyst_id = a.id AND r.user_id = $1::bigint), -1)::int AS rank
  FROM analyst a WHERE a.id = $2 FOR UPDATE OF a

-- name: AnalystNameTaken :one
SELECT EXISTS (SELECT FROM analyst a WHERE a.org_id = $1 AND a.name = $2 AND a.id <> $3)

-- name: AnalystNamesLock :exec
SELECT pg_advisory_xact_lock(hashtextextended('names of agents', $1::bigint))

-- name: AnalystSetFavorite :exec
INSERT INTO analyst_person (user_id, analyst_id, org_id, is_favorite) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, analyst_id) DO UPDATE SET is_favorite = excluded.is_favorite

-- name: AnalystUpdate :exec
UPDATE analyst SET name = $1, description = $2, controller = $3, provider = $4, model = $5,
       instructions = $6, picture = $7, settings = $8, connectors = $9, project_labels = $10,
       is_enabled = $11, version = version + 1, updated_at = $12
 WHERE id = $13

-- name: AnalystUsable :one
SELECT a.owner_uuid, a.owner_name, a.owner_picture, a.id, a.org_id, a.name, a.description, a.controller, a.provider, a.model, a.instructions, a.is_enabled, a.is_default, a.owner_id, a.updated_at, a.picture, a.settings, a.connectors, a.project_labels, a.version FROM analyst_shown a
 WHERE a.id = $1 AND EXISTS (SELECT FROM analyst_reader r WHERE r.analyst_id = a.id AND r.user_id = $2::bigint)

-- name: BlueprintAnalystsKnown :many
SELECT a.id FROM analyst a
 WHERE a.id = ANY($1::bigint[]) AND (a.is_enabled OR NOT $2::boolean)
   AND EXISTS (SELECT FROM analyst_reader r WHERE r.analyst_id = a.id AND r.user_id = $3::bigint)

-- name: BlueprintDelete :exec
DELETE FROM blueprint WHERE id = $1

-- name: BlueprintGet :one
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.id, shown.org_id, shown.owner_id, shown.name, shown.description, shown.data_sources, shown.project_labels, shown.use_case_categories, shown.input_parameters, shown.needs_inputs, shown.initial_message, shown.is_library, shown.is_archived, shown.version, shown.seed, shown.created_at, shown.updated_at, v.rank::int AS rank,
       coalesce(p.is_favorite, false) AS is_favorite, p.used_at
  FROM blueprint_shown shown
  CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM blueprint_reader r WHERE r.blueprint_id = shown.id AND r.user_id = $1::bigint) v
  LEFT JOIN blueprint_person p ON p.blueprint_id = shown.id AND p.user_id = $1::bigint
 WHERE shown.id = $2 AND v.rank IS NOT NULL

-- name: BlueprintGrantTeams :exec
INSERT INTO blueprint_grant (blueprint_id, org_id, team_id, permission)
SELECT $1::bigint, $2::bigint, unnest($3::bigint[]), 'read'
ON CONFLICT (blueprint_id, team_id) DO NOTHING

-- name: BlueprintGrantUsers :exec
INSERT INTO blueprint_grant (blueprint_id, org_id, user_id, permission)
SELECT $1::bigint, $2::bigint, unnest($3::bigint[]), 'read'
ON CONFLICT (blueprint_id, user_id) DO NOTHING

-- name: BlueprintGrants :many
SELECT 'user'::text AS type, u.id, u.full_name AS name, u.picture, 'owner'::text AS permission, 0 AS place
  FROM blueprint b JOIN app_user u ON u.id = b.owner_id
 WHERE b.id = $1
UNION ALL
SELECT 'user'::text, u.id, u.full_name, u.picture, g.permission, 1
  FROM blueprint_grant g JOIN app_user u ON u.id = g.user_id
 WHERE g.blueprint_id = $1
UNION ALL
SELECT 'team'::text, t.id, t.name, ''::text, g.permission, 2
  FROM blueprint_grant g JOIN team t ON t.id = g.team_id
 WHERE g.blueprint_id = $1
ORDER BY place, name, id

-- name: BlueprintInsert :one
INSERT INTO blueprint (org_id, owner_id, name, description, data_sources, project_labels, use_case_categories, input_parameters,
  needs_inputs, initial_message, created_at, updated_at)
VALUES ($1, $2::bigint, $3, $4, $5, $6, $7, $8,
  $9, $10, $11, $11)
RETURNING id

-- name: BlueprintList :many
WITH shared AS (
  SELECT g.blueprint_id FROM blueprint_grant g WHERE g.user_id = $1::bigint
  UNION
  SELECT g.blueprint_id FROM team_member t JOIN blueprint_grant g ON g.team_id = t.team_id WHERE t.user_id = $1::bigint
), visible AS (
  SELECT b.id, b.owner_id, b.name, b.description, b.is_archived, b.is_library, b.needs_inputs, b.project_labels, b.use_case_categories,
         b.created_at, b.updated_at, 3 AS rank
    FROM blueprint b WHERE b.owner_id = $1::bigint
  UNION ALL
  SELECT b.id, b.owner_id, b.name, b.description, b.is_archived, b.is_library, b.needs_inputs, b.project_labels, b.use_case_categories,
         b.created_at, b.updated_at, 1
    FROM blueprint b WHERE b.is_library AND b.org_id = $2
  UNION ALL
  SELECT b.id, b.owner_id, b.name, b.description, b.is_archived, b.is_library, b.needs_inputs, b.project_labels, b.use_case_categories,
         b.created_at, b.updated_at, 1
    FROM shared s JOIN blueprint b ON b.id = s.blueprint_id WHERE b.owner_id <> $1::bigint
), page AS (
  SELECT v.id, v.rank, row_number() OVER (
           ORDER BY CASE WHEN $3::text = '-used_at' THEN p.used_at END DESC,
                    CASE WHEN $3::text = '-updated_at' THEN v.updated_at END DESC,
                    CASE WHEN $3::text = 'updated_at' THEN v.updated_at END,
                    CASE WHEN $3::text = '-created_at' THEN v.created_at END DESC,
                    CASE WHEN $3::text = 'created_at' THEN v.created_at END,
                    CASE WHEN $3::text = '-name' THEN lower(v.name) END DESC,
                    CASE WHEN $3::text = 'name' THEN lower(v.name) END,
                    v.id DESC) AS place, count(*) OVER () AS total
    FROM visible v LEFT JOIN blueprint_person p ON p.blueprint_id = v.id AND p.user_id = $1::bigint
   WHERE v.is_archived = $4::boolean
     AND CASE $5::text WHEN 'favorite' THEN coalesce(p.is_favorite, false)
                           WHEN 'organization' THEN v.is_library
                           WHEN 'owned' THEN v.rank = 3
                           WHEN 'shared' THEN v.rank < 3 AND NOT v.is_library
                           WHEN 'recent' THEN p.used_at IS NOT NULL
                           ELSE true END
     AND CASE $6::text WHEN 'library' THEN v.is_library WHEN 'exclude' THEN NOT v.is_library ELSE true END
     AND CASE $7::text WHEN 'with' THEN v.needs_inputs WHEN 'without' THEN NOT v.needs_inputs ELSE true END
     AND ($8::bigint = 0 OR $8 = ANY(v.use_case_categories))
     AND ($9::text = '' OR v.name ILIKE $9 OR v.description ILIKE $9)
     AND ($10::text = '' OR filter_matches(jsonb_build_object(
            'name', v.name, 'description', v.description, 'isFavorite', coalesce(p.is_favorite, false), 'isLibrary', v.is_library,
            'owner', v.owner_id, 'projectLabels', v.project_labels, 'useCaseCategories', v.use_case_categories,
            'createdAt', extract(epoch FROM v.created_at), 'updatedAt', extract(epoch FROM v.updated_at)),
            CAST($10::text AS jsonb)))
     AND (cardinality($11::bigint[]) = 0 OR v.project_labels && $11)
   ORDER BY place
   LIMIT $13::bigint OFFSET $12::bigint
)
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.id, shown.org_id, shown.owner_id, shown.name, shown.description, shown.data_sources, shown.project_labels, shown.use_case_categories, shown.input_parameters, shown.needs_inputs, shown.initial_message, shown.is_library, shown.is_archived, shown.version, shown.seed, shown.created_at, shown.updated_at, page.rank::int AS rank,
       coalesce(p.is_favorite, false) AS is_favorite, p.used_at, page.total
  FROM page
  JOIN blueprint_shown shown ON shown.id = page.id
  LEFT JOIN blueprint_person p ON p.blueprint_id = shown.id AND p.user_id = $1::bigint
 ORDER BY page.place

-- name: BlueprintLock :one
SELECT b.id, coalesce(b.owner_id, 0)::bigint AS owner_id, b.is_library, b.is_archived, b.version, v.rank::int AS rank
  FROM blueprint b
  CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM blueprint_reader r WHERE r.blueprint_id = b.id AND r.user_id = $1::bigint) v
 WHERE b.id = $2 AND v.rank IS NOT NULL
   FOR NO KEY UPDATE OF b

-- name: BlueprintMemoriesKnown :many
SELECT id FROM memory WHERE id = ANY($1::bigint[]) AND (is_enabled OR $2::boolean)

-- name: BlueprintRevoke :exec
DELETE FROM blueprint_grant
 WHERE blueprint_id = $1 AND (user_id = ANY($2::bigint[]) OR team_id = ANY($3::bigint[]))

-- name: BlueprintSetFavorite :exec
INSERT INTO blueprint_person (user_id, blueprint_id, org_id, is_favorite) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, blueprint_id) DO UPDATE SET is_favorite = excluded.is_favorite

-- name: BlueprintSourcesUsable :many
SELECT DISTINCT r.data_source_id::bigint FROM data_source_reader r WHERE r.user_id = $1::bigint
  AND r.data_source_id = ANY($2::bigint[])

-- name: BlueprintStepGet :one
SELECT s.id, coalesce(s.blueprint_id, 0)::bigint AS blueprint_id
  FROM blueprint_step s
 WHERE s.id = $1
   AND (s.owner_id = $2::bigint OR EXISTS (SELECT FROM blueprint_reader r WHERE r.blueprint_id = s.blueprint_id
     AND r.user_id = $2::bigint))

-- name: BlueprintStepInsert :one
INSERT INTO blueprint_step (org_id, blueprint_id, owner_id, place, name, detailed_instructions, qa_instructions, code, language, memories,
  analyst_id, created_at)
VALUES ($1, nullif($2::bigint, 0), nullif($3::bigint, 0), $4, $5, $6, $7,
  $8, $9,
        $10, nullif($11::bigint, 0), $12)
RETURNING id

-- name: BlueprintStepLock :one
SELECT coalesce(s.blueprint_id, 0)::bigint AS blueprint_id FROM blueprint_step s WHERE s.id = $1 FOR UPDATE

-- name: BlueprintStepPrune :execrows
DELETE FROM blueprint_step WHERE blueprint_id IS NULL AND created_at < clock_timestamp() - interval '24 hours'

-- name: BlueprintStepUpdate :exec
UPDATE blueprint_step
   SET blueprint_id = nullif($1::bigint, 0), owner_id = nullif($2::bigint, 0), place = $3, name = $4,
       detailed_instructions = $5, qa_instructions = $6, code = $7, language = $8,
       memories = $9, analyst_id = nullif($10::bigint, 0)
 WHERE id = $11

-- name: BlueprintSteps :many
SELECT id, coalesce(blueprint_id, 0)::bigint AS blueprint_id, place, name,
       CASE WHEN $1::boolean THEN detailed_instructions ELSE '' END::text AS detailed_instructions,
       CASE WHEN $1 THEN qa_instructions ELSE '' END::text AS qa_instructions,
       CASE WHEN $1 THEN code ELSE '' END::text AS code,
       language, memories, coalesce(analyst_id, 0)::bigint AS analyst_id
  FROM blueprint_step WHERE blueprint_id = ANY($2::bigint[])
 ORDER BY blueprint_id, place

-- name: BlueprintStepsDelete :exec
DELETE FROM blueprint_step WHERE id = ANY($1::bigint[])

-- name: BlueprintStepsPlace :exec
UPDATE blueprint_step s SET place = w.place
  FROM (SELECT unnest($1::bigint[]) AS id, unnest($2::int[]) AS place) w
 WHERE s.id = w.id AND s.place <> w.place

-- name: BlueprintStepsSeen :many
SELECT s.id, coalesce(s.blueprint_id, 0)::bigint AS blueprint_id, s.place, s.name, s.detailed_instructions, s.qa_instructions, s.code,
       s.language, s.memories,
       coalesce(s.analyst_id, 0)::bigint AS analyst_id
  FROM blueprint_step s
 WHERE s.id = ANY($1::bigint[])
   AND (s.owner_id = $2::bigint OR EXISTS (SELECT FROM blueprint_reader r WHERE r.blueprint_id = s.blueprint_id
     AND r.user_id = $2::bigint))

-- name: BlueprintStepsWaiting :many
SELECT id, 0::bigint AS blueprint_id, place, name, detailed_instructions, qa_instructions, code, language, memories,
       coalesce(analyst_id, 0)::bigint AS analyst_id
  FROM blueprint_step WHERE id = ANY($1::bigint[]) AND owner_id = $2::bigint
   FOR UPDATE

-- name: BlueprintUpdate :exec
UPDATE blueprint
   SET name = coalesce($1::text, name), description = coalesce($2::text, description),
       data_sources = coalesce($3::bigint[], data_sources),
       project_labels = coalesce($4::bigint[], project_labels),
       use_case_categories = coalesce($5::bigint[], use_case_categories),
       input_parameters = coalesce($6::text, input_parameters),
       needs_inputs = coalesce($7::boolean, needs_inputs),
       initial_message = coalesce($8::text, initial_message),
       is_archived = coalesce($9::boolean, is_archived),
       version = version + 1, updated_at = $10
 WHERE id = $11

-- name: BlueprintUsed :exec
INSERT INTO blueprint_person (user_id, blueprint_id, org_id, used_at) VALUES ($1, $2, $3, $4::timestamptz)
ON CONFLICT (user_id, blueprint_id) DO UPDATE SET used_at = excluded.used_at

-- name: SeedBlueprint :one
INSERT INTO blueprint (org_id, name, description, data_sources, use_case_categories, input_parameters, needs_inputs, initial_message,
  is_library, seed, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, true,
  $9::text, $10, $10)
ON CONFLICT (org_id, seed) DO NOTHING
RETURNING id

-- name: SeedDataSourceBySeed :one
SELECT id FROM data_source WHERE org_id = $1 AND seed = $2::text

-- name: SeedUseCaseCategory :one
INSERT INTO use_case_category (org_id, name) VALUES ($1, $2)
ON CONFLICT (org_id, name) DO UPDATE SET name = excluded.name RETURNING id

-- name: TurnPlans :many
SELECT id, plan FROM turn WHERE id = ANY($1::uuid[]) AND user_id = $2 AND plan IS NOT NULL

-- name: TurnQueries :many
SELECT s.turn_id, coalesce(s.input ->> 'sql', '')::text AS sql
  FROM step s
 WHERE s.turn_id = ANY($1::uuid[]) AND s.kind = 'tool' AND s.name = 'run_query' AND s.status = 'finished'
   AND coalesce(s.output -> 'result' ->> 'error', '') = ''
 ORDER BY s.turn_id, s.number

-- name: UseCaseCategories :many
SELECT id, name FROM use_case_category WHERE org_id = $1 ORDER BY name LIMIT 1000

-- name: UseCaseCategoriesKnown :one
SELECT count(*) FROM use_case_category WHERE id = ANY($1::bigint[])

-- name: ChunkStretches :many

SELECT s.stretch::smallint AS stretch
  FROM (VALUES (-1), ((chunk_stretch() + 1) % 4), ((chunk_stretch() + 2) % 4)) s (stretch)
 WHERE EXISTS (SELECT FROM message_chunk k WHERE k.stretch = s.stretch)
 ORDER BY s.stretch

-- name: ChunksDrop :one
SELECT drop_chunks($1::smallint)

-- name: ChunksJoin :one
WITH open AS (
  SELECT m.id FROM message m WHERE m.status = 'streaming'
), taken AS (
  DELETE FROM message_chunk k USING open o WHERE k.stretch = $1::smallint AND k.message_id = o.id
  RETURNING k.message_id, k.byte_offset, k.org_id, k.text
), run AS (
  SELECT t.message_id, t.byte_offset, t.org_id, t.text, t.byte_offset - sum(octet_length(t.text)) OVER (PARTITION BY t.message_id ORDER BY t.byte_offset)
              + octet_length(t.text) AS number
    FROM taken t
), joined AS (
  INSERT INTO message_chunk (message_id, byte_offset, org_id, text)
  SELECT r.message_id, min(r.byte_offset), min(r.org_id), string_agg(r.text, '' ORDER BY r.byte_offset)
    FROM run r GROUP BY r.message_id, r.number
  RETURNING message_id
)
SELECT count(DISTINCT j.message_id) FROM joined j

-- name: ConversationAccessGet :one
SELECT v.rank::int AS rank, c.data_sources, (c.next_seq - 1)::bigint AS head, c.generation,
       coalesce((SELECT m.id FROM message m
                  WHERE m.conversation_id = c.id AND m.cut_generation IS NULL AND ($1::boolean OR m.role <> 'internal')
                  ORDER BY m.seq DESC LIMIT 1), '00000000-0000-0000-0000-000000000000')::uuid AS last
  FROM conversation c
  CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = $2) v
 WHERE c.id = $3 AND c.deleted_at IS NULL AND v.rank IS NOT NULL

-- name: ConversationEventInsert :exec
INSERT INTO conversation_event (conversation_id, seq, org_id, type, epoch, generation, data, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)

-- name: ConversationGet :one
SELECT shown.id, shown.org_id, shown.name, shown.description, shown.owner_id, shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.data_sources, shown.project_labels, shown.status_summary, shown.credits, shown.next_seq, shown.epoch, shown.generation, shown.created_at, shown.updated_at, shown.is_streaming, coalesce((SELECT max(r.rank) FROM conversation_reader r WHERE r.conversation_id = shown.id
  AND r.user_id = $1), 0)::int AS rank,
       coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0) AS unread
  FROM conversation_shown shown
  LEFT JOIN conversation_person p ON p.conversation_id = shown.id AND p.user_id = $1
 WHERE shown.id = $2
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = shown.id AND r.user_id = $1)

-- name: ConversationGrants :many
SELECT e.type, e.id, e.name, e.picture, e.permission, e.place
  FROM (SELECT 'user'::text AS type, u.id, u.full_name AS name, u.picture, 'owner'::text AS permission, 0 AS place
          FROM conversation c JOIN app_user u ON u.id = c.owner_id
         WHERE c.id = $1
        UNION ALL
        SELECT 'user'::text, u.id, u.full_name, u.picture, g.permission, 1
          FROM conversation_grant g JOIN app_user u ON u.id = g.user_id
         WHERE g.conversation_id = $1
        UNION ALL
        SELECT 'team'::text, t.id, t.name, ''::text, g.permission, 2
          FROM conversation_grant g JOIN team t ON t.id = g.team_id
         WHERE g.conversation_id = $1) e
 WHERE EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = $1 AND r.user_id = $2)
 ORDER BY e.place, e.name, e.id

-- name: ConversationInsert :exec
INSERT INTO conversation (id, org_id, owner_id, name, description, data_sources, project_labels, next_seq, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, 2, $8, $8)

-- name: ConversationList :many
WITH shared AS (
  SELECT r.conversation_id, max(r.rank)::int AS rank
    FROM conversation_reader r WHERE r.user_id = $1 AND r.rank < 3 GROUP BY r.conversation_id
), visible AS (
  SELECT c.id, c.owner_id, c.name, c.description, c.data_sources, c.project_labels, c.credits, c.created_at, c.updated_at, 3 AS rank
    FROM conversation c WHERE c.owner_id = $1 AND c.deleted_at IS NULL AND $3::text <> 'shared'
  UNION ALL
  SELECT c.id, c.owner_id, c.name, c.description, c.data_sources, c.project_labels, c.credits, c.created_at, c.updated_at, s.rank
    FROM shared s JOIN conversation c ON c.id = s.conversation_id AND c.deleted_at IS NULL
   WHERE c.owner_id <> $1 AND $3::text <> 'user'
), page AS (
  SELECT v.id, v.rank, count(*) OVER () AS total
    FROM visible v LEFT JOIN conversation_person p ON p.conversation_id = v.id AND p.user_id = $1
   WHERE coalesce(p.is_archived, false) = $4::boolean
     AND ($3::text <> 'favorite' OR p.is_favorite)
     AND ($5::text = '' OR v.name ILIKE $5 OR v.description ILIKE $5)
     AND CASE WHEN $6::text = '' THEN true ELSE filter_matches(jsonb_build_object(
            'name', v.name, 'description', v.description, 'isFavorite', coalesce(p.is_favorite, false), 'owner', v.owner_id, 'credits',
            v.credits,
            'dataSources', v.data_sources, 'projectLabels', v.project_labels,
            'createdAt', extract(epoch FROM v.created_at), 'updatedAt', extract(epoch FROM v.updated_at)),
            CAST($6::text AS jsonb)) END
   ORDER BY CASE WHEN $2::text = '-updated_at' THEN v.updated_at END DESC,
            CASE WHEN $2::text = 'updated_at' THEN v.updated_at END,
            CASE WHEN $2::text = '-created_at' THEN v.created_at END DESC,
            CASE WHEN $2::text = 'created_at' THEN v.created_at END,
            CASE WHEN $2::text = '-name' THEN lower(v.name) END DESC,
            CASE WHEN $2::text = 'name' THEN lower(v.name) END,
            v.id DESC
   LIMIT $8::bigint OFFSET $7::bigint
)
SELECT shown.id, shown.org_id, shown.name, shown.description, shown.owner_id, shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.data_sources, shown.project_labels, shown.status_summary, shown.credits, shown.next_seq, shown.epoch, shown.generation, shown.created_at, shown.updated_at, shown.is_streaming, page.rank::int AS rank,
       coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0) AS unread,
       page.total
  FROM page
  JOIN conversation_shown shown ON shown.id = page.id
  LEFT JOIN conversation_person p ON p.conversation_id = shown.id AND p.user_id = $1
 ORDER BY CASE WHEN $2::text = '-updated_at' THEN shown.updated_at END DESC,
          CASE WHEN $2::text = 'updated_at' THEN shown.updated_at END,
          CASE WHEN $2::text = '-created_at' THEN shown.created_at END DESC,
          CASE WHEN $2::text = 'created_at' THEN shown.created_at END,
          CASE WHEN $2::text = '-name' THEN lower(shown.name) END DESC,
          CASE WHEN $2::text = 'name' THEN lower(shown.name) END,
          shown.id DESC

-- name: ConversationMarkRead :exec
UPDATE conversation_person SET unread = 0 WHERE user_id = $1 AND conversation_id = $2

-- name: ConversationMarked :many
WITH visible AS (
  SELECT c.id, c.owner_id, c.name, c.description, c.data_sources, c.project_labels, c.credits, c.created_at, c.updated_at, r.rank
    FROM conversation_person m
    JOIN conversation c ON c.id = m.conversation_id AND c.deleted_at IS NULL
   CROSS JOIN LATERAL (SELECT max(k.rank)::int AS rank FROM conversation_reader k WHERE k.conversation_id = m.conversation_id
     AND k.user_id = $1) r
   WHERE m.user_id = $1 AND (m.is_archived OR m.is_favorite) AND r.rank IS NOT NULL
     AND CASE $3::text WHEN 'user' THEN r.rank = 3 WHEN 'shared' THEN r.rank < 3 ELSE true END
), page AS (
  SELECT v.id, v.rank, count(*) OVER () AS total
    FROM visible v LEFT JOIN conversation_person p ON p.conversation_id = v.id AND p.user_id = $1
   WHERE coalesce(p.is_archived, false) = $4::boolean
     AND ($3::text <> 'favorite' OR p.is_favorite)
     AND ($5::text = '' OR v.name ILIKE $5 OR v.description ILIKE $5)
     AND CASE WHEN $6::text = '' THEN true ELSE filter_matches(jsonb_build_object(
            'name', v.name, 'description', v.description, 'isFavorite', coalesce(p.is_favorite, false), 'owner', v.owner_id, 'credits',
            v.credits,
            'dataSources', v.data_sources, 'projectLabels', v.project_labels,
            'createdAt', extract(epoch FROM v.created_at), 'updatedAt', extract(epoch FROM v.updated_at)),
            CAST($6::text AS jsonb)) END
   ORDER BY CASE WHEN $2::text = '-updated_at' THEN v.updated_at END DESC,
            CASE WHEN $2::text = 'updated_at' THEN v.updated_at END,
            CASE WHEN $2::text = '-created_at' THEN v.created_at END DESC,
            CASE WHEN $2::text = 'created_at' THEN v.created_at END,
            CASE WHEN $2::text = '-name' THEN lower(v.name) END DESC,
            CASE WHEN $2::text = 'name' THEN lower(v.name) END,
            v.id DESC
   LIMIT $8::bigint OFFSET $7::bigint
)
SELECT shown.id, shown.org_id, shown.name, shown.description, shown.owner_id, shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.data_sources, shown.project_labels, shown.status_summary, shown.credits, shown.next_seq, shown.epoch, shown.generation, shown.created_at, shown.updated_at, shown.is_streaming, page.rank::int AS rank,
       coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0) AS unread,
       page.total
  FROM page
  JOIN conversation_shown shown ON shown.id = page.id
  LEFT JOIN conversation_person p ON p.conversation_id = shown.id AND p.user_id = $1
 ORDER BY CASE WHEN $2::text = '-updated_at' THEN shown.updated_at END DESC,
          CASE WHEN $2::text = 'updated_at' THEN shown.updated_at END,
          CASE WHEN $2::text = '-created_at' THEN shown.created_at END DESC,
          CASE WHEN $2::text = 'created_at' THEN shown.created_at END,
          CASE WHEN $2::text = '-name' THEN lower(shown.name) END DESC,
          CASE WHEN $2::text = 'name' THEN lower(shown.name) END,
          shown.id DESC

-- name: ConversationPersonGet :one
SELECT coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0)::int AS unread,
       v.rank::int AS rank
  FROM conversation c
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = $1) v
  LEFT JOIN conversation_person p ON p.conversation_id = c.id AND p.user_id = $1
 WHERE c.id = $2 AND c.deleted_at IS NULL AND v.rank IS NOT NULL

-- name: ConversationRecent :many
WITH shared AS (
  SELECT r.conversation_id, max(r.rank)::int AS rank
    FROM conversation_reader r WHERE r.user_id = $1 AND r.rank < 3 GROUP BY r.conversation_id
), page AS (
  SELECT v.id, v.updated_at, v.rank FROM (
    (SELECT c.id, c.updated_at, 3 AS rank
       FROM conversation c
      WHERE c.owner_id = $1 AND c.deleted_at IS NULL
        -- One lookup for each row of the page: a join would compare each row with all archived ones.
        AND NOT coalesce((SELECT p.is_archived FROM conversation_person p WHERE p.user_id = $1 AND p.conversation_id = c.id), false)
      ORDER BY c.updated_at DESC, c.id DESC LIMIT ($2::bigint + $3::bigint))
    UNION ALL
    SELECT c.id, c.updated_at, s.rank
      FROM shared s JOIN conversation c ON c.id = s.conversation_id AND c.deleted_at IS NULL
     WHERE c.owner_id <> $1 AND $4::text <> 'user'
       AND NOT EXISTS (SELECT FROM conversation_person p WHERE p.user_id = $1 AND p.conversation_id = c.id AND p.is_archived)
  ) v
  ORDER BY v.updated_at DESC, v.id DESC LIMIT $2::bigint OFFSET $3::bigint
)
SELECT shown.id, shown.org_id, shown.name, shown.description, shown.owner_id, shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.data_sources, shown.project_labels, shown.status_summary, shown.credits, shown.next_seq, shown.epoch, shown.generation, shown.created_at, shown.updated_at, shown.is_streaming, page.rank::int AS rank,
       coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0) AS unread
  FROM page
  JOIN conversation_shown shown ON shown.id = page.id
  LEFT JOIN conversation_person p ON p.conversation_id = shown.id AND p.user_id = $1
 ORDER BY shown.updated_at DESC, shown.id DESC

-- name: ConversationRecentCount :one
WITH shared AS (
  SELECT DISTINCT r.conversation_id FROM conversation_reader r WHERE r.user_id = $1 AND r.rank < 3
)
SELECT ((SELECT count(*) FROM conversation c WHERE c.owner_id = $1 AND c.deleted_at IS NULL)
      - (SELECT count(*) FROM conversation_person p JOIN conversation c ON c.id = p.conversation_id AND c.owner_id = p.user_id
      AND c.deleted_at IS NULL
          WHERE p.user_id = $1 AND p.is_archived)
      + (SELECT count(*) FROM shared s JOIN conversation c ON c.id = s.conversation_id AND c.deleted_at IS NULL
          WHERE c.owner_id <> $1 AND $2::text <> 'user'
            AND NOT EXISTS (SELECT FROM conversation_person p WHERE p.user_id = $1 AND p.conversation_id = c.id
              AND p.is_archived)))::bigint

-- name: ConversationRunning :many
WITH running AS (
  SELECT t.conversation_id FROM turn t WHERE t.user_id = $1 AND t.status = 'running'
  UNION
  SELECT t.conversation_id FROM conversation_reader r JOIN turn t ON t.conversation_id = r.conversation_id AND t.status = 'running'
   WHERE r.user_id = $1 AND r.rank < 3
), page AS (
  SELECT u.conversation_id AS id,
         (SELECT max(r.rank) FROM conversation_reader r WHERE r.conversation_id = u.conversation_id AND r.user_id = $1) AS rank
    FROM running u
)
SELECT shown.id, shown.org_id, shown.name, shown.description, shown.owner_id, shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.data_sources, shown.project_labels, shown.status_summary, shown.credits, shown.next_seq, shown.epoch, shown.generation, shown.created_at, shown.updated_at, shown.is_streaming, page.rank::int AS rank,
       coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0) AS unread
  FROM page
  JOIN conversation_shown shown ON shown.id = page.id
  LEFT JOIN conversation_person p ON p.conversation_id = shown.id AND p.user_id = $1
 WHERE page.rank IS NOT NULL
 ORDER BY shown.updated_at DESC, shown.id DESC
 LIMIT $2::bigint

-- name: ConversationSetArchived :exec
INSERT INTO conversation_person (user_id, conversation_id, org_id, is_archived) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, conversation_id) DO UPDATE SET is_archived = excluded.is_archived

-- name: ConversationSetFavorite :exec
INSERT INTO conversation_person (user_id, conversation_id, org_id, is_favorite) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, conversation_id) DO UPDATE SET is_favorite = excluded.is_favorite

-- name: ConversationSnapshotInsert :exec
INSERT INTO conversation_snapshot (conversation_id, org_id) VALUES ($1, $2)

-- name: ConversationCopyInsert :exec
INSERT INTO conversation (id, org_id, owner_id, name, description, data_sources, project_labels, next_seq, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)

-- name: ConversationCopyMessages :exec
WITH copied AS (
  SELECT unnest($4::uuid[]) AS original, unnest($5::uuid[]) AS copy, unnest($6::bigint[]) AS seq,
         unnest($7::text[]) AS annotation
)
INSERT INTO message (id, conversation_id, org_id, parent_id, seq, generation, role, text, status, author_id, analyst_id, analyst_name,
  data_sources, blueprint_id, created_at, annotation)
SELECT k.copy, $1, m.org_id, p.copy, k.seq, 1, m.role, m.text, m.status, m.author_id, m.analyst_id, m.analyst_name,
       ARRAY(SELECT d FROM unnest(m.data_sources) AS d WHERE d = ANY($2::bigint[])), m.blueprint_id, m.created_at, k.annotation::jsonb
  FROM copied k
  JOIN message m ON m.id = k.original AND m.conversation_id = $3
  LEFT JOIN copied p ON p.original = m.parent_id

-- name: ConversationCopyObjectRows :exec
WITH copied AS (
  SELECT unnest($2::uuid[]) AS original, unnest($3::uuid[]) AS copy
), objects AS (
  SELECT unnest($4::uuid[]) AS original, unnest($5::uuid[]) AS copy
)
INSERT INTO display_object (id, conversation_id, message_id, org_id, name, type, language, content_type, size, file_key, columns,
  created_at)
SELECT x.copy, $1, k.copy, o.org_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.columns, o.created_at
  FROM objects x
  JOIN display_object o ON o.id = x.original
  JOIN copied k ON k.original = o.message_id

-- name: ConversationCopyObjects :many
SELECT o.id FROM display_object o WHERE o.conversation_id = $1 AND o.message_id = ANY($2::uuid[])
  ORDER BY o.created_at, o.id

-- name: ConversationCopySource :many

SELECT m.id, m.role, m.data_sources, m.annotation
  FROM message m
 WHERE m.conversation_id = $1 AND m.cut_generation IS NULL AND m.status <> 'streaming'
   AND NOT EXISTS (SELECT FROM turn t WHERE t.id = m.turn_id AND t.status = 'running')
 ORDER BY m.seq

-- name: ConversationAccesses :many
SELECT c.id, k.user_id::bigint AS user_id, c.access_version,
       coalesce((SELECT max(r.rank) FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = k.user_id), 0)::int AS rank
  FROM (SELECT unnest($1::uuid[]) AS id, unnest($2::bigint[]) AS user_id) k
  JOIN conversation c ON c.id = k.id AND c.deleted_at IS NULL

-- name: ConversationAttendants :many
SELECT k.conversation_id::uuid AS conversation_id, u.uuid, u.full_name
  FROM (SELECT unnest($1::uuid[]) AS conversation_id, unnest($2::uuid[]) AS person) k
  JOIN conversation c ON c.id = k.conversation_id AND c.deleted_at IS NULL
  JOIN app_user u ON u.uuid = k.person AND u.org_id = c.org_id
 ORDER BY u.uuid

-- name: ConversationClaim :many
UPDATE conversation SET epoch = epoch + 1, activation = $1, node = $2, claimed_at = clock_timestamp()
 WHERE id = $3 AND deleted_at IS NULL
RETURNING id, epoch, org_id, next_seq, generation, owner_id, name, access_version, data_sources, credits::double precision AS credits

-- name: ConversationClaimFree :many
WITH free AS MATERIALIZED (
  SELECT c.id FROM conversation c WHERE c.id = ANY($1::uuid[]) AND c.deleted_at IS NULL
   ORDER BY c.id FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE conversation c SET epoch = c.epoch + 1, activation = k.activation, node = k.node, claimed_at = clock_timestamp()
  FROM free, (SELECT unnest($1::uuid[]) AS id, unnest($2::uuid[]) AS activation, unnest($3::text[]) AS node) k
 WHERE c.id = free.id AND k.id = free.id
RETURNING c.id, c.epoch, c.org_id, c.next_seq, c.generation, c.owner_id, c.name, c.access_version, c.data_sources,
          c.credits::double precision AS credits

-- name: ConversationDeletion :one
SELECT e.seq, e.type, e.epoch, e.generation, e.data, e.at
  FROM conversation c
 CROSS JOIN LATERAL (
       SELECT l.seq, l.type, l.epoch, l.generation, l.data, l.at FROM conversation_event l
        WHERE l.conversation_id = c.id ORDER BY l.seq DESC LIMIT 1) e
 WHERE c.id = $1 AND c.deleted_at IS NOT NULL AND e.type = 'conversation.deleted'
   AND (c.owner_id = $2 OR EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = $2))

-- name: ConversationEvents :many
SELECT seq, type, epoch, generation, data, at FROM conversation_event
 WHERE conversation_id = $1 AND seq > $2
 ORDER BY seq LIMIT $3::bigint

-- name: ConversationHomes :many
SELECT c.id, coalesce(m.node, '')::text AS node
  FROM conversation c LEFT JOIN cluster_member m ON m.node = c.node
 WHERE c.id = ANY($1::uuid[])

-- name: ConversationOrphans :many
SELECT t.conversation_id
  FROM turn t
  JOIN conversation c ON c.id = t.conversation_id AND c.deleted_at IS NULL
 WHERE t.status = 'running'
   AND NOT EXISTS (SELECT FROM cluster_member m WHERE m.node = c.node AND m.expires_at > clock_timestamp())
 ORDER BY t.started_at
 LIMIT $1::bigint

-- name: ConversationRelease :exec
UPDATE conversation SET node = NULL WHERE id = $1 AND epoch = $2 AND activation = $3

-- name: ConversationSnapshots :many
SELECT conversation_id, seq, epoch, schema_version, checksum, body FROM conversation_snapshot
 WHERE conversation_id = ANY($1::uuid[]) AND seq > 0

-- name: ConversationStored :many
SELECT c.epoch, c.generation, (c.next_seq - 1)::bigint AS head,
       coalesce((SELECT max(r.rank) FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = $1), 0)::int AS rank,
       m.id AS message,
       coalesce(octet_length(m.text) + (SELECT sum(octet_length(k.text)) FROM message_chunk k WHERE k.message_id = m.id),
       octet_length(m.text), 0)::bigint AS length
  FROM conversation c
  LEFT JOIN message m ON m.conversation_id = c.id AND m.status = 'streaming' AND m.cut_generation IS NULL
 WHERE c.id = $2 AND c.org_id = $3 AND c.deleted_at IS NULL
 ORDER BY m.created_at, m.id

-- name: ConversationSuperseded :many
SELECT c.id, c.epoch, (c.deleted_at IS NOT NULL)::bool AS deleted FROM conversation c WHERE c.id = ANY($1::uuid[]) AND c.node IS DISTINCT
  FROM $2::text

-- name: ConversationWhereabouts :one
SELECT coalesce(c.node, '')::text AS node, c.claimed_at, c.epoch, (c.next_seq - 1)::bigint AS head,
       (c.deleted_at IS NOT NULL)::bool AS deleted, t.started_at AS running_since
  FROM conversation c
  LEFT JOIN turn t ON t.conversation_id = c.id AND t.status = 'running'
 WHERE c.id = $1
 ORDER BY t.started_at DESC LIMIT 1

-- name: TurnAnalyst :one
SELECT analyst_id FROM turn WHERE id = $1

-- name: TurnsRunning :many
SELECT t.id, t.conversation_id, t.prompt_id, t.user_id, t.analyst_id, t.attempt, t.status, t.reason, t.started_at, t.plan,
       EXISTS (SELECT FROM message m WHERE m.turn_id = t.id AND m.cut_generation IS NULL AND m.role IN ('assistant', 'summary')
                  AND (m.text <> '' OR EXISTS (SELECT FROM message_chunk k WHERE k.message_id = m.id))) AS spoke,
       (SELECT coalesce(sum(octet_length(m.text)), 0) FROM message m
         WHERE m.turn_id = t.id AND m.cut_generation IS NULL AND m.role IN ('assistant', 'summary')
           AND m.status <> 'streaming')::bigint AS answered,
       EXISTS (SELECT FROM task_run r WHERE r.turn_id = t.id) AS scheduled
  FROM turn t WHERE t.conversation_id = ANY($1::uuid[]) AND t.status = 'running'

-- name: TurnsRunningMessages :many
SELECT m.id, m.conversation_id, m.org_id, m.turn_id, m.parent_id, m.seq, m.generation, m.cut_generation, m.role, m.text, m.status, m.reason, m.author_id, m.author_uuid, m.author_name, m.author_picture, m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM (SELECT t.conversation_id, t.prompt_id AS id FROM turn t WHERE t.conversation_id = ANY($1::uuid[]) AND t.status = 'running'
        UNION
        SELECT t.conversation_id, k.id FROM turn t JOIN message k ON k.conversation_id = t.conversation_id AND k.status = 'streaming'
          AND k.cut_generation IS NULL
         WHERE t.conversation_id = ANY($1::uuid[]) AND t.status = 'running') i
  JOIN message_shown m ON m.id = i.id AND m.conversation_id = i.conversation_id
 ORDER BY m.conversation_id, m.seq

-- name: TurnsRunningSteps :many
SELECT s.turn_id, s.number, s.attempt, s.kind, s.name, s.effect, s.status, s.input, s.output, s.started_at, s.finished_at
  FROM turn t JOIN step s ON s.turn_id = t.id
 WHERE t.conversation_id = ANY($1::uuid[]) AND t.status = 'running'
 ORDER BY s.turn_id, s.number

-- name: TurnsStopped :many
SELECT m.id, m.conversation_id, m.org_id, m.turn_id, m.parent_id, m.seq, m.generation, m.cut_generation, m.role, m.text, m.status, m.reason, m.author_id, m.author_uuid, m.author_name, m.author_picture, m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM (SELECT unnest($1::uuid[]) AS conversation_id) w
 CROSS JOIN LATERAL (
        SELECT k.id FROM message k
         WHERE k.conversation_id = w.conversation_id AND k.cut_generation IS NULL AND k.role = 'user'
         ORDER BY k.seq DESC LIMIT 1) i
  JOIN message_shown m ON m.id = i.id AND m.conversation_id = w.conversation_id
  JOIN conversation c ON c.id = m.conversation_id AND c.generation = m.generation
  JOIN turn t ON t.id = m.turn_id AND t.status = 'stopped'

-- name: PurgeChunks :exec
DELETE FROM message_chunk WHERE message_id = ANY($1::uuid[]) AND org_id = $2

-- name: PurgeDataSources :many
DELETE FROM data_source WHERE conversation_id = $1::uuid RETURNING file_key, work_key

-- name: PurgeEvents :exec
DELETE FROM conversation_event WHERE conversation_id = $1

-- name: PurgeFeedback :exec
DELETE FROM feedback WHERE conversation_id = $1

-- name: PurgeFiles :exec
INSERT INTO discarded_file (key, org_id, at)
SELECT DISTINCT k, $1::bigint, clock_timestamp() - make_interval(secs => $2::float8)
  FROM unnest($3::text[]) AS k
 WHERE k <> '' AND NOT EXISTS (SELECT FROM display_object o WHERE o.file_key = k)
ON CONFLICT DO NOTHING

-- name: PurgeGrants :exec
DELETE FROM conversation_grant WHERE conversation_id = $1

-- name: PurgeLock :one

SELECT pg_try_advisory_xact_lock(hashtext('conversation purge')) AS held

-- name: PurgeMessages :exec
DELETE FROM message WHERE id = ANY($1::uuid[]) AND conversation_id = $2

-- name: PurgeMessagesOf :many
SELECT m.id, m.turn_id FROM message m WHERE m.conversation_id = $1 AND m.cut_generation IS NULL
UNION ALL
SELECT m.id, m.turn_id FROM message m WHERE m.conversation_id = $1 AND m.cut_generation IS NOT NULL

-- name: PurgeNext :one
SELECT id, org_id FROM conversation
 WHERE deleted_at IS NOT NULL AND purged_at IS NULL AND deleted_at < clock_timestamp() - make_interval(secs => $1::float8)
 ORDER BY deleted_at LIMIT 1

-- name: PurgeNotes :exec
DELETE FROM discarded_file f
 WHERE f.node IS NULL AND f.at < clock_timestamp() - make_interval(secs => $1::float8)
   AND EXISTS (SELECT FROM display_object o WHERE o.file_key = f.key)

-- name: PurgeObjects :many
DELETE FROM display_object WHERE conversation_id = $1 RETURNING file_key

-- name: PurgePeople :exec
DELETE FROM conversation_person WHERE conversation_id = $1

-- name: PurgeSnapshot :exec
DELETE FROM conversation_snapshot WHERE conversation_id = $1

-- name: PurgeSteps :exec
DELETE FROM step WHERE turn_id = ANY($1::uuid[])

-- name: PurgeTombstone :exec
UPDATE conversation SET purged_at = clock_timestamp(), description = '', status_summary = '', data_sources = '{}' WHERE id = $1

-- name: PurgeTurnEnds :exec
DELETE FROM turn_end WHERE turn_id = ANY($1::uuid[])

-- name: PurgeTurns :exec
DELETE FROM turn WHERE id = ANY($1::uuid[])

-- name: ConversationStart :exec

INSERT INTO conversation (id, org_id, owner_id, name, description, data_sources, project_labels, next_seq, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, 3, $8, $8)

-- name: ConversationStartMessage :exec
INSERT INTO message (id, conversation_id, org_id, turn_id, seq, generation, role, text, status, author_id, data_sources, blueprint_id,
  created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)

-- name: ConversationStartTurn :exec
INSERT INTO turn (id, conversation_id, org_id, prompt_id, user_id, analyst_id, attempt, status, plan, started_at)
VALUES ($1, $2, $3, $4, $5, $6, 0, 'running', $7, $8)

-- name: TeamChangeHorizon :one
SELECT pg_snapshot_xmin(pg_current_snapshot())::text

-- name: TeamChangePrune :execrows
DELETE FROM team_change WHERE at < clock_timestamp() - interval '1 day'

-- name: TeamChanges :many
SELECT t.xid::text AS change, c.id AS conversation_id, '00000000-0000-0000-0000-000000000000'::uuid AS user_uuid
  FROM team_change t
  JOIN conversation_grant g ON g.team_id = t.team_id
  JOIN conversation c ON c.id = g.conversation_id AND c.node = $1 AND c.deleted_at IS NULL
 WHERE CASE WHEN $2::text <> '' THEN t.xid >= CAST($2::text AS xid8)
            ELSE t.at > clock_timestamp() - interval '5 minutes' END
UNION
SELECT t.xid::text, '00000000-0000-0000-0000-000000000000'::uuid, u.uuid
  FROM team_change t JOIN app_user u ON u.id = t.user_id AND u.session_node = $1
 WHERE CASE WHEN $2::text <> '' THEN t.xid >= CAST($2::text AS xid8)
            ELSE t.at > clock_timestamp() - interval '5 minutes' END

-- name: ConversationReviewed :one

SELECT shown.id, shown.org_id, shown.name, shown.description, shown.owner_id, shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.data_sources, shown.project_labels, shown.status_summary, shown.credits, shown.next_seq, shown.epoch, shown.generation, shown.created_at, shown.updated_at, shown.is_streaming, 0::int AS rank, false AS is_archived, false AS is_favorite, 0::int AS unread
  FROM conversation_shown shown
 WHERE shown.id = $1
   AND EXISTS (SELECT FROM feedback f WHERE f.conversation_id = shown.id)

-- name: ConversationWasOwn :one
SELECT true AS own FROM conversation WHERE id = $1 AND owner_id = $2 AND deleted_at IS NOT NULL

-- name: MessageCutGenerations :many
SELECT m.id, m.cut_generation::bigint AS cut_generation
  FROM message m JOIN conversation c ON c.id = m.conversation_id AND c.deleted_at IS NULL
 WHERE m.conversation_id = $1 AND c.owner_id = $2 AND m.cut_generation IS NOT NULL
 ORDER BY m.seq

-- name: MessageReviewed :one
SELECT m.id, m.conversation_id, m.org_id, m.turn_id, m.parent_id, m.seq, m.generation, m.cut_generation, m.role, m.text, m.status, m.reason, m.author_id, m.author_uuid, m.author_name, m.author_picture, m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message_shown m
  JOIN conversation c ON c.id = m.conversation_id AND c.deleted_at IS NULL
 WHERE m.id = $1 AND m.cut_generation IS NULL
   AND EXISTS (SELECT FROM feedback f WHERE f.conversation_id = c.id)

-- name: MessagesByID :many
SELECT m.id, m.conversation_id, m.org_id, m.turn_id, m.parent_id, m.seq, m.generation, m.cut_generation, m.role, m.text, m.status, m.reason, m.author_id, m.author_uuid, m.author_name, m.author_picture, m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message_shown m
 WHERE m.id = ANY($1::uuid[])
 ORDER BY m.seq

-- name: NestedDataSources :many
SELECT d.id, d.name, d.type FROM data_source d
 WHERE d.id = ANY($1::bigint[])
   AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = d.id AND r.user_id = $2)
 ORDER BY d.id

-- name: ObjectReviewed :one
SELECT o.id, o.conversation_id, o.message_id, o.org_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.created_at, o.columns
  FROM display_object o
  JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id AND m.cut_generation IS NULL
  JOIN conversation c ON c.id = o.conversation_id AND c.deleted_at IS NULL
 WHERE o.id = $1
   AND EXISTS (SELECT FROM feedback f WHERE f.conversation_id = c.id)

-- name: CorrectionInsert :one
INSERT INTO data_correction (data_source_id, data_resource_id, org_id, table_name, column_name, field, value, reason, said_by, said_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
RETURNING id

-- name: CorrectionList :many
SELECT c.id, c.data_source_id, coalesce(r.table_name, c.table_name)::text AS table_name, c.column_name, c.field, c.value, c.reason,
       c.said_by, u.full_name, c.said_at
  FROM data_correction c
  JOIN app_user u ON u.id = c.said_by
  LEFT JOIN data_resource r ON r.id = c.data_resource_id
 WHERE c.data_source_id = ANY($1::bigint[]) AND c.withdrawn_at IS NULL
   AND EXISTS (SELECT FROM data_source_reader k WHERE k.data_source_id = c.data_source_id AND k.user_id = $2)
 ORDER BY c.id

-- name: CorrectionOne :one
SELECT c.id, c.data_source_id, coalesce(r.table_name, c.table_name)::text AS table_name, c.column_name, c.field, c.value, c.reason,
       c.said_by, u.full_name, c.said_at
  FROM data_correction c
  JOIN app_user u ON u.id = c.said_by
  LEFT JOIN data_resource r ON r.id = c.data_resource_id
 WHERE c.id = $1

-- name: CorrectionTables :many
SELECT r.data_source_id, r.table_name, ARRAY(SELECT k ->> 'name' FROM json_array_elements(r.columns) k)::text[] AS columns
  FROM data_resource r
 WHERE r.data_source_id = ANY($1::bigint[])
   AND EXISTS (SELECT FROM data_correction c WHERE c.data_source_id = r.data_source_id AND c.withdrawn_at IS NULL)
   AND EXISTS (SELECT FROM data_source_reader k WHERE k.data_source_id = r.data_source_id AND k.user_id = $2)

-- name: CorrectionsStanding :many
SELECT c.id, coalesce(r.table_name, c.table_name)::text AS table_name, c.column_name, c.field, c.value
  FROM data_correction c
  LEFT JOIN data_resource r ON r.id = c.data_resource_id
 WHERE c.data_source_id = $1 AND c.withdrawn_at IS NULL
 ORDER BY c.id

-- name: CorrectionsWithdraw :execrows
UPDATE data_correction SET withdrawn_by = $1, withdrawn_at = $2
 WHERE data_source_id = $3 AND id = ANY($4::bigint[]) AND withdrawn_at IS NULL

-- name: CredentialGet :one
SELECT id, name, created_at FROM credential WHERE id = $1

-- name: CredentialInsert :one
INSERT INTO credential (id, org_id, owner_id, name, key_id, wrapped_key, body, data_source_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
RETURNING created_at

-- name: CredentialList :many
SELECT id, name, created_at FROM credential WHERE owner_id = $1 AND data_source_id IS NULL ORDER BY lower(name), id LIMIT 1000

-- name: CredentialOfSource :one
SELECT c.id FROM data_source d JOIN credential c ON c.id = d.credential_id OR c.data_source_id = d.id
 WHERE d.id = $1 AND d.org_id = $2 AND c.org_id = d.org_id

-- name: CredentialOpen :one
SELECT key_id, wrapped_key, body FROM credential WHERE id = $1 AND org_id = $2

-- name: CredentialOwned :one
SELECT EXISTS (SELECT FROM credential WHERE id = $1 AND owner_id = $2 AND data_source_id IS NULL)

-- name: CredentialRewrap :exec
UPDATE credential SET key_id = $1, wrapped_key = $2 WHERE id = $3 AND key_id = $4

-- name: CredentialsUnder :many
SELECT id, org_id, key_id, wrapped_key, body FROM credential
 WHERE key_id <> $1 AND id > $2 ORDER BY id LIMIT 200

-- name: DatabaseIdentity :one
SELECT ((SELECT system_identifier FROM pg_catalog.pg_control_system())::text || '/' || (SELECT oid FROM pg_catalog.pg_database
  WHERE datname = current_database())::text)::text

-- name: DataResourceInsert :exec
INSERT INTO data_resource (data_source_id, org_id, name, table_name, description, details, columns, row_count, preview)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: DataResourceList :many
SELECT id, data_source_id, name, table_name, description, details, columns, row_count, preview
  FROM data_resource WHERE data_source_id = ANY($1::bigint[])
 ORDER BY data_source_id, id

-- name: DataResourceNames :many
SELECT id, data_source_id, name, table_name, description, ''::text AS details, '[]'::json AS columns, row_count, ''::text AS preview
  FROM data_resource WHERE data_source_id = ANY($1::bigint[])
 ORDER BY data_source_id, id

-- name: DataResourceShape :many
SELECT id, data_source_id, name, table_name, description, details,
       coalesce((SELECT json_agg(json_build_object('name', c ->> 'name', 'type', c ->> 'type', 'description',
       coalesce(c ->> 'description', '')))
                   FROM json_array_elements(columns) c), '[]')::json AS columns, row_count, preview
  FROM data_resource WHERE data_source_id = ANY($1::bigint[])
 ORDER BY data_source_id, id

-- name: DataSourceGet :one
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.id, shown.org_id, shown.owner_id, shown.name, shown.description, shown.type, shown.scope, shown.conversation_id, shown.is_archived, shown.file_name, shown.file_key, shown.work_key, shown.size, shown.seed, shown.created_at, shown.updated_at, shown.version, shown.delimiter, shown.project_labels, shown.description_generated, shown.params, shown.credential_id, shown.left_out, v.rank::int AS rank,
       coalesce(p.is_favorite, false) AS is_favorite, coalesce(u.at, 'epoch'::timestamptz)::timestamptz AS last_used_at
  FROM data_source_shown shown
  CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM data_source_reader r WHERE r.data_source_id = shown.id AND r.user_id = $1) v
  LEFT JOIN data_source_person p ON p.data_source_id = shown.id AND p.user_id = $1
  LEFT JOIN LATERAL (SELECT max(c.updated_at) AS at
                       FROM (SELECT data_sources, updated_at FROM conversation WHERE owner_id = $1 AND deleted_at IS NULL
                              ORDER BY updated_at DESC, id DESC LIMIT 1000) c
                      WHERE shown.id = ANY(c.data_sources)) u ON true
 WHERE shown.id = $2 AND v.rank IS NOT NULL

-- name: DataSourceInsert :one
INSERT INTO data_source (org_id, owner_id, name, description, description_generated, type, scope, conversation_id, file_name, delimiter,
  file_key, work_key, size, params, credential_id, left_out)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
  $11, $12, $13, $14, $15, $16)
RETURNING id

-- name: DataSourceList :many
WITH visible AS (
  SELECT r.data_source_id, max(r.rank)::int AS rank FROM data_source_reader r WHERE r.user_id = $1 GROUP BY r.data_source_id
), recent AS (
  SELECT used.id, max(c.updated_at) AS at
    FROM (SELECT data_sources, updated_at FROM conversation WHERE owner_id = $1 AND deleted_at IS NULL
           ORDER BY updated_at DESC, id DESC LIMIT 1000) c
   CROSS JOIN LATERAL unnest(c.data_sources) AS used(id)
   GROUP BY used.id
), page AS (
  SELECT d.id, v.rank, u.at, count(*) OVER () AS total, row_number() OVER (
           ORDER BY CASE $2::text WHEN '-updated_at' THEN d.updated_at WHEN '-created_at' THEN d.created_at END DESC,
                    CASE $2 WHEN 'updated_at' THEN d.updated_at WHEN 'created_at' THEN d.created_at END,
                    CASE $2 WHEN '-name' THEN lower(d.name) END DESC,
                    CASE $2 WHEN 'name' THEN lower(d.name) END,
                    CASE WHEN 'recent' = ANY($3) THEN u.at END DESC NULLS LAST,
                    $4::text <> '' AND d.name ILIKE $4 DESC,
                    d.updated_at DESC, d.id DESC) AS place
    FROM visible v
    JOIN data_source d ON d.id = v.data_source_id
    LEFT JOIN recent u ON u.id = d.id
    LEFT JOIN data_source_person p ON p.data_source_id = d.id AND p.user_id = $1
   WHERE d.is_archived = $5::boolean
     AND ('favorite' <> ALL($3::text[]) OR coalesce(p.is_favorite, false))
     AND ('organization' <> ALL($3) OR d.scope = 'organization')
     AND ('conversation' <> ALL($3) OR d.scope = 'conversation')
     AND ('owned' <> ALL($3) OR v.rank = 3)
     AND ('shared' <> ALL($3) OR v.rank < 3 AND d.scope <> 'organization')
     AND ('recent' <> ALL($3) OR u.at IS NOT NULL)
     AND ($4::text = '' OR d.name ILIKE $4 OR d.description ILIKE $4)
     AND (cardinality($6::bigint[]) = 0 OR d.project_labels && $6)
     AND CASE WHEN $7::text = '' THEN true ELSE filter_matches(jsonb_build_object(
           'name', d.name, 'description', d.description, 'type', d.type, 'scope', d.scope, 'fileName', d.file_name,
           'ownerId', d.owner_id, 'size', d.size, 'hasFile', d.file_key <> '', 'isFavorite', coalesce(p.is_favorite, false),
           'projectLabels', d.project_labels, 'createdAt', extract(epoch FROM d.created_at), 'updatedAt', extract(epoch FROM d.updated_at)),
           CAST($7::text AS jsonb)) END
   ORDER BY place
   LIMIT $9::bigint OFFSET $8::bigint
)
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.id, shown.org_id, shown.owner_id, shown.name, shown.description, shown.type, shown.scope, shown.conversation_id, shown.is_archived, shown.file_name, shown.file_key, shown.work_key, shown.size, shown.seed, shown.created_at, shown.updated_at, shown.version, shown.delimiter, shown.project_labels, shown.description_generated, shown.params, shown.credential_id, shown.left_out, page.rank::int AS rank,
       coalesce(p.is_favorite, false) AS is_favorite, coalesce(page.at, 'epoch'::timestamptz)::timestamptz AS last_used_at, page.total
  FROM page
  JOIN data_source_shown shown ON shown.id = page.id
  LEFT JOIN data_source_person p ON p.data_source_id = shown.id AND p.user_id = $1
 ORDER BY page.place

-- name: DataSourceOfConversation :many
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.id, shown.org_id, shown.owner_id, shown.name, shown.description, shown.type, shown.scope, shown.conversation_id, shown.is_archived, shown.file_name, shown.file_key, shown.work_key, shown.size, shown.seed, shown.created_at, shown.updated_at, shown.version, shown.delimiter, shown.project_labels, shown.description_generated, shown.params, shown.credential_id, shown.left_out, v.rank::int AS rank,
       coalesce(p.is_favorite, false) AS is_favorite, 'epoch'::timestamptz AS last_used_at
  FROM conversation c
  JOIN data_source_shown shown ON shown.id = ANY(c.data_sources) OR shown.conversation_id = c.id
  CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM data_source_reader r WHERE r.data_source_id = shown.id AND r.user_id = $1) v
  LEFT JOIN data_source_person p ON p.data_source_id = shown.id AND p.user_id = $1
 WHERE c.id = $2 AND c.deleted_at IS NULL AND v.rank IS NOT NULL
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = $1)
 ORDER BY shown.id

-- name: DataSourceReadable :many
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.id, shown.org_id, shown.owner_id, shown.name, shown.description, shown.type, shown.scope, shown.conversation_id, shown.is_archived, shown.file_name, shown.file_key, shown.work_key, shown.size, shown.seed, shown.created_at, shown.updated_at, shown.version, shown.delimiter, shown.project_labels, shown.description_generated, shown.params, shown.credential_id, shown.left_out, v.rank::int AS rank,
       coalesce(p.is_favorite, false) AS is_favorite, 'epoch'::timestamptz AS last_used_at
  FROM data_source_shown shown
  CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM data_source_reader r WHERE r.data_source_id = shown.id AND r.user_id = $1) v
  LEFT JOIN data_source_person p ON p.data_source_id = shown.id AND p.user_id = $1
 WHERE shown.id = ANY($2::bigint[]) AND v.rank IS NOT NULL
 ORDER BY shown.id

-- name: DataResourceDelete :exec
DELETE FROM data_resource WHERE data_source_id = $1 AND NOT id = ANY($2::bigint[])

-- name: DataResourceSetDetails :execrows
UPDATE data_resource SET details = $1 WHERE id = $2 AND data_source_id = $3

-- name: DataResourceSource :one
SELECT x.data_source_id FROM data_resource x
 WHERE x.id = $1 AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = x.data_source_id AND r.user_id = $2)

-- name: DataResourceUpdate :exec
UPDATE data_resource
   SET name = $1, table_name = $2, description = $3, columns = $4, row_count = $5, preview = $6
 WHERE id = $7

-- name: DataSourceDelete :exec
DELETE FROM data_source WHERE id = $1

-- name: DataSourceGrantTeam :exec
INSERT INTO data_source_grant (data_source_id, org_id, team_id, permission) VALUES ($1, $2, $3::bigint, $4)
ON CONFLICT (data_source_id, team_id) DO UPDATE SET permission = excluded.permission

-- name: DataSourceGrantUser :exec
INSERT INTO data_source_grant (data_source_id, org_id, user_id, permission) VALUES ($1, $2, $3::bigint, $4)
ON CONFLICT (data_source_id, user_id) DO UPDATE SET permission = excluded.permission

-- name: DataSourceGrants :many
SELECT 'user'::text AS type, u.id, u.full_name AS name, u.picture, 'owner'::text AS permission, 0 AS place
  FROM data_source d JOIN app_user u ON u.id = d.owner_id
 WHERE d.id = $1
UNION ALL
SELECT 'user'::text, u.id, u.full_name, u.picture, g.permission, 1
  FROM data_source_grant g JOIN app_user u ON u.id = g.user_id
 WHERE g.data_source_id = $1
UNION ALL
SELECT 'team'::text, t.id, t.name, ''::text, g.permission, 2
  FROM data_source_grant g JOIN team t ON t.id = g.team_id
 WHERE g.data_source_id = $1
ORDER BY place, name, id

-- name: DataSourceLock :one
SELECT d.id, d.owner_id, d.name, d.description, d.description_generated, d.project_labels, d.type, d.scope, d.file_key, d.work_key, d.size,
       d.version, d.seed,
       coalesce((SELECT max(r.rank) FROM data_source_reader r WHERE r.data_source_id = d.id AND r.user_id = $1), 0)::int AS rank
  FROM data_source d WHERE d.id = $2
   FOR UPDATE OF d

-- name: DataSourceRevoke :exec
DELETE FROM data_source_grant
 WHERE data_source_id = $1 AND (user_id = ANY($2::bigint[]) OR team_id = ANY($3::bigint[]))

-- name: DataSourceSetArchived :exec
UPDATE data_source SET is_archived = $1, version = version + 1, updated_at = clock_timestamp()
 WHERE id = $2 AND is_archived <> $1

-- name: DataSourceSetFavorite :exec
INSERT INTO data_source_person (user_id, data_source_id, org_id, is_favorite) VALUES ($1, $2, $3, $4)
ON CONFLICT (user_id, data_source_id) DO UPDATE SET is_favorite = excluded.is_favorite

-- name: DataSourceSetFile :exec
UPDATE data_source SET type = $1, file_name = $2, delimiter = $3, file_key = $4, work_key = $5,
  size = $6 WHERE id = $7

-- name: DataSourceSetWork :exec
UPDATE data_source SET work_key = $1, left_out = $2 WHERE id = $3

-- name: DataSourceTouch :exec
UPDATE data_source SET version = version + 1, updated_at = clock_timestamp() WHERE id = $1

-- name: DataSourceUpdate :exec
UPDATE data_source
   SET name = $1, description = $2, description_generated = $3, project_labels = $4,
     version = version + 1, updated_at = clock_timestamp()
 WHERE id = $5

-- name: DeletedSampleInsert :exec
INSERT INTO deleted_sample (org_id, seed) VALUES ($1, $2) ON CONFLICT DO NOTHING

-- name: DiscardFiles :exec
INSERT INTO discarded_file (key, org_id) SELECT k, $1 FROM unnest($2::text[]) AS k WHERE k <> '' ON CONFLICT DO NOTHING

-- name: DiscardedFileForget :execrows
DELETE FROM discarded_file WHERE key = $1

-- name: DiscardedFiles :many
SELECT f.key FROM discarded_file f
 WHERE f.key > $1::text
   AND CASE WHEN f.node IS NULL THEN f.at < clock_timestamp() - make_interval(secs => $2::float8)
            ELSE f.at < clock_timestamp() - interval '1 day'
                 OR NOT EXISTS (SELECT FROM cluster_member m WHERE m.node = f.node) END
   AND NOT EXISTS (SELECT FROM data_source d WHERE d.file_key = f.key)
   AND NOT EXISTS (SELECT FROM data_source d WHERE d.work_key = f.key)
   AND NOT EXISTS (SELECT FROM display_object o WHERE o.file_key = f.key)
   AND split_part(f.key, '/', 2) NOT IN (SELECT t.conversation_id::text FROM turn t WHERE t.status = 'running')
 ORDER BY f.key LIMIT 500

-- name: FilesBegin :exec
INSERT INTO discarded_file (key, org_id, node) SELECT k, $1, nullif($2::text, '') FROM unnest($3::text[]) AS k
 WHERE k <> ''
ON CONFLICT (key) DO UPDATE SET node = excluded.node, at = clock_timestamp()

-- name: FilesEnd :exec
UPDATE discarded_file SET node = NULL, at = clock_timestamp() WHERE key = ANY($1::text[])

-- name: FilesTake :execrows
DELETE FROM discarded_file WHERE key = ANY($1::text[])

-- name: FactsBefore :one
SELECT f.body::text AS body FROM data_facts f
 WHERE f.data_source_id = $1 AND f.work_key <> $2 AND f.body IS NOT NULL
 ORDER BY f.measured_at DESC LIMIT 1

-- name: FactsBodies :many
SELECT f.data_source_id, f.work_key, f.rules, f.body::text AS body FROM data_facts f
  JOIN (SELECT unnest($1::bigint[]) AS id, unnest($2::text[]) AS work_key, unnest($3::int[]) AS rules) w
    ON f.data_source_id = w.id AND f.work_key = w.work_key AND f.rules = w.rules
 WHERE f.body IS NOT NULL

-- name: FactsChangesBefore :one
SELECT f.changes::text AS changes FROM data_facts f
 WHERE f.data_source_id = $1 AND f.work_key = $2 AND f.rules < $3 AND f.body IS NOT NULL
 ORDER BY f.rules DESC LIMIT 1

-- name: FactsClaim :one
INSERT INTO data_facts AS f (data_source_id, org_id, work_key, rules, claim, claimed_until, attempts)
SELECT d.id, d.org_id, d.work_key, $1::int, $2::uuid, clock_timestamp() + make_interval(secs => $3::float8), 1
  FROM data_source d
  LEFT JOIN data_facts k ON k.data_source_id = d.id AND k.work_key = d.work_key AND k.rules = $1
 WHERE d.work_key <> ''
   AND (k.data_source_id IS NULL OR k.body IS NULL AND k.attempts < $4::int AND k.claimed_until < clock_timestamp())
   AND NOT EXISTS (SELECT FROM data_facts n WHERE n.data_source_id = d.id AND n.work_key = d.work_key AND n.rules > $1)
 ORDER BY d.updated_at DESC, d.id DESC LIMIT 1
ON CONFLICT (data_source_id, work_key, rules) DO UPDATE
   SET claim = excluded.claim, claimed_until = excluded.claimed_until, attempts = f.attempts + 1
 WHERE f.body IS NULL AND f.attempts < $4 AND f.claimed_until < clock_timestamp()
RETURNING f.data_source_id, f.org_id, f.work_key, f.attempts

-- name: FactsFail :exec
UPDATE data_facts
   SET claim = NULL, claimed_until = clock_timestamp() + make_interval(secs => $1::float8), attempts = attempts - $2::int
 WHERE data_source_id = $3 AND work_key = $4 AND rules = $5 AND claim = $6::uuid

-- name: FactsFinish :execrows
UPDATE data_facts f
   SET body = CAST($1::text AS jsonb), changes = CAST($2::text AS jsonb), measured_at = clock_timestamp(), claim = NULL
 WHERE f.data_source_id = $3 AND f.work_key = $4 AND f.rules = $5 AND f.claim = $6::uuid AND f.body IS NULL
   AND EXISTS (SELECT FROM data_source d WHERE d.id = f.data_source_id AND d.work_key = f.work_key)

-- name: FactsForget :exec
DELETE FROM data_facts f
 WHERE f.data_source_id = $1 AND (f.work_key <> $2 OR f.rules < $3)

-- name: FactsOf :one
SELECT body::text AS body FROM data_facts
 WHERE data_source_id = $1 AND work_key = $2 AND body IS NOT NULL ORDER BY rules DESC LIMIT 1

-- name: FactsSources :many
SELECT id, org_id, name, work_key FROM data_source WHERE id = ANY($1::bigint[]) ORDER BY id

-- name: FactsState :many
SELECT d.id, d.work_key, coalesce(f.rules, 0)::int AS rules, coalesce(f.changes::text, '[]')::text AS changes,
       coalesce(f.measured_at, 'epoch')::timestamptz AS measured_at, (f.body IS NOT NULL)::boolean AS measured,
       coalesce(f.body IS NULL AND f.attempts >= $1::int AND f.claimed_until < clock_timestamp(), false)::boolean AS failed
  FROM data_source d
  LEFT JOIN LATERAL (SELECT k.rules, k.changes, k.measured_at, k.body, k.attempts, k.claimed_until FROM data_facts k
                      WHERE k.data_source_id = d.id AND k.work_key = d.work_key
                      ORDER BY k.body IS NULL, k.rules DESC LIMIT 1) f ON true
 WHERE d.id = ANY($2::bigint[]) AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = d.id AND r.user_id = $3)
 ORDER BY d.id

-- name: LinkFactsAgain :exec
INSERT INTO data_link_facts (first_id, second_id, org_id, first_work_key, second_work_key, rules)
SELECT DISTINCT a.id, b.id, a.org_id, a.work_key, b.work_key, $1::int
  FROM data_link_facts l
  JOIN data_source a ON a.id = l.first_id AND a.work_key <> ''
  JOIN data_source b ON b.id = l.second_id AND b.work_key <> ''
 WHERE (l.first_id = $2 OR l.second_id = $2)
   AND NOT EXISTS (SELECT FROM data_link_facts n
                    WHERE n.first_id = a.id AND n.second_id = b.id AND n.first_work_key = a.work_key AND n.second_work_key = b.work_key
                      AND n.rules >= $1)
ON CONFLICT DO NOTHING

-- name: LinkFactsAsk :exec
INSERT INTO data_link_facts (first_id, second_id, org_id, first_work_key, second_work_key, rules)
SELECT a.id, b.id, a.org_id, a.work_key, b.work_key, $1::int
  FROM (SELECT unnest($2::bigint[]) AS first_id, unnest($3::bigint[]) AS second_id) w
  JOIN data_source a ON a.id = w.first_id AND a.work_key <> ''
  JOIN data_source b ON b.id = w.second_id AND b.work_key <> '' AND b.org_id = a.org_id
 WHERE NOT EXISTS (SELECT FROM data_link_facts l
                    WHERE l.first_id = a.id AND l.second_id = b.id AND l.first_work_key = a.work_key AND l.second_work_key = b.work_key
                      AND l.rules >= $1)
ON CONFLICT DO NOTHING

-- name: LinkFactsBefore :one
SELECT l.body::text AS body FROM data_link_facts l
 WHERE l.first_id = $1 AND l.second_id = $2 AND (l.first_work_key, l.second_work_key) <> ($3, $4)
   AND l.body IS NOT NULL
 ORDER BY l.asked_at DESC LIMIT 1

-- name: LinkFactsClaim :one
UPDATE data_link_facts l
   SET claim = $1::uuid, claimed_until = clock_timestamp() + make_interval(secs => $2::float8), attempts = l.attempts + 1
 WHERE (l.first_id, l.second_id, l.first_work_key, l.second_work_key, l.rules) = (
         SELECT k.first_id, k.second_id, k.first_work_key, k.second_work_key, k.rules
           FROM data_link_facts k
           JOIN data_source a ON a.id = k.first_id AND a.work_key = k.first_work_key
           JOIN data_source b ON b.id = k.second_id AND b.work_key = k.second_work_key
          WHERE k.body IS NULL AND k.rules = $3::int AND k.attempts < $4::int AND k.claimed_until < clock_timestamp()
            AND EXISTS (SELECT FROM data_facts f WHERE f.data_source_id = a.id AND f.work_key = a.work_key AND f.body IS NOT NULL)
            AND EXISTS (SELECT FROM data_facts f WHERE f.data_source_id = b.id AND f.work_key = b.work_key AND f.body IS NOT NULL)
          ORDER BY k.asked_at LIMIT 1 FOR UPDATE OF k SKIP LOCKED)
RETURNING l.first_id, l.second_id, l.org_id, l.first_work_key, l.second_work_key, l.attempts

-- name: LinkFactsFail :exec
UPDATE data_link_facts
   SET claim = NULL, claimed_until = clock_timestamp() + make_interval(secs => $1::float8), attempts = attempts - $2::int
 WHERE first_id = $3 AND second_id = $4 AND first_work_key = $5 AND second_work_key = $6
   AND rules = $7 AND claim = $8::uuid

-- name: LinkFactsFinish :execrows
UPDATE data_link_facts l SET body = CAST($1::text AS jsonb), changes = CAST($2::text AS jsonb), claim = NULL
 WHERE l.first_id = $3 AND l.second_id = $4 AND l.first_work_key = $5 AND l.second_work_key = $6
   AND l.rules = $7 AND l.claim = $8::uuid AND l.body IS NULL
   AND EXISTS (SELECT FROM data_source d WHERE d.id = l.first_id AND d.work_key = l.first_work_key)
   AND EXISTS (SELECT FROM data_source d WHERE d.id = l.second_id AND d.work_key = l.second_work_key)

-- name: LinkFactsForget :exec
DELETE FROM data_link_facts l
 WHERE l.first_id = $1 AND l.second_id = $2
   AND ((l.first_work_key, l.second_work_key) <> ($3, $4) OR l.rules < $5)

-- name: LinkFactsOf :many
SELECT l.first_id, l.second_id, a.name AS first_name, b.name AS second_name, l.body::text AS body, l.changes::text AS changes
  FROM data_link_facts l
  JOIN data_source a ON a.id = l.first_id AND a.work_key = l.first_work_key
  JOIN data_source b ON b.id = l.second_id AND b.work_key = l.second_work_key
 WHERE (l.first_id = $1::bigint OR l.second_id = $1) AND l.body IS NOT NULL
   AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = a.id AND r.user_id = $2)
   AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = b.id AND r.user_id = $2)
 ORDER BY l.first_id, l.second_id, l.rules DESC
 LIMIT 100

-- name: LinkFactsState :many
SELECT l.first_id, l.second_id, coalesce(l.body::text, '')::text AS body
  FROM data_link_facts l
  JOIN data_source a ON a.id = l.first_id AND a.work_key = l.first_work_key
  JOIN data_source b ON b.id = l.second_id AND b.work_key = l.second_work_key
 WHERE l.first_id = ANY($1::bigint[]) AND l.second_id = ANY($1::bigint[])
   AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = a.id AND r.user_id = $2)
   AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = b.id AND r.user_id = $2)
 ORDER BY l.first_id, l.second_id, l.body IS NULL, l.rules DESC

-- name: FeedbackCommentGet :one
SELECT k.id, k.feedback_id, k.user_id, k.user_uuid, k.user_name, k.user_picture, k.text, k.created_at
  FROM comment_shown k
 WHERE k.id = $1

-- name: FeedbackCommentInsert :one
INSERT INTO feedback_comment (org_id, feedback_id, user_id, text) VALUES ($1, $2, $3, $4) RETURNING id

-- name: FeedbackCommentLock :exec
SELECT pg_advisory_xact_lock(hashtextextended('comments of feedback', $1::bigint))

-- name: FeedbackCommentNumber :one
SELECT count(*) FROM feedback_comment WHERE feedback_id = $1

-- name: FeedbackComments :many
SELECT k.id, k.feedback_id, k.user_id, k.user_uuid, k.user_name, k.user_picture, k.text, k.created_at
  FROM comment_shown k
 WHERE k.feedback_id = ANY($1::bigint[])
 ORDER BY k.id

-- name: FeedbackCommentsOfConversation :many
SELECT k.id, k.feedback_id, k.user_id, k.user_uuid, k.user_name, k.user_picture, k.text, k.created_at
  FROM feedback f
  JOIN comment_shown k ON k.feedback_id = f.id
 WHERE f.conversation_id = $1
   AND (f.user_id = $2 OR ($3::boolean AND (f.owner_id = $2 OR $4::boolean)))
   AND ($3 AND $4
        OR EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = $1 AND r.user_id = $2))
 ORDER BY k.id

-- name: FeedbackCommentsOfMessage :many
SELECT k.id, k.feedback_id, k.user_id, k.user_uuid, k.user_name, k.user_picture, k.text, k.created_at
  FROM feedback_standing f
  JOIN comment_shown k ON k.feedback_id = f.id
 WHERE f.message_id = $1
   AND (f.owner_id = $2 OR $3::boolean
        OR (f.user_id = $2 AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = f.conversation_id
          AND r.user_id = $2)))
 ORDER BY k.id
 LIMIT 1000

-- name: FeedbackCount :many
WITH mine AS (
  SELECT b.sentiment_id FROM feedback_standing b WHERE b.user_id = $1
     AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = b.conversation_id AND r.user_id = $1)
  UNION ALL
  SELECT o.sentiment_id FROM feedback_standing o WHERE o.owner_id = $1 AND o.user_id <> $1
)
SELECT f.sentiment_id, count(*) AS number
  FROM mine f
 GROUP BY f.sentiment_id
 ORDER BY f.sentiment_id

-- name: FeedbackCountAll :many
SELECT f.sentiment_id, count(*) AS number
  FROM feedback_standing f
 WHERE f.org_id = $1
 GROUP BY f.sentiment_id
 ORDER BY f.sentiment_id

-- name: FeedbackFind :many
SELECT f.id, f.org_id, f.user_id, f.conversation_id, f.owner_id, f.message_id, f.sentiment_id, f.labels, f.created_at, f.conversation_name, f.conversation_description, f.message_role, f.user_uuid, f.user_name, f.user_picture
  FROM feedback_shown f
 WHERE f.org_id = $1
   AND (f.owner_id = $2 OR $3::boolean
        OR (f.user_id = $2 AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = f.conversation_id
          AND r.user_id = $2)))
   AND (NOT $4::boolean OR f.message_role = 'summary')
   AND ($5::bigint = 0 OR $5 = ANY(f.labels))
   AND ($6::text = '' OR f.conversation_name ILIKE $6 OR f.user_name ILIKE $6
        OR EXISTS (SELECT FROM feedback_comment k WHERE k.feedback_id = f.id AND k.text ILIKE $6))
   AND ($7::bigint = 0 OR f.sentiment_id = $7)
 ORDER BY f.id DESC
 LIMIT $9::bigint OFFSET $8::bigint

-- name: FeedbackFindCount :many
SELECT f.sentiment_id, count(*) AS number
  FROM feedback_shown f
 WHERE f.org_id = $1
   AND (f.owner_id = $2 OR $3::boolean
        OR (f.user_id = $2 AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = f.conversation_id
          AND r.user_id = $2)))
   AND (NOT $4::boolean OR f.message_role = 'summary')
   AND ($5::bigint = 0 OR $5 = ANY(f.labels))
   AND ($6::text = '' OR f.conversation_name ILIKE $6 OR f.user_name ILIKE $6
        OR EXISTS (SELECT FROM feedback_comment k WHERE k.feedback_id = f.id AND k.text ILIKE $6))
 GROUP BY f.sentiment_id
 ORDER BY f.sentiment_id

-- name: FeedbackGet :one
SELECT f.id, f.org_id, f.user_id, f.conversation_id, f.owner_id, f.message_id, f.sentiment_id, f.labels, f.created_at, f.conversation_name, f.conversation_description, f.message_role, f.user_uuid, f.user_name, f.user_picture
  FROM feedback_shown f
 WHERE f.id = $1
   AND (f.owner_id = $2 OR $3::boolean
        OR (f.user_id = $2 AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = f.conversation_id
          AND r.user_id = $2)))

-- name: FeedbackInsert :one
INSERT INTO feedback (org_id, user_id, conversation_id, owner_id, message_id, sentiment_id, labels)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (message_id, user_id) DO NOTHING
RETURNING id

-- name: FeedbackList :many
WITH mine AS (
  (SELECT f.id FROM feedback_standing f
    WHERE f.user_id = $1
      AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = f.conversation_id AND r.user_id = $1)
    ORDER BY f.id DESC LIMIT ($2::bigint + $3::bigint))
  UNION
  (SELECT f.id FROM feedback_standing f
    WHERE f.owner_id = $1
    ORDER BY f.id DESC LIMIT ($2 + $3))
), page AS (
  SELECT mine.id FROM mine ORDER BY mine.id DESC LIMIT $2 OFFSET $3
)
SELECT f.id, f.org_id, f.user_id, f.conversation_id, f.owner_id, f.message_id, f.sentiment_id, f.labels, f.created_at, f.conversation_name, f.conversation_description, f.message_role, f.user_uuid, f.user_name, f.user_picture
  FROM page
  JOIN feedback_shown f ON f.id = page.id
 ORDER BY f.id DESC

-- name: FeedbackListAll :many
WITH page AS (
  SELECT f.id FROM feedback_standing f
   WHERE f.org_id = $1
   ORDER BY f.id DESC LIMIT $3::bigint OFFSET $2::bigint
)
SELECT f.id, f.org_id, f.user_id, f.conversation_id, f.owner_id, f.message_id, f.sentiment_id, f.labels, f.created_at, f.conversation_name, f.conversation_description, f.message_role, f.user_uuid, f.user_name, f.user_picture
  FROM page
  JOIN feedback_shown f ON f.id = page.id
 ORDER BY f.id DESC

-- name: FeedbackOfConversation :many
SELECT f.id, f.org_id, f.user_id, f.conversation_id, f.owner_id, f.message_id, f.sentiment_id, f.labels, f.created_at, f.conversation_name, f.conversation_description, f.message_role, f.user_uuid, f.user_name, f.user_picture
  FROM feedback_shown f
 WHERE f.conversation_id = $1
   AND (f.user_id = $2 OR ($3::boolean AND (f.owner_id = $2 OR $4::boolean)))
   AND ($3 AND $4
        OR EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = $1 AND r.user_id = $2))
 ORDER BY f.id

-- name: FeedbackTarget :one
SELECT m.id, m.conversation_id, c.owner_id, m.role, m.status
  FROM message m JOIN conversation c ON c.id = m.conversation_id AND c.deleted_at IS NULL
 WHERE m.id = $1 AND m.cut_generation IS NULL
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = $2)

-- name: SentimentList :many
SELECT s.id, s.name, l.id AS label_id, l.name AS label, l.is_default
  FROM sentiment s JOIN sentiment_label l ON l.sentiment_id = s.id
 ORDER BY s.id, l.is_default DESC, l.id

-- name: GranteesKnown :one
SELECT (SELECT count(*) FROM app_user WHERE id = ANY($1::bigint[])) AS people,
       (SELECT count(*) FROM team WHERE id = ANY($2::bigint[])) AS teams

-- name: IdempotencyBegin :execrows
INSERT INTO idempotency (user_id, key, org_id, kind, body) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (user_id, key) DO UPDATE
   SET kind = excluded.kind, body = excluded.body, result = '', created_at = excluded.created_at
 WHERE idempotency.created_at < clock_timestamp() - interval '24 hours'

-- name: IdempotencyFinish :exec
UPDATE idempotency SET result = $1 WHERE user_id = $2 AND key = $3

-- name: IdempotencyGet :one
SELECT kind, body, result FROM idempotency WHERE user_id = $1 AND key = $2

-- name: IdempotencyPrune :execrows
DELETE FROM idempotency WHERE created_at < clock_timestamp() - interval '25 hours'

-- name: IdempotencyResult :one
SELECT kind, body, result FROM idempotency
 WHERE user_id = $1 AND key = $2 AND result <> '' AND created_at >= clock_timestamp() - interval '24 hours'

-- name: JournalAccessChanged :exec
UPDATE conversation SET access_version = access_version + 1 WHERE id = $1

-- name: JournalAccessEvents :many
WITH before AS (
  SELECT unnest($1::uuid[]) AS conversation_id, unnest($2::bigint[]) AS user_id
), since AS (
  SELECT DISTINCT r.conversation_id, r.user_id FROM conversation_reader r WHERE r.conversation_id = ANY($3::uuid[])
), entry AS MATERIALIZED (
  SELECT b.conversation_id, b.user_id, 'conversation.deleted' AS type, json_build_object('id', b.conversation_id)::text AS data
    FROM before b
   WHERE NOT EXISTS (SELECT FROM since a WHERE a.conversation_id = b.conversation_id AND a.user_id = b.user_id)
  UNION ALL
  SELECT a.conversation_id, a.user_id, 'conversation.created',
         json_build_object('id', c.id, 'name', c.name, 'description', c.description, 'dataSources', c.data_sources)::text
    FROM since a JOIN conversation c ON c.id = a.conversation_id
   WHERE NOT EXISTS (SELECT FROM before b WHERE b.conversation_id = a.conversation_id AND b.user_id = a.user_id)
), placed AS (
  SELECT e.conversation_id, e.user_id, e.type, e.data, row_number() OVER (PARTITION BY e.user_id ORDER BY e.conversation_id) AS place FROM entry e
), raised AS (
  UPDATE app_user u SET next_seq = u.next_seq + n.entries
    FROM (SELECT e.user_id, count(*) AS entries FROM entry e GROUP BY e.user_id) n
   WHERE u.id = n.user_id
  RETURNING u.id, u.uuid, u.org_id, u.next_seq - n.entries AS first, u.session_node
), written AS (
  INSERT INTO user_event (user_id, seq, org_id, type, data, at)
  SELECT p.user_id, r.first + p.place - 1, r.org_id, p.type, p.data::json, $4::timestamptz FROM placed p JOIN raised r ON r.id = p.user_id
)
SELECT p.conversation_id::uuid AS conversation_id, p.user_id::bigint AS user_id, r.uuid, (r.first + p.place - 1)::bigint AS seq,
       p.type::text AS type,
       p.data::text AS data, coalesce(r.session_node, '')::text AS home
  FROM placed p JOIN raised r ON r.id = p.user_id
 ORDER BY p.user_id, p.place

-- name: JournalAdvance :exec
UPDATE conversation c
   SET next_seq = c.next_seq + w.events,
       updated_at = CASE WHEN w.touched THEN greatest(c.updated_at, $1::timestamptz) ELSE c.updated_at END,
       generation = CASE WHEN w.generation > 0 THEN w.generation ELSE c.generation END
  FROM (SELECT unnest($2::uuid[]) AS id, unnest($3::bigint[]) AS events, unnest($4::boolean[]) AS touched,
               unnest($5::bigint[]) AS generation) w
 WHERE c.id = w.id

-- name: JournalAnnotations :exec
UPDATE message m SET annotation = m.annotation || w.annotation::jsonb
  FROM (SELECT unnest($1::uuid[]) AS id, unnest($2::uuid[]) AS conversation_id, unnest($3::text[]) AS annotation) w
 WHERE m.id = w.id AND m.conversation_id = w.conversation_id

-- name: JournalChunks :exec
INSERT INTO message_chunk (message_id, byte_offset, org_id, text)
SELECT unnest($1::uuid[]), unnest($2::bigint[]), unnest($3::bigint[]), unnest($4::text[])

-- name: JournalChunksThere :many
SELECT DISTINCT w.message_id::uuid AS message_id
  FROM (SELECT unnest($1::uuid[]) AS message_id, unnest($2::bigint[]) AS byte_offset, unnest($3::text[]) AS text) w
  JOIN message_chunk k ON k.message_id = w.message_id AND k.byte_offset <= w.byte_offset
   AND substring(convert_to(k.text, 'UTF8') FROM (w.byte_offset - k.byte_offset + 1)::int FOR octet_length(w.text))
     = convert_to(w.text, 'UTF8')

-- name: JournalCut :exec
UPDATE message SET cut_generation = $1::bigint
 WHERE conversation_id = $2 AND seq >= $3 AND cut_generation IS NULL

-- name: JournalDelete :exec
UPDATE conversation SET deleted_at = clock_timestamp(), epoch = epoch + 1, activation = NULL, node = NULL WHERE id = $1

-- name: JournalDeleteSnapshot :exec
DELETE FROM conversation_snapshot WHERE conversation_id = $1

-- name: JournalDeleteTurns :exec
WITH ended AS (
  UPDATE turn t SET status = 'stopped', ended_at = clock_timestamp() WHERE t.conversation_id = $1 AND t.status = 'running'
  RETURNING t.id, t.conversation_id, t.org_id
)
INSERT INTO turn_end (turn_id, conversation_id, org_id, status) SELECT id, conversation_id, org_id, 'stopped' FROM ended
ON CONFLICT DO NOTHING

-- name: JournalEvents :exec
INSERT INTO conversation_event (conversation_id, seq, org_id, type, epoch, generation, data, at)
SELECT unnest($1::uuid[]), unnest($2::bigint[]), unnest($3::bigint[]), unnest($4::text[]),
       unnest($5::bigint[]), unnest($6::bigint[]), unnest($7::text[])::json, unnest($8::timestamptz[])

-- name: JournalGrantTeams :exec
WITH known AS (
  SELECT t.id FROM team t WHERE t.id = ANY($3::bigint[]) AND t.org_id = $2::bigint
), checked AS (
  SELECT expect_rows(count(*), cardinality($3::bigint[])) FROM known
)
INSERT INTO conversation_grant (conversation_id, org_id, team_id, permission)
SELECT $1::uuid, $2::bigint, w.team_id, w.permission
  FROM (SELECT unnest($3::bigint[]) AS team_id, unnest($4::text[]) AS permission) w, checked
ON CONFLICT (conversation_id, team_id) DO UPDATE SET permission = excluded.permission

-- name: JournalGrantUsers :exec
WITH known AS (
  SELECT u.id FROM app_user u WHERE u.id = ANY($3::bigint[]) AND u.org_id = $2::bigint
), checked AS (
  SELECT expect_rows(count(*), cardinality($3::bigint[])) FROM known
)
INSERT INTO conversation_grant (conversation_id, org_id, user_id, permission)
SELECT $1::uuid, $2::bigint, w.user_id, w.permission
  FROM (SELECT unnest($3::bigint[]) AS user_id, unnest($4::text[]) AS permission) w, checked
 WHERE w.user_id <> (SELECT c.owner_id FROM conversation c WHERE c.id = $1::uuid)
ON CONFLICT (conversation_id, user_id) DO UPDATE SET permission = excluded.permission

-- name: JournalGranteesKnown :exec
SELECT expect_rows((SELECT count(*) FROM app_user u WHERE u.id = ANY($1::bigint[]) AND u.org_id = $2::bigint)
                 + (SELECT count(*) FROM team t WHERE t.id = ANY($3::bigint[]) AND t.org_id = $2::bigint),
                   cardinality($1::bigint[]) + cardinality($3::bigint[]))

-- name: JournalLock :many

SELECT id, epoch, activation, next_seq FROM conversation
 WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL
 ORDER BY id FOR NO KEY UPDATE SKIP LOCKED

-- name: JournalLockOne :many
SELECT id, epoch, activation, next_seq FROM conversation
 WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE

-- name: JournalMessageEnds :exec
WITH ended AS (
  UPDATE message m
     SET status = w.status,
         text = CASE WHEN w.is_given THEN w.text
                     ELSE m.text || coalesce((SELECT string_agg(k.text, '' ORDER BY k.byte_offset)
                                                FROM message_chunk k WHERE k.message_id = m.id), '') END
    FROM (SELECT unnest($1::uuid[]) AS id, unnest($2::uuid[]) AS conversation_id, unnest($3::text[]) AS status,
                 unnest($4::boolean[]) AS is_given, unnest($5::text[]) AS text) w
   WHERE m.id = w.id AND m.conversation_id = w.conversation_id AND m.status = 'streaming'
  RETURNING m.id
)
SELECT expect_rows(count(*), cardinality($1::uuid[])) FROM ended

-- name: JournalMessages :exec
INSERT INTO message (id, conversation_id, org_id, turn_id, parent_id, seq, generation, role, text, status,
                     author_id, analyst_id, analyst_name, data_sources, blueprint_id, created_at, annotation)
SELECT w.id, w.conversation_id, w.org_id, nullif(w.turn_id, '00000000-0000-0000-0000-000000000000'),
       nullif(w.parent_id, '00000000-0000-0000-0000-000000000000'), w.seq, w.generation, w.role, w.text, w.status,
       nullif(w.author_id, 0), nullif(w.analyst_id, 0), w.analyst_name, w.data_sources::bigint[], w.blueprint_id, w.created_at,
       w.annotation::jsonb
  FROM (SELECT unnest($1::uuid[]) AS id, unnest($2::uuid[]) AS conversation_id, unnest($3::bigint[]) AS org_id,
               unnest($4::uuid[]) AS turn_id, unnest($5::uuid[]) AS parent_id, unnest($6::bigint[]) AS seq,
               unnest($7::bigint[]) AS generation, unnest($8::text[]) AS role, unnest($9::text[]) AS text,
               unnest($10::text[]) AS status, unnest($11::bigint[]) AS author_id, unnest($12::bigint[]) AS analyst_id,
               unnest($13::text[]) AS analyst_name, unnest($14::text[]) AS data_sources,
               unnest($15::bigint[]) AS blueprint_id, unnest($16::timestamptz[]) AS created_at,
               unnest($17::text[]) AS annotation) w

-- name: JournalObjects :exec
INSERT INTO display_object (id, conversation_id, message_id, org_id, name, type, language, content_type, size, file_key, columns,
  created_at)
SELECT unnest($1::uuid[]), unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::bigint[]), unnest($5::text[]),
       unnest($6::text[]), unnest($7::text[]), unnest($8::text[]), unnest($9::bigint[]),
       unnest($10::text[]), nullif(unnest($11::text[]), '')::json, unnest($12::timestamptz[])

-- name: JournalOutcome :one
SELECT coalesce(pg_xact_status(CAST($1::text AS xid8)), 'unknown')::text

-- name: JournalReaders :exec
SELECT u.id FROM app_user u
 WHERE u.id IN (SELECT r.user_id FROM conversation_reader r WHERE r.conversation_id = ANY($1::uuid[]))
    OR u.id = ANY($2::bigint[])
 ORDER BY u.id FOR NO KEY UPDATE

-- name: JournalReadersBefore :many
SELECT DISTINCT r.conversation_id, r.user_id FROM conversation_reader r WHERE r.conversation_id = ANY($1::uuid[])

-- name: JournalRecover :many
SELECT u.id AS user_id, u.uuid, coalesce(u.session_node, '')::text AS home, e.seq, e.type, e.data, e.at
  FROM app_user u JOIN user_event e ON e.user_id = u.id AND e.seq = u.next_seq - 1
 WHERE u.id IN (SELECT r.user_id FROM conversation_reader r WHERE r.conversation_id = ANY($1::uuid[])
                 UNION SELECT c.owner_id FROM conversation c WHERE c.id = ANY($1::uuid[])
                 UNION SELECT unnest($2::bigint[])
                 UNION SELECT t.user_id FROM team_member t WHERE t.team_id = ANY($3::bigint[]))

-- name: JournalRevoke :exec
DELETE FROM conversation_grant
 WHERE conversation_id = $1 AND (user_id = ANY($2::bigint[]) OR team_id = ANY($3::bigint[]))

-- name: JournalSnapshots :exec
UPDATE conversation_snapshot s
   SET seq = w.seq, epoch = w.epoch, schema_version = w.schema_version, checksum = w.checksum, body = w.body
  FROM (SELECT unnest($1::uuid[]) AS id, unnest($2::bigint[]) AS seq, unnest($3::bigint[]) AS epoch,
               unnest($4::int[]) AS schema_version, unnest($5::bigint[]) AS checksum, unnest($6::bytea[]) AS body) w
 WHERE s.conversation_id = w.id AND s.epoch <= w.epoch

-- name: JournalSteps :exec
INSERT INTO step AS s (turn_id, number, org_id, attempt, kind, name, effect, status, input, output, started_at, finished_at)
SELECT unnest($1::uuid[]), unnest($2::int[]), unnest($3::bigint[]), unnest($4::int[]), unnest($5::text[]),
       unnest($6::text[]), unnest($7::boolean[]), unnest($8::text[]),
       nullif(unnest($9::text[]), '')::json, nullif(unnest($10::text[]), '')::json,
       nullif(unnest($11::timestamptz[]), '0001-01-01 00:00:00+00'), nullif(unnest($12::timestamptz[]), '0001-01-01 00:00:00+00')
ON CONFLICT (turn_id, number) DO UPDATE
   SET attempt = excluded.attempt, kind = excluded.kind, name = excluded.name, effect = excluded.effect, status = excluded.status,
       input = coalesce(excluded.input, s.input), output = coalesce(excluded.output, s.output),
       started_at = coalesce(excluded.started_at, s.started_at), finished_at = coalesce(excluded.finished_at, s.finished_at)
 WHERE s.status <> 'finished'

-- name: JournalSummaries :exec
UPDATE conversation c SET status_summary = now.summary
  FROM (SELECT k.id, coalesce((SELECT left(m.text, 300) FROM message m
                                WHERE m.conversation_id = k.id AND m.role = 'summary' AND m.cut_generation IS NULL AND m.status = 'complete'
                                ORDER BY m.seq DESC LIMIT 1), '') AS summary
          FROM unnest($1::uuid[]) AS k(id)) now
 WHERE c.id = now.id AND c.status_summary <> now.summary

-- name: JournalText :one
WITH locked AS MATERIALIZED (
  SELECT c.id, c.epoch, c.activation FROM conversation c WHERE c.id = ANY($2::uuid[])
   ORDER BY c.id FOR NO KEY UPDATE SKIP LOCKED
), written AS (
  INSERT INTO message_chunk (message_id, byte_offset, org_id, text)
  SELECT k.message_id, k.byte_offset, k.org_id, k.text
    FROM (SELECT unnest($3::uuid[]) AS id, unnest($4::bigint[]) AS epoch, unnest($5::uuid[]) AS activation,
                 unnest($1::uuid[]) AS message_id, unnest($6::bigint[]) AS byte_offset, unnest($7::bigint[]) AS org_id,
                 unnest($8::text[]) AS text) k
   WHERE ((k.id, k.epoch, k.activation) IN (SELECT l.id, l.epoch, l.activation FROM locked l)) IS TRUE
  RETURNING message_id
), result AS (
  SELECT count(*) AS written FROM written
)
SELECT r.written = cardinality($1::uuid[]) AS whole,
       (CASE WHEN r.written < cardinality($1::uuid[]) THEN (SELECT array_agg(l.id ORDER BY l.id)
       FROM locked l) END)::uuid[] AS found,
       (CASE WHEN r.written < cardinality($1::uuid[]) THEN (SELECT array_agg(l.epoch ORDER BY l.id)
       FROM locked l) END)::bigint[] AS found_epochs,
       (CASE WHEN r.written < cardinality($1::uuid[])
             THEN (SELECT array_agg(coalesce(l.activation, '00000000-0000-0000-0000-000000000000') ORDER BY l.id)
             FROM locked l) END)::uuid[] AS found_activations
  FROM result r

-- name: JournalTransaction :one
SELECT pg_current_xact_id()::text

-- name: JournalTurnEnds :exec
INSERT INTO turn_end (turn_id, conversation_id, org_id, status, reason)
SELECT unnest($1::uuid[]), unnest($2::uuid[]), unnest($3::bigint[]), unnest($4::text[]), unnest($5::text[])

-- name: JournalTurnStarts :exec
WITH started AS (
INSERT INTO turn AS t (id, conversation_id, org_id, prompt_id, user_id, analyst_id, attempt, status, plan, started_at)
SELECT unnest($1::uuid[]), unnest($2::uuid[]), unnest($3::bigint[]), unnest($4::uuid[]), unnest($5::bigint[]),
       unnest($6::bigint[]), unnest($7::int[]), 'running', nullif(unnest($8::text[]), '')::json,
       unnest($9::timestamptz[])
ON CONFLICT (id) DO UPDATE SET attempt = excluded.attempt
 WHERE t.attempt < excluded.attempt AND t.status = 'running' AND t.conversation_id = excluded.conversation_id
RETURNING t.id
)
SELECT expect_rows(count(*), cardinality($1::uuid[])) FROM started

-- name: JournalTurnsEnded :exec
WITH ended AS (
  UPDATE turn t SET status = e.status, reason = e.reason, ended_at = e.at
    FROM turn_end e
   WHERE e.turn_id = ANY($1::uuid[]) AND t.id = e.turn_id AND t.conversation_id = e.conversation_id AND t.status = 'running'
  RETURNING t.id
)
SELECT expect_rows(count(*), cardinality($1::uuid[])) FROM ended

-- name: JournalUnread :exec
INSERT INTO conversation_person AS p (user_id, conversation_id, org_id, unread)
SELECT r.user_id, w.conversation_id, c.org_id, count(DISTINCT w.number)::int
  FROM (SELECT unnest($1::bigint[]) AS number, unnest($2::uuid[]) AS conversation_id,
    unnest($3::bigint[]) AS except_id) w
  JOIN conversation c ON c.id = w.conversation_id
  JOIN conversation_reader r ON r.conversation_id = c.id AND r.user_id <> w.except_id
 GROUP BY r.user_id, w.conversation_id, c.org_id
 ORDER BY r.user_id, w.conversation_id
ON CONFLICT (user_id, conversation_id) DO UPDATE SET unread = p.unread + excluded.unread

-- name: JournalUpdate :exec
UPDATE conversation
   SET name = coalesce($1::text, name), description = coalesce($2::text, description),
       data_sources = coalesce($3::bigint[], data_sources),
       project_labels = coalesce($4::bigint[], project_labels)
 WHERE id = $5

-- name: JournalUsage :exec
WITH counted AS (
  INSERT INTO usage (turn_id, step, attempt, org_id, conversation_id, user_id, provider, model, input_tokens, output_tokens, credits)
  SELECT unnest($1::uuid[]), unnest($2::int[]), unnest($3::int[]), unnest($4::bigint[]), unnest($5::uuid[]),
         unnest($6::bigint[]), unnest($7::text[]), unnest($8::text[]), unnest($9::bigint[]),
         unnest($10::bigint[]), unnest($11::float8[])::numeric
  ON CONFLICT (turn_id, step, attempt) DO NOTHING
  RETURNING conversation_id, credits
)
UPDATE conversation c SET credits = c.credits + n.credits
  FROM (SELECT k.conversation_id, sum(k.credits) AS credits FROM counted k GROUP BY k.conversation_id) n
 WHERE c.id = n.conversation_id

-- name: JournalUserEvents :many
WITH draft AS (
  SELECT unnest($1::bigint[]) AS number, unnest($2::uuid[]) AS conversation_id, unnest($3::text[]) AS type,
         unnest($4::text[]) AS data, unnest($5::timestamptz[]) AS at
), entry AS MATERIALIZED (
  SELECT DISTINCT d.number, d.type, d.data, d.at, r.user_id
    FROM draft d JOIN conversation_reader r ON r.conversation_id = d.conversation_id
), placed AS (
  SELECT e.number, e.type, e.data, e.at, e.user_id, row_number() OVER (PARTITION BY e.user_id ORDER BY e.number) AS place FROM entry e
), raised AS (
  UPDATE app_user u SET next_seq = u.next_seq + n.entries
    FROM (SELECT user_id, count(*) AS entries FROM entry GROUP BY user_id) n
   WHERE u.id = n.user_id
  RETURNING u.id, u.uuid, u.org_id, u.next_seq - n.entries AS first, u.session_node
), written AS (
  INSERT INTO user_event (user_id, seq, org_id, type, data, at)
  SELECT p.user_id, r.first + p.place - 1, r.org_id, p.type, p.data::json, p.at FROM placed p JOIN raised r ON r.id = p.user_id
)
SELECT p.number::bigint AS number, p.user_id::bigint AS user_id, r.uuid, (r.first + p.place - 1)::bigint AS seq,
       coalesce(r.session_node, '')::text AS home
  FROM placed p JOIN raised r ON r.id = p.user_id
 ORDER BY p.user_id, p.place

-- name: MemberDeclareDead :execrows
DELETE FROM cluster_member WHERE node = $1 AND expires_at = $2

-- name: MemberForget :exec
DELETE FROM cluster_member WHERE name = $1 AND node <> $2

-- name: MemberJoin :exec
INSERT INTO cluster_member (node, name, incarnation, address, load, expires_at)
VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6::interval)
ON CONFLICT (node) DO UPDATE SET address = excluded.address, load = excluded.load, expires_at = excluded.expires_at

-- name: MemberLeave :exec
DELETE FROM cluster_member WHERE node = $1

-- name: MemberList :many
SELECT node, name, incarnation, address, load, expires_at,
       extract(epoch FROM expires_at - clock_timestamp())::double precision AS seconds_left
  FROM cluster_member ORDER BY node

-- name: MemberRenew :execrows
UPDATE cluster_member SET load = $1, expires_at = clock_timestamp() + $2::interval
 WHERE node = $3

-- name: MemberReport :exec
UPDATE cluster_member SET report = $1, reported_at = clock_timestamp() WHERE node = $2

-- name: MemberStatuses :many
SELECT m.node, m.name, m.incarnation, m.address, m.load, m.expires_at,
       extract(epoch FROM m.expires_at - clock_timestamp())::double precision AS seconds_left,
       coalesce(to_jsonb(m) ->> 'report', '')::text AS report,
       coalesce(extract(epoch FROM clock_timestamp() - (to_jsonb(m) ->> 'reported_at')::timestamptz), 0)::double precision AS seconds_since
  FROM cluster_member m ORDER BY m.name, m.node

-- name: MemoryDelete :exec
DELETE FROM memory WHERE id = $1

-- name: MemoryGet :one
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.specialist, shown.source, shown.id, shown.org_id, shown.owner_id, shown.name, shown.question, shown.response, shown.type_id, shown.source_id, shown.labels, shown.is_enabled, shown.always_recalled, shown.term_count, shown.version, shown.seed, shown.created_at, shown.updated_at
  FROM memory_shown shown
 WHERE shown.id = $1

-- name: MemoryInsert :one
INSERT INTO memory (org_id, owner_id, name, question, response, type_id, source_id, labels, always_recalled, term_count, created_at,
  updated_at)
SELECT $1, $2::bigint, $3, $4, $5, $6, s.id, $7, $8, $9, $10, $10
  FROM memory_source s WHERE s.org_id = $1 AND s.name = $11
RETURNING id

-- name: MemoryLabelCount :one
SELECT count(*) FROM memory_label WHERE id = ANY($1::bigint[])

-- name: MemoryLabelList :many
SELECT id, name FROM memory_label WHERE org_id = $1 ORDER BY name, id

-- name: MemoryList :many
WITH page AS (
  SELECT m.id, count(*) OVER () AS total FROM memory m
   WHERE m.org_id = $1 AND (m.is_enabled OR $2::boolean)
     AND (cardinality($3::text[]) = 0 OR m.type_id IN (SELECT k.id FROM memory_type k WHERE k.org_id = $1
       AND k.specialist = ANY($3)))
     AND (cardinality($4::bigint[]) = 0 OR m.labels && $4)
     AND ($5::text = '' OR m.name ILIKE $5 OR m.question ILIKE $5 OR m.response ILIKE $5)
     AND ($6::text = '' OR filter_matches(jsonb_build_object(
         'name', m.name, 'index', m.question, 'value', m.response, 'type', m.type_id, 'labels', m.labels, 'owner', m.owner_id,
         'isEnabled', m.is_enabled, 'createdAt', extract(epoch FROM m.created_at), 'updatedAt', extract(epoch FROM m.updated_at)),
         CAST($6::text AS jsonb)))
   ORDER BY m.updated_at DESC, m.id DESC
   LIMIT $8::bigint OFFSET $7::bigint
)
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.specialist, shown.source, shown.id, shown.org_id, shown.owner_id, shown.name, shown.question, shown.response, shown.type_id, shown.source_id, shown.labels, shown.is_enabled, shown.always_recalled, shown.term_count, shown.version, shown.seed, shown.created_at, shown.updated_at, page.total
  FROM page
  JOIN memory_shown shown ON shown.id = page.id
 ORDER BY shown.updated_at DESC, shown.id DESC

-- name: MemoryLock :one
SELECT m.id, m.org_id, m.owner_id, m.name, m.question, m.response, m.type_id, m.source_id, m.labels, m.is_enabled, m.always_recalled, m.term_count, m.version, m.seed, m.created_at, m.updated_at FROM memory m WHERE m.id = $1 FOR UPDATE

-- name: MemoryRecall :many
WITH shared AS (
  SELECT t.memory_id, count(*)::float8 AS terms FROM memory_term t
   WHERE t.org_id = $3 AND t.term = ANY($4::text[])
   GROUP BY t.memory_id ORDER BY terms DESC, t.memory_id DESC LIMIT 200
), found AS (
  SELECT m.id, 0 AS place FROM memory m WHERE m.org_id = $3 AND m.id = ANY($1::bigint[])
  UNION ALL
  (SELECT m.id, 1 FROM memory m JOIN memory_type t ON t.id = m.type_id AND t.specialist = $5::text
    WHERE m.org_id = $3 AND m.always_recalled AND m.is_enabled
    ORDER BY m.updated_at DESC LIMIT $2::bigint)
  UNION ALL
  (SELECT m.id, 2 FROM memory m LEFT JOIN shared s ON s.memory_id = m.id
    WHERE m.org_id = $3 AND cardinality($6::bigint[]) > 0 AND m.labels && $6 AND m.is_enabled
    ORDER BY s.terms DESC NULLS LAST, m.updated_at DESC LIMIT 200)
  UNION ALL
  SELECT m.id, 3 FROM shared s JOIN memory m ON m.id = s.memory_id JOIN memory_type t ON t.id = m.type_id AND t.specialist = $5
), best AS (
  SELECT f.id, min(f.place) AS place FROM found f GROUP BY f.id
), alike AS (
  SELECT b.id, b.place,
         greatest(2 * coalesce(s.terms, 0) / greatest(m.term_count + cardinality($4), 1),
                  CASE WHEN s.terms >= 2 THEN 0.8 * s.terms / m.term_count ELSE 0 END)::float8 AS likeness
    FROM best b JOIN memory m ON m.id = b.id AND m.is_enabled LEFT JOIN shared s ON s.memory_id = b.id
)
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.specialist, shown.source, shown.id, shown.org_id, shown.owner_id, shown.name, shown.question, shown.response, shown.type_id, shown.source_id, shown.labels, shown.is_enabled, shown.always_recalled, shown.term_count, shown.version, shown.seed, shown.created_at, shown.updated_at
  FROM alike a
  JOIN memory_shown shown ON shown.id = a.id
 WHERE a.place < 3 OR a.likeness >= 0.4
 ORDER BY a.place, CASE WHEN a.place = 0 THEN array_position($1::bigint[], shown.id) END, a.likeness DESC,
       shown.updated_at DESC, shown.id DESC
 LIMIT $2::bigint

-- name: MemorySourceList :many
SELECT id, name FROM memory_source WHERE org_id = $1 ORDER BY id

-- name: MemoryTermDelete :exec
DELETE FROM memory_term WHERE memory_id = $1

-- name: MemoryTermInsert :exec
INSERT INTO memory_term (org_id, term, memory_id) SELECT $1, unnest($2::text[]), $3

-- name: MemoryTypeExists :one
SELECT EXISTS (SELECT FROM memory_type WHERE id = $1)

-- name: MemoryTypeList :many
SELECT id, name, specialist FROM memory_type WHERE org_id = $1 ORDER BY id

-- name: MemoryUpdate :exec
UPDATE memory SET name = $1, question = $2, response = $3, type_id = $4, labels = $5, is_enabled = $6,
       always_recalled = $7, term_count = $8, version = version + 1, updated_at = $9
 WHERE id = $10

-- name: SeedMemory :one
INSERT INTO memory (org_id, name, question, response, type_id, source_id, labels, always_recalled, term_count, seed, created_at, updated_at)
SELECT $1, $2, $3, $4, t.id, s.id,
       ARRAY(SELECT l.id FROM memory_label l WHERE l.org_id = $1 AND l.name = ANY($5::text[]) ORDER BY l.id),
       $6, $7, $8::text, $9, $9
  FROM memory_type t, memory_source s
 WHERE t.org_id = $1 AND t.name = $10 AND s.org_id = $1 AND s.name = 'sample'
ON CONFLICT (org_id, seed) DO NOTHING
RETURNING id

-- name: SeedMemoryWords :exec
SELECT memory_words($1)

-- name: MessageGet :one
SELECT m.id, m.conversation_id, m.org_id, m.turn_id, m.parent_id, m.seq, m.generation, m.cut_generation, m.role, m.text, m.status, m.reason, m.author_id, m.author_uuid, m.author_name, m.author_picture, m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message_shown m
 WHERE m.id = $1 AND m.org_id = $2

-- name: MessageLast :many
SELECT m.id, m.conversation_id, m.org_id, m.turn_id, m.parent_id, m.seq, m.generation, m.cut_generation, m.role, m.text, m.status, m.reason, m.author_id, m.author_uuid, m.author_name, m.author_picture, m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message_shown m
 WHERE m.conversation_id = $1 AND m.cut_generation IS NULL AND m.seq < $2::bigint
 ORDER BY m.seq DESC
 LIMIT $3::bigint

-- name: MessageList :many
SELECT m.id, m.conversation_id, m.org_id, m.turn_id, m.parent_id, m.seq, m.generation, m.cut_generation, m.role, m.text, m.status, m.reason, m.author_id, m.author_uuid, m.author_name, m.author_picture, m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message_shown m
 WHERE m.conversation_id = $1 AND m.cut_generation IS NULL
 ORDER BY m.seq

-- name: MessageListReadable :many
SELECT m.id, m.conversation_id, m.org_id, m.turn_id, m.parent_id, m.seq, m.generation, m.cut_generation, m.role, m.text, m.status, m.reason, m.author_id, m.author_uuid, m.author_name, m.author_picture, m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message_shown m
 WHERE m.conversation_id = $1 AND m.cut_generation IS NULL
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = $1 AND r.user_id = $2)
 ORDER BY m.seq

-- name: MessageOpenText :one
SELECT m.text FROM message_shown m WHERE m.id = $1 AND m.conversation_id = $2

-- name: MessagePageReadable :many
SELECT m.id, m.conversation_id, m.org_id, m.turn_id, m.parent_id, m.seq, m.generation, m.cut_generation, m.role, m.text, m.status, m.reason, m.author_id, m.author_uuid, m.author_name, m.author_picture, m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message_shown m
 WHERE m.conversation_id = $1 AND m.cut_generation IS NULL AND m.seq < $2
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = $1 AND r.user_id = $3)
 ORDER BY m.seq DESC LIMIT $4

-- name: MessageReadable :one
SELECT m.id, m.conversation_id, m.org_id, m.turn_id, m.parent_id, m.seq, m.generation, m.cut_generation, m.role, m.text, m.status, m.reason, m.author_id, m.author_uuid, m.author_name, m.author_picture, m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM message_shown m
  JOIN conversation c ON c.id = m.conversation_id AND c.deleted_at IS NULL
 WHERE m.id = $1 AND m.cut_generation IS NULL
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = $2)

-- name: MessagesLast :many
SELECT m.id, m.conversation_id, m.org_id, m.turn_id, m.parent_id, m.seq, m.generation, m.cut_generation, m.role, m.text, m.status, m.reason, m.author_id, m.author_uuid, m.author_name, m.author_picture, m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
  FROM (SELECT unnest($1::uuid[]) AS id, unnest($2::bigint[]) AS before, unnest($3::bigint[]) AS size) k
 CROSS JOIN LATERAL (
        SELECT s.id FROM message s
         WHERE s.conversation_id = k.id AND s.cut_generation IS NULL AND s.seq < k.before
         ORDER BY s.seq DESC LIMIT k.size) i
  JOIN message_shown m ON m.id = i.id AND m.conversation_id = k.id
 ORDER BY m.conversation_id, m.seq

-- name: ObjectList :many
SELECT o.id, o.conversation_id, o.message_id, o.org_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.created_at, o.columns
  FROM display_object o JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id
 WHERE o.conversation_id = $1 AND m.cut_generation IS NULL
 ORDER BY o.created_at, o.id

-- name: ObjectListReadable :many
SELECT o.id, o.conversation_id, o.message_id, o.org_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.created_at, o.columns
  FROM display_object o JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id
 WHERE o.conversation_id = $1 AND m.cut_generation IS NULL
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = $1 AND r.user_id = $2)
 ORDER BY o.created_at, o.id

-- name: ObjectPageReadable :many
SELECT o.id, o.conversation_id, o.message_id, o.org_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.created_at, o.columns
  FROM display_object o JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id
 WHERE o.conversation_id = $1 AND m.cut_generation IS NULL AND m.seq < $2
   AND m.seq >= (SELECT coalesce(min(p.seq), 0) FROM (
     SELECT n.seq FROM message n WHERE n.conversation_id = $1 AND n.cut_generation IS NULL AND n.seq < $2
      ORDER BY n.seq DESC LIMIT $3) p)
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = $1 AND r.user_id = $4)
 ORDER BY o.created_at, o.id

-- name: ObjectReadable :one
SELECT o.id, o.conversation_id, o.message_id, o.org_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.created_at, o.columns
  FROM display_object o
  JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id AND m.cut_generation IS NULL
  JOIN conversation c ON c.id = o.conversation_id AND c.deleted_at IS NULL
 WHERE o.id = $1
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = $2)

-- name: ObjectsOf :many
SELECT o.id, o.conversation_id, o.message_id, o.org_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.created_at, o.columns
  FROM display_object o
 WHERE o.message_id = ANY($1::uuid[]) AND o.org_id = $2
 ORDER BY o.created_at, o.id

-- name: ObjectsReadable :many
SELECT o.id, o.conversation_id, o.message_id, o.org_id, o.name, o.type, o.language, o.content_type, o.size, o.file_key, o.created_at, o.columns
  FROM display_object o
 WHERE o.message_id = $1
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = o.conversation_id AND r.user_id = $2)
 ORDER BY o.created_at, o.id

-- name: ConversationOfProject :many
WITH shared AS (
  SELECT r.conversation_id, max(r.rank)::int AS rank
    FROM conversation_reader r WHERE r.user_id = $1 AND r.rank < 3 GROUP BY r.conversation_id
), visible AS (
  SELECT p.conversation_id AS id, 3 AS rank
    FROM conversation_project p WHERE p.label_id = ANY($3::bigint[]) AND p.owner_id = $1 AND $4::text <> 'shared'
  UNION
  SELECT p.conversation_id, s.rank
    FROM shared s JOIN conversation_project p ON p.conversation_id = s.conversation_id AND p.label_id = ANY($3)
   WHERE p.owner_id <> $1 AND $4::text <> 'user'
), page AS (
  SELECT c.id, v.rank, count(*) OVER () AS total
    FROM visible v
    JOIN conversation c ON c.id = v.id AND c.deleted_at IS NULL
    LEFT JOIN conversation_person p ON p.conversation_id = c.id AND p.user_id = $1
   WHERE coalesce(p.is_archived, false) = $5::boolean
     AND ($4::text <> 'favorite' OR p.is_favorite)
     AND ($6::text = '' OR c.name ILIKE $6 OR c.description ILIKE $6)
     AND CASE WHEN $7::text = '' THEN true ELSE filter_matches(jsonb_build_object(
            'name', c.name, 'description', c.description, 'isFavorite', coalesce(p.is_favorite, false), 'owner', c.owner_id, 'credits',
            c.credits,
            'dataSources', c.data_sources, 'projectLabels', c.project_labels,
            'createdAt', extract(epoch FROM c.created_at), 'updatedAt', extract(epoch FROM c.updated_at)),
            CAST($7::text AS jsonb)) END
   ORDER BY CASE WHEN $2::text = '-updated_at' THEN c.updated_at END DESC,
            CASE WHEN $2::text = 'updated_at' THEN c.updated_at END,
            CASE WHEN $2::text = '-created_at' THEN c.created_at END DESC,
            CASE WHEN $2::text = 'created_at' THEN c.created_at END,
            CASE WHEN $2::text = '-name' THEN lower(c.name) END DESC,
            CASE WHEN $2::text = 'name' THEN lower(c.name) END,
            c.id DESC
   LIMIT $9::bigint OFFSET $8::bigint
)
SELECT shown.id, shown.org_id, shown.name, shown.description, shown.owner_id, shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.data_sources, shown.project_labels, shown.status_summary, shown.credits, shown.next_seq, shown.epoch, shown.generation, shown.created_at, shown.updated_at, shown.is_streaming, page.rank::int AS rank,
       coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0) AS unread,
       page.total
  FROM page
  JOIN conversation_shown shown ON shown.id = page.id
  LEFT JOIN conversation_person p ON p.conversation_id = shown.id AND p.user_id = $1
 ORDER BY CASE WHEN $2::text = '-updated_at' THEN shown.updated_at END DESC,
          CASE WHEN $2::text = 'updated_at' THEN shown.updated_at END,
          CASE WHEN $2::text = '-created_at' THEN shown.created_at END DESC,
          CASE WHEN $2::text = 'created_at' THEN shown.created_at END,
          CASE WHEN $2::text = '-name' THEN lower(shown.name) END DESC,
          CASE WHEN $2::text = 'name' THEN lower(shown.name) END,
          shown.id DESC

-- name: ProjectLabelDelete :exec
UPDATE project_label SET deleted_at = $1::timestamptz WHERE id = $2

-- name: ProjectLabelGet :one
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.id, shown.org_id, shown.owner_id, shown.name, shown.description, shown.color, shown.version, shown.seed, shown.created_at, shown.updated_at, shown.deleted_at,
       ((SELECT count(*) FROM conversation_project p WHERE p.label_id = shown.id AND p.owner_id = $1)
        + (SELECT count(*) FROM conversation_project p
            WHERE p.label_id = shown.id AND p.owner_id <> $1
              AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = p.conversation_id
                AND r.user_id = $1)))::bigint AS conversations
  FROM project_label_shown shown WHERE shown.id = $2

-- name: ProjectLabelInsert :one
INSERT INTO project_label (org_id, owner_id, name, description, color, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $6)
RETURNING id

-- name: ProjectLabelKnown :one
SELECT count(*) FROM project_label WHERE id = ANY($1::bigint[]) AND deleted_at IS NULL

-- name: ProjectLabelList :many
WITH shared AS (
  SELECT DISTINCT r.conversation_id FROM conversation_reader r WHERE r.user_id = $1 AND r.rank < 3
), page AS (
  SELECT l.id, count(*) OVER () AS total FROM project_label l
   WHERE l.org_id = $2 AND l.deleted_at IS NULL AND ($3::text = '' OR l.name ILIKE $3 OR l.description ILIKE $3)
   ORDER BY lower(l.name), l.id LIMIT $5::bigint OFFSET $4::bigint
), of_others AS (
  SELECT p.label_id, count(*) AS many FROM shared s JOIN conversation_project p ON p.conversation_id = s.conversation_id
   WHERE p.owner_id <> $1 GROUP BY p.label_id
)
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.id, shown.org_id, shown.owner_id, shown.name, shown.description, shown.color, shown.version, shown.seed, shown.created_at, shown.updated_at, shown.deleted_at,
       ((SELECT count(*) FROM conversation_project p WHERE p.label_id = shown.id AND p.owner_id = $1) + coalesce(o.many,
       0))::bigint AS conversations, page.total
  FROM page
  JOIN project_label_shown shown ON shown.id = page.id
  LEFT JOIN of_others o ON o.label_id = shown.id
 ORDER BY lower(shown.name), shown.id

-- name: ProjectLabelLock :one
SELECT owner_id, version FROM project_label WHERE id = $1 AND deleted_at IS NULL FOR UPDATE

-- name: ProjectLabelNamed :many
SELECT id, name, color FROM project_label WHERE id = ANY($1::bigint[]) AND deleted_at IS NULL ORDER BY id

-- name: ProjectLabelUpdate :exec
UPDATE project_label SET name = $1, description = $2, color = $3, version = version + 1, updated_at = $4 WHERE id = $5

-- name: SeedProjectLabel :exec
INSERT INTO project_label (org_id, owner_id, name, description, color, seed, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6::text, $7, $7)
ON CONFLICT (org_id, seed) DO NOTHING

-- name: QuotaLock :exec
SELECT pg_advisory_xact_lock(hashtextextended('quota/' || $1::bigint, 0))

-- name: QuotaUsed :one
SELECT coalesce(sum(size) FILTER (WHERE owner_id = $1), 0)::bigint AS person, coalesce(sum(size), 0)::bigint AS organisation
  FROM data_source WHERE org_id = $2 AND seed IS NULL

-- name: RelationAnalyst :one
SELECT coalesce((SELECT max(r.rank) FROM analyst_reader r WHERE r.analyst_id = a.id AND r.user_id = $1::bigint), 0)::int AS rank,
       ''::text AS scope, false AS is_library, a.is_enabled, a.is_default
  FROM analyst a WHERE a.id = $2

-- name: RelationBlueprint :one
SELECT v.rank::int AS rank, ''::text AS scope, b.is_library, false AS is_enabled, false AS is_default
  FROM blueprint b
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM blueprint_reader r WHERE r.blueprint_id = b.id AND r.user_id = $1::bigint) v
 WHERE b.id = $2 AND v.rank IS NOT NULL

-- name: RelationConversation :one

SELECT v.rank::int AS rank, ''::text AS scope, false AS is_library, false AS is_enabled, false AS is_default
  FROM conversation c
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM conversation_reader r WHERE r.conversation_id = c.id
   AND r.user_id = $1::bigint) v
 WHERE c.id = $2 AND c.deleted_at IS NULL AND v.rank IS NOT NULL

-- name: RelationDataSource :one
SELECT v.rank::int AS rank, d.scope, false AS is_library, false AS is_enabled, false AS is_default
  FROM data_source d
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM data_source_reader r WHERE r.data_source_id = d.id AND r.user_id = $1::bigint) v
 WHERE d.id = $2 AND v.rank IS NOT NULL

-- name: RelationFeedback :one
SELECT (CASE WHEN f.owner_id = $1::bigint THEN 3
             WHEN f.user_id = $1 AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = f.conversation_id
             AND r.user_id = $1) THEN 1
             ELSE 0 END)::int AS rank, ''::text AS scope, false AS is_library, false AS is_enabled, false AS is_default
  FROM feedback f
  JOIN conversation c ON c.id = f.conversation_id AND c.deleted_at IS NULL
  JOIN message m ON m.id = f.message_id AND m.org_id = f.org_id AND m.cut_generation IS NULL
 WHERE f.id = $2

-- name: RelationMemory :one
SELECT 0 AS rank, ''::text AS scope, false AS is_library, m.is_enabled, false AS is_default FROM memory m WHERE m.id = $1

-- name: RelationMessage :one
SELECT v.rank::int AS rank, ''::text AS scope, false AS is_library, false AS is_enabled, false AS is_default
  FROM message m JOIN conversation c ON c.id = m.conversation_id AND c.deleted_at IS NULL
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM conversation_reader r WHERE r.conversation_id = c.id
   AND r.user_id = $1::bigint) v
 WHERE m.id = $2 AND m.cut_generation IS NULL AND ($3::boolean OR m.role <> 'internal') AND v.rank IS NOT NULL

-- name: RelationObject :one
SELECT v.rank::int AS rank, ''::text AS scope, false AS is_library, false AS is_enabled, false AS is_default
  FROM display_object o
  JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id AND m.cut_generation IS NULL
  JOIN conversation c ON c.id = o.conversation_id AND c.deleted_at IS NULL
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM conversation_reader r WHERE r.conversation_id = c.id
   AND r.user_id = $1::bigint) v
 WHERE o.id = $2 AND v.rank IS NOT NULL

-- name: RelationProjectLabel :one
SELECT (CASE WHEN l.owner_id = $1::bigint THEN 3 ELSE 0 END)::int AS rank, ''::text AS scope, false AS is_library,
       false AS is_enabled, false AS is_default
  FROM project_label l WHERE l.id = $2 AND l.deleted_at IS NULL

-- name: RelationStep :one
SELECT coalesce((SELECT max(r.rank) FROM blueprint_reader r WHERE r.blueprint_id = s.blueprint_id AND r.user_id = $1::bigint),
       3)::int AS rank,
       ''::text AS scope, false AS is_library, false AS is_enabled, false AS is_default
  FROM blueprint_step s
 WHERE s.id = $2
   AND (s.owner_id = $1::bigint OR EXISTS (SELECT FROM blueprint_reader r WHERE r.blueprint_id = s.blueprint_id
     AND r.user_id = $1::bigint))

-- name: RelationTable :one
SELECT v.rank::int AS rank, d.scope, false AS is_library, false AS is_enabled, false AS is_default
  FROM data_resource x JOIN data_source d ON d.id = x.data_source_id
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM data_source_reader r WHERE r.data_source_id = d.id AND r.user_id = $1::bigint) v
 WHERE x.id = $2 AND v.rank IS NOT NULL

-- name: RelationTask :one
SELECT (CASE WHEN t.owner_id = $1::bigint THEN 3 ELSE 0 END)::int AS rank, ''::text AS scope, false AS is_library,
       false AS is_enabled, false AS is_default
  FROM scheduled_task t WHERE t.id = $2

-- name: SecretGet :one
SELECT body FROM secret WHERE name = $1

-- name: SecretOffer :exec
INSERT INTO secret (name, body) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING

-- name: SecretSet :exec
INSERT INTO secret (name, body) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET body = excluded.body, updated_at = now()

-- name: SpentCodeGet :one
SELECT body FROM spent_code WHERE hash = $1 AND until > $2

-- name: SpentCodeKeep :exec
INSERT INTO spent_code (hash, body, until) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING

-- name: SpentCodePrune :execrows
DELETE FROM spent_code WHERE until < clock_timestamp()

-- name: SeedAnalyst :exec
INSERT INTO analyst (org_id, name, description, controller, provider, model, instructions, is_enabled, is_default)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
 WHERE NOT ($9 AND EXISTS (SELECT FROM analyst a WHERE a.org_id = $1 AND a.is_default))
ON CONFLICT (org_id, name) DO UPDATE SET is_enabled = analyst.is_enabled OR excluded.is_enabled

-- name: SeedDataSource :one
INSERT INTO data_source (org_id, owner_id, name, description, type, scope, file_name, file_key, work_key, size, seed)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::text
 WHERE NOT EXISTS (SELECT FROM deleted_sample x WHERE x.org_id = $1 AND x.seed = $11::text)
ON CONFLICT (org_id, seed) DO NOTHING
RETURNING id

-- name: SeedGrant :exec
INSERT INTO data_source_grant (data_source_id, org_id, user_id, permission) VALUES ($1, $2, $3::bigint, 'read')
ON CONFLICT DO NOTHING

-- name: SeedHasDataSource :one
SELECT (EXISTS (SELECT FROM data_source d JOIN organisation o ON o.id = d.org_id WHERE o.name = $1 AND d.seed = $2::text)
    OR EXISTS (SELECT FROM deleted_sample x JOIN organisation o ON o.id = x.org_id WHERE o.name = $1
      AND x.seed = $2::text))::boolean

-- name: SeedLock :exec
SELECT pg_advisory_xact_lock(hashtext('parley-seed'))

-- name: SeedOrganisation :one
INSERT INTO organisation (name) VALUES ($1)
ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id

-- name: SeedTeam :one
INSERT INTO team (org_id, name) VALUES ($1, $2)
ON CONFLICT (org_id, name) DO UPDATE SET name = excluded.name RETURNING id

-- name: SeedTeamMember :exec
INSERT INTO team_member (team_id, user_id, org_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING

-- name: SeedUser :one
INSERT INTO app_user (uuid, org_id, email, full_name, picture, is_superuser, scheduled_task_view, upload_credentials)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (lower(email)) DO UPDATE SET full_name = excluded.full_name
RETURNING id, org_id

-- name: SessionClaim :one
UPDATE app_user SET session_node = $1::text, session_claimed_at = clock_timestamp()
 WHERE uuid = $2 AND NOT is_disabled
RETURNING id, (next_seq - 1)::bigint AS head

-- name: SessionClaimFree :many
WITH free AS MATERIALIZED (
  SELECT u.id FROM app_user u WHERE u.uuid = ANY($1::uuid[]) AND NOT u.is_disabled
   ORDER BY u.id FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE app_user u SET session_node = k.node, session_claimed_at = clock_timestamp()
  FROM free, (SELECT unnest($1::uuid[]) AS uuid, unnest($2::text[]) AS node) k
 WHERE u.id = free.id AND k.uuid = u.uuid
RETURNING u.uuid, u.id, (u.next_seq - 1)::bigint AS head

-- name: SessionHeads :many
SELECT u.uuid, (u.next_seq - 1)::bigint AS head, coalesce(u.session_node, '')::text AS node
  FROM (SELECT unnest($1::uuid[]) AS uuid, unnest($2::bigint[]) AS head) k
  JOIN app_user u ON u.uuid = k.uuid
 WHERE u.next_seq - 1 > k.head OR coalesce(u.session_node, '') <> $3::text

-- name: SessionHomes :many
SELECT u.uuid, coalesce(m.node, '')::text AS node
  FROM app_user u LEFT JOIN cluster_member m ON m.node = u.session_node
 WHERE u.uuid = ANY($1::uuid[])

-- name: SessionRelease :exec
UPDATE app_user SET session_node = NULL WHERE uuid = $1 AND session_node = $2::text

-- name: UserEventPrune :execrows
DELETE FROM user_event WHERE at < clock_timestamp() - interval '7 days'

-- name: UserEvents :many
SELECT e.seq, e.type, e.data, e.at, u.uuid
  FROM user_event e JOIN app_user u ON u.id = e.user_id
 WHERE e.user_id = $1 AND e.seq > $2
 ORDER BY e.seq LIMIT $3::bigint

-- name: UserHead :one
SELECT (next_seq - 1)::bigint FROM app_user WHERE id = $1

-- name: SignInEnd :exec
UPDATE sign_in SET ended_at = clock_timestamp() WHERE user_id = $1 AND key = $2 AND ended_at IS NULL

-- name: SignInInsert :exec
INSERT INTO sign_in (user_id, key, org_id, is_named, began_at)
VALUES ($1, $2, $3, $4, coalesce($5::timestamptz, clock_timestamp()))
ON CONFLICT (user_id, key) DO NOTHING

-- name: SignInPrune :execrows
DELETE FROM sign_in WHERE began_at < clock_timestamp() - interval '90 days'

-- name: SignInReopen :execrows
UPDATE sign_in SET began_at = $1::timestamptz, active_at = clock_timestamp(), ended_at = NULL
 WHERE user_id = $2 AND key = $3 AND began_at < $1::timestamptz AND coalesce(ended_at, active_at) < $1::timestamptz

-- name: SignInStates :many
WITH wanted AS (
  SELECT unnest($2::bigint[]) AS user_id, unnest($3::bytea[]) AS key
), state AS (
SELECT w.user_id::bigint AS user_id, w.key::bytea AS key,
       (s.user_id IS NOT NULL)::boolean AS is_known,
       coalesce(u.is_disabled OR s.ended_at IS NOT NULL
         OR s.active_at < clock_timestamp() - $4::interval
         OR s.began_at < clock_timestamp() - $5::interval
         OR (NOT s.is_named AND s.began_at <= o.at IS TRUE), true)::boolean AS is_over,
       coalesce(s.active_at < clock_timestamp() - interval '1 minute', false)::boolean AS is_stale,
       coalesce(s.began_at, clock_timestamp())::timestamptz AS began_at
  FROM wanted w
  LEFT JOIN sign_in s ON s.user_id = w.user_id AND s.key = w.key
  LEFT JOIN app_user u ON u.id = w.user_id
  LEFT JOIN sign_out o ON o.user_id = w.user_id
)
SELECT user_id, key, is_known, is_over, is_stale, began_at FROM state WHERE is_over OR NOT $1::boolean

-- name: SignInTouch :exec
UPDATE sign_in SET active_at = clock_timestamp()
 WHERE user_id = $1 AND key = $2 AND ended_at IS NULL AND active_at < clock_timestamp() - interval '1 minute'

-- name: SignOutNote :exec
INSERT INTO sign_out (user_id, org_id) VALUES ($1, $2)
ON CONFLICT (user_id) DO UPDATE SET at = excluded.at

-- name: TaskBlueprintGone :many
UPDATE scheduled_task SET is_enabled = false, next_due_at = NULL, version = version + 1, updated_at = $1
 WHERE blueprint_id = $2 AND is_enabled
RETURNING id, owner_id, name

-- name: TaskBlueprintHold :one
SELECT b.id FROM blueprint b WHERE b.id = $1 FOR KEY SHARE

-- name: TaskBlueprintLock :exec
SELECT t.id FROM scheduled_task t WHERE t.blueprint_id = $1 ORDER BY t.id FOR UPDATE

-- name: TaskDelete :exec
DELETE FROM scheduled_task WHERE id = $1

-- name: TaskGet :one
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.has_blueprint, shown.id, shown.org_id, shown.owner_id, shown.name, shown.blueprint_id, shown.project_labels, shown.frequency, shown.time_zone, shown.minute, shown.day_of_week, shown.day_of_month, shown.month, shown.is_enabled, shown.is_archived, shown.next_due_at, shown.version, shown.epoch, shown.activation, shown.node, shown.created_at, shown.updated_at
  FROM task_shown shown
 WHERE shown.id = $1 AND (shown.owner_id = $2 OR $3::boolean)

-- name: TaskInsert :exec
INSERT INTO scheduled_task (id, org_id, owner_id, name, blueprint_id, project_labels, frequency, time_zone, minute, day_of_week,
  day_of_month, month,
  next_due_at, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
  $12,
  $13, $14, $14)

-- name: TaskListAll :many
WITH page AS (
  SELECT t.id, count(*) OVER () AS total
    FROM scheduled_task t
   WHERE t.org_id = $1 AND t.is_archived = $2::boolean
     AND ($3::text = '' OR t.name ILIKE $3)
     AND ($4::text = '' OR filter_matches(jsonb_build_object(
           'name', t.name, 'isEnabled', t.is_enabled, 'icebreaker', t.blueprint_id, 'projectLabels', t.project_labels, 'owner', t.owner_id,
           'frequencyType', t.frequency, 'nextRunAt', extract(epoch FROM t.next_due_at), 'createdAt', extract(epoch FROM t.created_at),
           'updatedAt', extract(epoch FROM t.updated_at)), CAST($4::text AS jsonb)))
   ORDER BY t.updated_at DESC, t.id DESC
   LIMIT $6::bigint OFFSET $5::bigint
)
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.has_blueprint, shown.id, shown.org_id, shown.owner_id, shown.name, shown.blueprint_id, shown.project_labels, shown.frequency, shown.time_zone, shown.minute, shown.day_of_week, shown.day_of_month, shown.month, shown.is_enabled, shown.is_archived, shown.next_due_at, shown.version, shown.epoch, shown.activation, shown.node, shown.created_at, shown.updated_at, page.total
  FROM page
  JOIN task_shown shown ON shown.id = page.id
 ORDER BY shown.updated_at DESC, shown.id DESC

-- name: TaskListOwned :many
WITH page AS (
  SELECT t.id, count(*) OVER () AS total
    FROM scheduled_task t
   WHERE t.owner_id = $1 AND t.is_archived = $2::boolean
     AND ($3::text = '' OR t.name ILIKE $3)
     AND ($4::text = '' OR filter_matches(jsonb_build_object(
           'name', t.name, 'isEnabled', t.is_enabled, 'icebreaker', t.blueprint_id, 'projectLabels', t.project_labels, 'owner', t.owner_id,
           'frequencyType', t.frequency, 'nextRunAt', extract(epoch FROM t.next_due_at), 'createdAt', extract(epoch FROM t.created_at),
           'updatedAt', extract(epoch FROM t.updated_at)), CAST($4::text AS jsonb)))
   ORDER BY t.updated_at DESC, t.id DESC
   LIMIT $6::bigint OFFSET $5::bigint
)
SELECT shown.owner_uuid, shown.owner_name, shown.owner_picture, shown.has_blueprint, shown.id, shown.org_id, shown.owner_id, shown.name, shown.blueprint_id, shown.project_labels, shown.frequency, shown.time_zone, shown.minute, shown.day_of_week, shown.day_of_month, shown.month, shown.is_enabled, shown.is_archived, shown.next_due_at, shown.version, shown.epoch, shown.activation, shown.node, shown.created_at, shown.updated_at, page.total
  FROM page
  JOIN task_shown shown ON shown.id = page.id
 ORDER BY shown.updated_at DESC, shown.id DESC

-- name: TaskLock :one
SELECT t.id, t.org_id, t.owner_id, t.name, t.blueprint_id, t.project_labels, t.frequency, t.time_zone, t.minute, t.day_of_week, t.day_of_month, t.month, t.is_enabled, t.is_archived, t.next_due_at, t.version, t.epoch, t.activation, t.node, t.created_at, t.updated_at, clock_timestamp()::timestamptz AS now FROM scheduled_task t
 WHERE t.id = $1 AND (t.owner_id = $2 OR $3::boolean) FOR UPDATE

-- name: TaskNow :one
SELECT clock_timestamp()::timestamptz

-- name: TaskRunList :many
WITH page AS (
  SELECT r.due_at, count(*) OVER () AS total FROM task_run r
   WHERE r.task_id = $1
   ORDER BY r.due_at DESC
   LIMIT $3::bigint OFFSET $2::bigint
)
SELECT r.due_at, coalesce(e.status, r.status)::text AS status, coalesce(e.reason, r.reason)::text AS reason, r.conversation_id, r.turn_id,
       r.started_at, r.ended_at, e.at AS turn_ended_at, page.total
  FROM page
  JOIN task_run r ON r.task_id = $1 AND r.due_at = page.due_at
  LEFT JOIN turn_end e ON e.turn_id = r.turn_id
 ORDER BY r.due_at DESC

-- name: TaskUpdate :exec
UPDATE scheduled_task
   SET name = $1, blueprint_id = $2, project_labels = $3, frequency = $4, time_zone = $5,
       minute = $6, day_of_week = $7, day_of_month = $8, month = $9,
       is_enabled = $10, is_archived = $11, next_due_at = $12, version = version + 1, updated_at = $13
 WHERE id = $14

-- name: TaskAdvance :execrows
UPDATE scheduled_task SET next_due_at = $1
 WHERE id = $2 AND epoch = $3 AND activation = $4 AND version = $5 AND next_due_at = $6

-- name: TaskClaim :one
UPDATE scheduled_task SET epoch = epoch + 1, activation = $1, node = $2 WHERE id = $3 RETURNING org_id, epoch

-- name: TaskDue :many
SELECT t.id
  FROM scheduled_task t
 WHERE t.next_due_at <= (SELECT clock_timestamp())
   AND NOT EXISTS (SELECT FROM cluster_member m WHERE m.node = t.node AND m.node <> $1::text AND m.expires_at > clock_timestamp())
 ORDER BY t.next_due_at
 LIMIT $2::bigint

-- name: TaskFireRead :one
SELECT t.id, t.org_id, t.owner_id, t.name, t.blueprint_id, t.project_labels, t.frequency, t.time_zone, t.minute, t.day_of_week, t.day_of_month, t.month, t.is_enabled, t.is_archived, t.next_due_at, t.version, t.epoch, t.activation, t.node, t.created_at, t.updated_at, o.uuid AS owner_uuid, o.full_name AS owner_name, o.is_superuser, o.is_disabled, o.scheduled_task_view,
       o.upload_credentials,
       clock_timestamp()::timestamptz AS now
  FROM scheduled_task t
  JOIN app_user o ON o.id = t.owner_id
 WHERE t.id = $1

-- name: TaskHome :one
SELECT coalesce(m.node, '')::text AS node
  FROM scheduled_task t LEFT JOIN cluster_member m ON m.node = t.node
 WHERE t.id = $1

-- name: TaskRelease :exec
UPDATE scheduled_task SET node = NULL WHERE id = $1 AND epoch = $2 AND activation = $3

-- name: TaskRunBegin :execrows
INSERT INTO task_run (task_id, due_at, org_id, status) VALUES ($1, $2, $3, 'running')
ON CONFLICT (task_id, due_at) DO NOTHING

-- name: TaskRunEnd :exec
UPDATE task_run SET status = $1, reason = $2, ended_at = clock_timestamp() WHERE task_id = $3 AND due_at = $4

-- name: TaskRunGoing :one
SELECT EXISTS (SELECT FROM task_run r WHERE r.task_id = $1 AND r.status = 'running'
                  AND NOT EXISTS (SELECT FROM turn_end e WHERE e.turn_id = r.turn_id))

-- name: TaskRunSettle :one
UPDATE task_run r SET status = e.status, reason = e.reason, ended_at = e.at
  FROM turn_end e, scheduled_task t
 WHERE (r.task_id, r.due_at) = (
         SELECT s.task_id, s.due_at FROM task_run s JOIN turn_end x ON x.turn_id = s.turn_id
          WHERE s.status = 'running' LIMIT 1 FOR UPDATE OF s SKIP LOCKED)
   AND e.turn_id = r.turn_id AND t.id = r.task_id
RETURNING r.task_id, r.due_at, r.org_id, r.status, r.reason, r.conversation_id, t.name, t.owner_id

-- name: TaskRunSkip :exec
INSERT INTO task_run (task_id, due_at, org_id, status, reason, ended_at)
SELECT $1, d, $2, 'skipped', $3, clock_timestamp() FROM unnest($4::timestamptz[]) AS d
ON CONFLICT (task_id, due_at) DO NOTHING

-- name: TaskRunStarted :exec
UPDATE task_run SET conversation_id = $1, turn_id = $2 WHERE task_id = $3 AND due_at = $4

-- name: TenantEnter :exec
SELECT set_config('app.org_id', $1::text, true)

-- name: UsageByConversation :many
WITH used AS (
  SELECT d.conversation_id, sum(d.credits) AS credits
    FROM usage_day d
   WHERE d.org_id = $1 AND d.day BETWEEN $2::date AND $3::date AND (NOT $4::boolean OR d.user_id = $5)
   AND CASE WHEN $6::boolean THEN (SELECT k.deleted_at IS NULL FROM conversation k WHERE k.id = d.conversation_id)
     ELSE true END
   GROUP BY d.conversation_id
), shared AS (
  SELECT g.conversation_id FROM conversation_grant g WHERE g.user_id = $5
  UNION
  SELECT g.conversation_id FROM team_member t JOIN conversation_grant g ON g.team_id = t.team_id WHERE t.user_id = $5
), shown AS (
  SELECT c.id, c.name, false AS is_deleted FROM conversation c WHERE c.owner_id = $5 AND c.deleted_at IS NULL
  UNION ALL
  SELECT c.id, c.name, true FROM conversation c WHERE c.owner_id = $5 AND c.deleted_at IS NOT NULL
  UNION ALL
  SELECT c.id, c.name, false FROM shared s JOIN conversation c ON c.id = s.conversation_id AND c.deleted_at IS NULL
    AND c.owner_id <> $5
)
SELECT coalesce(n.id, '00000000-0000-0000-0000-000000000000')::uuid AS conversation_id, coalesce(n.name, '')::text AS name,
       coalesce(n.is_deleted, false)::boolean AS is_deleted, sum(used.credits)::float8 AS credits
  FROM used LEFT JOIN shown n ON n.id = used.conversation_id
 GROUP BY 1, 2, 3
 ORDER BY sum(used.credits) DESC, 1

-- name: UsageByDay :many
SELECT d.day, sum(d.credits)::float8 AS credits
  FROM usage_day d
 WHERE d.org_id = $1 AND d.day BETWEEN $2::date AND $3::date AND (NOT $4::boolean OR d.user_id = $5)
   AND CASE WHEN $6::boolean THEN (SELECT k.deleted_at IS NULL FROM conversation k WHERE k.id = d.conversation_id)
     ELSE true END
 GROUP BY d.day ORDER BY d.day

-- name: UsageByProjectLabel :many
SELECT l.id, coalesce(l.name, '')::text AS name, coalesce(l.color, '')::text AS color,
       coalesce(l.deleted_at IS NOT NULL, false)::boolean AS is_deleted,
       sum(d.credits)::float8 AS credits
  FROM usage_day d
  JOIN conversation c ON c.id = d.conversation_id
  LEFT JOIN project_label l ON l.id = c.project_labels[1]
 WHERE d.org_id = $1 AND d.day BETWEEN $2::date AND $3::date AND (NOT $4::boolean OR d.user_id = $5)
   AND CASE WHEN $6::boolean THEN (SELECT k.deleted_at IS NULL FROM conversation k WHERE k.id = d.conversation_id)
     ELSE true END
 GROUP BY l.id, l.name, l.color, l.deleted_at
 ORDER BY sum(d.credits) DESC, l.id

-- name: UsageByUser :many
SELECT d.user_id, u.full_name AS name, u.is_disabled AS is_deleted, sum(d.credits)::float8 AS credits
  FROM usage_day d JOIN app_user u ON u.id = d.user_id
 WHERE d.org_id = $1 AND d.day BETWEEN $2::date AND $3::date AND (NOT $4::boolean OR d.user_id = $5)
   AND CASE WHEN $6::boolean THEN (SELECT k.deleted_at IS NULL FROM conversation k WHERE k.id = d.conversation_id)
     ELSE true END
 GROUP BY d.user_id, u.full_name, u.is_disabled
 ORDER BY sum(d.credits) DESC, d.user_id

-- name: UsageByWeek :many
SELECT date_trunc('week', d.day)::date AS week, sum(d.credits)::float8 AS credits
  FROM usage_day d
 WHERE d.org_id = $1 AND d.day BETWEEN $2::date AND $3::date AND (NOT $4::boolean OR d.user_id = $5)
   AND CASE WHEN $6::boolean THEN (SELECT k.deleted_at IS NULL FROM conversation k WHERE k.id = d.conversation_id)
     ELSE true END
 GROUP BY 1 ORDER BY 1

-- name: UsageCreditLimit :one
SELECT o.credit_limit::float8 AS credit_limit FROM organisation o WHERE o.id = $1 AND o.credit_limit IS NOT NULL

-- name: UsageCreditsLeft :one
SELECT (o.credit_limit - (SELECT coalesce(sum(d.credits), 0) FROM usage_day d
                           WHERE d.org_id = o.id AND d.day >= date_trunc('month',
                             clock_timestamp() AT TIME ZONE 'UTC')::date))::float8 AS credits_left
  FROM organisation o WHERE o.id = $1 AND o.credit_limit IS NOT NULL

-- name: UsageTotals :one

SELECT coalesce(sum(d.credits), 0)::float8 AS organisation, coalesce(sum(d.credits) FILTER (WHERE d.user_id = $1), 0)::float8 AS mine
  FROM usage_day d WHERE d.org_id = $2 AND d.day BETWEEN $3::date AND $4::date
   AND CASE WHEN $5::boolean THEN (SELECT k.deleted_at IS NULL FROM conversation k WHERE k.id = d.conversation_id)
     ELSE true END

-- name: GranteeList :many
SELECT e.type, e.id, e.name, e.picture, e.place, count(*) OVER () AS total
  FROM (SELECT 'user'::text AS type, u.id, u.full_name AS name, u.picture, 0 AS place FROM app_user u
         WHERE NOT u.is_disabled AND ($1::text = '' OR u.full_name ILIKE $1)
        UNION ALL
        SELECT 'team'::text, t.id, t.name, ''::text, 1 FROM team t WHERE ($1::text = '' OR t.name ILIKE $1)) e
 ORDER BY e.place, e.name, e.id
 LIMIT $3::bigint OFFSET $2::bigint

-- name: UserBindEmail :execrows
UPDATE app_user SET issuer = $1::text, subject = $2::text
 WHERE lower(email) = lower($3::text) AND subject IS NULL

-- name: UserByEmail :one
SELECT u.id, u.uuid, u.org_id, u.email, u.full_name, u.picture, u.is_superuser, u.is_disabled, u.scheduled_task_view, u.upload_credentials, u.issuer, u.subject, u.next_seq, u.session_node, u.session_claimed_at, u.last_seen_at, u.created_at, o.name AS organisation
  FROM app_user u JOIN organisation o ON o.id = u.org_id
 WHERE lower(u.email) = lower($1::text)

-- name: UserEventInsert :exec
INSERT INTO user_event (user_id, seq, org_id, type, data, at) VALUES ($1, $2, $3, $4, $5, $6)

-- name: UserGet :one
SELECT u.id, u.uuid, u.org_id, u.email, u.full_name, u.picture, u.is_superuser, u.is_disabled, u.scheduled_task_view, u.upload_credentials, u.issuer, u.subject, u.next_seq, u.session_node, u.session_claimed_at, u.last_seen_at, u.created_at, o.name AS organisation
  FROM app_user u JOIN organisation o ON o.id = u.org_id
 WHERE u.id = $1

-- name: UserMoveIssuer :exec
UPDATE app_user SET issuer = $1::text WHERE issuer = $2::text

-- name: UserNextSeq :one
UPDATE app_user SET next_seq = next_seq + 1 WHERE id = $1
RETURNING (next_seq - 1)::bigint AS seq, uuid, session_node

-- name: UserTouch :execrows
UPDATE app_user SET last_seen_at = clock_timestamp() WHERE id = $1 AND NOT is_disabled

-- name: UsersBySubject :many
SELECT u.id, u.uuid, u.org_id, u.email, u.full_name, u.picture, u.is_superuser, u.is_disabled, u.scheduled_task_view, u.upload_credentials, u.issuer, u.subject, u.next_seq, u.session_node, u.session_claimed_at, u.last_seen_at, u.created_at, o.name AS organisation
  FROM (SELECT unnest($1::text[]) AS issuer, unnest($2::text[]) AS subject) k
  JOIN app_user u ON u.issuer = k.issuer AND u.subject = k.subject
  JOIN organisation o ON o.id = u.org_id

