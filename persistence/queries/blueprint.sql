-- name: BlueprintGet :one
-- @batch @row:BlueprintShown @into:Blueprint
SELECT sqlc.embed(b), o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture, v.rank::int AS rank,
       coalesce(p.is_favorite, false) AS is_favorite, p.used_at
  FROM blueprint b
  LEFT JOIN app_user o ON o.id = b.owner_id
  CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM blueprint_reader r WHERE r.blueprint_id = b.id AND r.user_id = @user_id::bigint) v
  LEFT JOIN blueprint_person p ON p.blueprint_id = b.id AND p.user_id = @user_id::bigint
 WHERE b.id = @id AND v.rank IS NOT NULL;

-- name: BlueprintList :many
-- @batch @row:BlueprintShown @total
-- It first reads what the person may see, each part by its own index, and only the columns that
-- the filters need. All columns are read for the rows of the page alone.
WITH shared AS (
  SELECT g.blueprint_id FROM blueprint_grant g WHERE g.user_id = @user_id::bigint
  UNION
  SELECT g.blueprint_id FROM team_member t JOIN blueprint_grant g ON g.team_id = t.team_id WHERE t.user_id = @user_id::bigint
), visible AS (
  SELECT b.id, b.owner_id, b.name, b.description, b.is_archived, b.is_library, b.needs_inputs, b.project_labels, b.use_case_categories,
         b.created_at, b.updated_at, 3 AS rank
    FROM blueprint b WHERE b.owner_id = @user_id::bigint
  UNION ALL
  SELECT b.id, b.owner_id, b.name, b.description, b.is_archived, b.is_library, b.needs_inputs, b.project_labels, b.use_case_categories,
         b.created_at, b.updated_at, 1
    FROM blueprint b WHERE b.is_library AND b.org_id = @org_id
  UNION ALL
  SELECT b.id, b.owner_id, b.name, b.description, b.is_archived, b.is_library, b.needs_inputs, b.project_labels, b.use_case_categories,
         b.created_at, b.updated_at, 1
    FROM shared s JOIN blueprint b ON b.id = s.blueprint_id WHERE b.owner_id <> @user_id::bigint
), page AS (
  SELECT v.id, v.rank, row_number() OVER (
           ORDER BY CASE WHEN @sort::text = '-used_at' THEN p.used_at END DESC,
                    CASE WHEN @sort::text = '-updated_at' THEN v.updated_at END DESC,
                    CASE WHEN @sort::text = 'updated_at' THEN v.updated_at END,
                    CASE WHEN @sort::text = '-created_at' THEN v.created_at END DESC,
                    CASE WHEN @sort::text = 'created_at' THEN v.created_at END,
                    CASE WHEN @sort::text = '-name' THEN lower(v.name) END DESC,
                    CASE WHEN @sort::text = 'name' THEN lower(v.name) END,
                    v.id DESC) AS place, count(*) OVER () AS total
    FROM visible v LEFT JOIN blueprint_person p ON p.blueprint_id = v.id AND p.user_id = @user_id::bigint
   WHERE v.is_archived = @archived::boolean
     AND CASE @scope::text WHEN 'favorite' THEN coalesce(p.is_favorite, false)
                           WHEN 'organization' THEN v.is_library
                           WHEN 'owned' THEN v.rank = 3
                           WHEN 'shared' THEN v.rank < 3 AND NOT v.is_library
                           WHEN 'recent' THEN p.used_at IS NOT NULL
                           ELSE true END
     AND CASE @library::text WHEN 'library' THEN v.is_library WHEN 'exclude' THEN NOT v.is_library ELSE true END
     AND CASE @inputs::text WHEN 'with' THEN v.needs_inputs WHEN 'without' THEN NOT v.needs_inputs ELSE true END
     AND (@category::bigint = 0 OR @category = ANY(v.use_case_categories))
     AND (@pattern::text = '' OR v.name ILIKE @pattern OR v.description ILIKE @pattern)
     AND (@conditions::text = '' OR filter_matches(jsonb_build_object(
            'name', v.name, 'description', v.description, 'isFavorite', coalesce(p.is_favorite, false), 'isLibrary', v.is_library,
            'owner', v.owner_id, 'projectLabels', v.project_labels, 'useCaseCategories', v.use_case_categories,
            'createdAt', extract(epoch FROM v.created_at), 'updatedAt', extract(epoch FROM v.updated_at)),
            CAST(@conditions::text AS jsonb)))
     AND (cardinality(@labels::bigint[]) = 0 OR v.project_labels && @labels)
   ORDER BY place
   LIMIT @size::bigint OFFSET @skip::bigint
)
SELECT sqlc.embed(b), o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture, page.rank::int AS rank,
       coalesce(p.is_favorite, false) AS is_favorite, p.used_at, page.total
  FROM page
  JOIN blueprint b ON b.id = page.id
  LEFT JOIN app_user o ON o.id = b.owner_id
  LEFT JOIN blueprint_person p ON p.blueprint_id = b.id AND p.user_id = @user_id::bigint
 ORDER BY page.place;

-- name: BlueprintSteps :many
-- @batch @call @row:StepShown @into:BlueprintStep
-- Lists omit the texts: a page of long ones would be too big to send.
SELECT id, coalesce(blueprint_id, 0)::bigint AS blueprint_id, place, name,
       CASE WHEN @whole::boolean THEN detailed_instructions ELSE '' END::text AS detailed_instructions,
       CASE WHEN @whole THEN qa_instructions ELSE '' END::text AS qa_instructions,
       CASE WHEN @whole THEN code ELSE '' END::text AS code,
       language, memories, coalesce(analyst_id, 0)::bigint AS analyst_id
  FROM blueprint_step WHERE blueprint_id = ANY(@blueprints::bigint[])
 ORDER BY blueprint_id, place;

-- name: BlueprintSourcesUsable :many
-- @batch @call
-- Those of some data sources that the person may use.
SELECT DISTINCT r.data_source_id::bigint FROM data_source_reader r WHERE r.user_id = @user_id::bigint
  AND r.data_source_id = ANY(@ids::bigint[]);

-- name: UseCaseCategories :many
-- @batch
SELECT id, name FROM use_case_category WHERE org_id = @org_id ORDER BY name LIMIT 1000;

-- name: UseCaseCategoriesKnown :one
SELECT count(*) FROM use_case_category WHERE id = ANY(@ids::bigint[]);

-- name: BlueprintAnalystsKnown :many
-- Those of some agents that the person may use.
SELECT a.id FROM analyst a
 WHERE a.id = ANY(@ids::bigint[]) AND (a.is_enabled OR NOT @only_enabled::boolean)
   AND EXISTS (SELECT FROM analyst_reader r WHERE r.analyst_id = a.id AND r.user_id = @user_id::bigint);

-- name: BlueprintMemoriesKnown :many
SELECT id FROM memory WHERE id = ANY(@ids::bigint[]) AND (is_enabled OR @superuser::boolean);

-- name: BlueprintLock :one
-- A change of a blueprint or of its steps locks its row.
SELECT b.id, coalesce(b.owner_id, 0)::bigint AS owner_id, b.is_library, b.is_archived, b.version, v.rank::int AS rank
  FROM blueprint b
  CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM blueprint_reader r WHERE r.blueprint_id = b.id AND r.user_id = @user_id::bigint) v
 WHERE b.id = @id AND v.rank IS NOT NULL
   FOR NO KEY UPDATE OF b;

-- name: BlueprintInsert :one
-- @from:BlueprintDraft
INSERT INTO blueprint (org_id, owner_id, name, description, data_sources, project_labels, use_case_categories, input_parameters,
  needs_inputs, initial_message, created_at, updated_at)
VALUES (@org_id, @owner_id::bigint, @name, @description, @data_sources, @project_labels, @use_case_categories, @input_parameters,
  @needs_inputs, @initial_message, @at, @at)
RETURNING id;

-- name: BlueprintUpdate :exec
-- @from:BlueprintDraft
-- Null leaves a field as it is.
UPDATE blueprint
   SET name = coalesce(sqlc.narg(name)::text, name), description = coalesce(sqlc.narg(description)::text, description),
       data_sources = coalesce(sqlc.narg(data_sources)::bigint[], data_sources),
       project_labels = coalesce(sqlc.narg(project_labels)::bigint[], project_labels),
       use_case_categories = coalesce(sqlc.narg(use_case_categories)::bigint[], use_case_categories),
       input_parameters = coalesce(sqlc.narg(input_parameters)::text, input_parameters),
       needs_inputs = coalesce(sqlc.narg(needs_inputs)::boolean, needs_inputs),
       initial_message = coalesce(sqlc.narg(initial_message)::text, initial_message),
       is_archived = coalesce(sqlc.narg(is_archived)::boolean, is_archived),
       version = version + 1, updated_at = @at
 WHERE id = @id;

-- name: BlueprintDelete :exec
DELETE FROM blueprint WHERE id = $1;

-- name: BlueprintSetFavorite :exec
INSERT INTO blueprint_person (user_id, blueprint_id, org_id, is_favorite) VALUES (@user_id, @blueprint_id, @org_id, @is_favorite)
ON CONFLICT (user_id, blueprint_id) DO UPDATE SET is_favorite = excluded.is_favorite;

-- name: BlueprintUsed :exec
INSERT INTO blueprint_person (user_id, blueprint_id, org_id, used_at) VALUES (@user_id, @blueprint_id, @org_id, @at::timestamptz)
ON CONFLICT (user_id, blueprint_id) DO UPDATE SET used_at = excluded.used_at;

-- name: BlueprintStepGet :one
-- A step that the person may see: of a blueprint that the person may read, or one that the person
-- made and that has no blueprint yet.
SELECT s.id, coalesce(s.blueprint_id, 0)::bigint AS blueprint_id
  FROM blueprint_step s
 WHERE s.id = @id
   AND (s.owner_id = @user_id::bigint OR EXISTS (SELECT FROM blueprint_reader r WHERE r.blueprint_id = s.blueprint_id
     AND r.user_id = @user_id::bigint));

-- name: BlueprintStepLock :one
-- The blueprint that a step belongs to now. The row stays locked until the transaction ends.
SELECT coalesce(s.blueprint_id, 0)::bigint AS blueprint_id FROM blueprint_step s WHERE s.id = @id FOR UPDATE;

-- name: BlueprintStepsSeen :many
-- @batch @row:StepShown
-- Those of some steps that the person may see, by the same rule as BlueprintStepGet.
SELECT s.id, coalesce(s.blueprint_id, 0)::bigint AS blueprint_id, s.place, s.name, s.detailed_instructions, s.qa_instructions, s.code,
       s.language, s.memories,
       coalesce(s.analyst_id, 0)::bigint AS analyst_id
  FROM blueprint_step s
 WHERE s.id = ANY(@ids::bigint[])
   AND (s.owner_id = @user_id::bigint OR EXISTS (SELECT FROM blueprint_reader r WHERE r.blueprint_id = s.blueprint_id
     AND r.user_id = @user_id::bigint));

-- name: BlueprintStepsWaiting :many
-- @row:StepShown
-- Those of some steps that have no blueprint yet and that this person made.
SELECT id, 0::bigint AS blueprint_id, place, name, detailed_instructions, qa_instructions, code, language, memories,
       coalesce(analyst_id, 0)::bigint AS analyst_id
  FROM blueprint_step WHERE id = ANY(@ids::bigint[]) AND owner_id = @user_id::bigint
   FOR UPDATE;

-- name: BlueprintStepInsert :one
-- @batch @call @from:StepDraft
-- 0 means none.
INSERT INTO blueprint_step (org_id, blueprint_id, owner_id, place, name, detailed_instructions, qa_instructions, code, language, memories,
  analyst_id, created_at)
VALUES (@org_id, nullif(@blueprint_id::bigint, 0), nullif(@owner_id::bigint, 0), @place, @name, @detailed_instructions, @qa_instructions,
  @code, @language,
        @memories, nullif(@analyst_id::bigint, 0), @at)
RETURNING id;

-- name: BlueprintStepUpdate :exec
-- @batch @call @from:StepDraft
UPDATE blueprint_step
   SET blueprint_id = nullif(@blueprint_id::bigint, 0), owner_id = nullif(@owner_id::bigint, 0), place = @place, name = @name,
       detailed_instructions = @detailed_instructions, qa_instructions = @qa_instructions, code = @code, language = @language,
       memories = @memories, analyst_id = nullif(@analyst_id::bigint, 0)
 WHERE id = @id;

-- name: BlueprintStepsPlace :exec
-- @batch
UPDATE blueprint_step s SET place = w.place
  FROM (SELECT unnest(@ids::bigint[]) AS id, unnest(@places::int[]) AS place) w
 WHERE s.id = w.id AND s.place <> w.place;

-- name: BlueprintStepsDelete :exec
-- @batch @call
DELETE FROM blueprint_step WHERE id = ANY(@ids::bigint[]);

-- name: BlueprintStepPrune :execrows
DELETE FROM blueprint_step WHERE blueprint_id IS NULL AND created_at < clock_timestamp() - interval '24 hours';

-- name: BlueprintGrants :many
-- @batch @row:GrantShown
SELECT 'user'::text AS type, u.id, u.full_name AS name, u.picture, 'owner'::text AS permission, 0 AS place
  FROM blueprint b JOIN app_user u ON u.id = b.owner_id
 WHERE b.id = @id
UNION ALL
SELECT 'user'::text, u.id, u.full_name, u.picture, g.permission, 1
  FROM blueprint_grant g JOIN app_user u ON u.id = g.user_id
 WHERE g.blueprint_id = @id
UNION ALL
SELECT 'team'::text, t.id, t.name, ''::text, g.permission, 2
  FROM blueprint_grant g JOIN team t ON t.id = g.team_id
 WHERE g.blueprint_id = @id
ORDER BY place, name, id;

-- name: BlueprintGrantUsers :exec
INSERT INTO blueprint_grant (blueprint_id, org_id, user_id, permission)
SELECT @blueprint_id::bigint, @org_id::bigint, unnest(@users::bigint[]), 'read'
ON CONFLICT (blueprint_id, user_id) DO NOTHING;

-- name: BlueprintGrantTeams :exec
INSERT INTO blueprint_grant (blueprint_id, org_id, team_id, permission)
SELECT @blueprint_id::bigint, @org_id::bigint, unnest(@teams::bigint[]), 'read'
ON CONFLICT (blueprint_id, team_id) DO NOTHING;

-- name: BlueprintRevoke :exec
DELETE FROM blueprint_grant
 WHERE blueprint_id = @blueprint_id AND (user_id = ANY(@users::bigint[]) OR team_id = ANY(@teams::bigint[]));

-- name: TurnQueries :many
-- @batch
-- The SQL that some turns ran with a result.
SELECT s.turn_id, coalesce(s.input ->> 'sql', '')::text AS sql
  FROM step s
 WHERE s.turn_id = ANY(@turns::uuid[]) AND s.kind = 'tool' AND s.name = 'run_query' AND s.status = 'finished'
   AND coalesce(s.output -> 'result' ->> 'error', '') = ''
 ORDER BY s.turn_id, s.number;

-- name: TurnPlans :many
-- @batch
-- The plans of some turns that this person started. Other readers of the conversation may not
-- see the instructions of a blueprint's steps.
SELECT id, plan FROM turn WHERE id = ANY(@turns::uuid[]) AND user_id = @user_id AND plan IS NOT NULL;

-- name: SeedUseCaseCategory :one
INSERT INTO use_case_category (org_id, name) VALUES (@org_id, @name)
ON CONFLICT (org_id, name) DO UPDATE SET name = excluded.name RETURNING id;

-- name: SeedBlueprint :one
-- No row if it was seeded before.
INSERT INTO blueprint (org_id, name, description, data_sources, use_case_categories, input_parameters, needs_inputs, initial_message,
  is_library, seed, created_at, updated_at)
VALUES (@org_id, @name, @description, @data_sources, @use_case_categories, @input_parameters, @needs_inputs, @initial_message, true,
  @seed::text, @at, @at)
ON CONFLICT (org_id, seed) DO NOTHING
RETURNING id;

-- name: SeedDataSourceBySeed :one
SELECT id FROM data_source WHERE org_id = @org_id AND seed = @seed::text;
