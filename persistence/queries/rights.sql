-- The relation of a person to one entity. Each query reads the entity by its key, and nothing else
-- but the rows of its shares. No row means that the entity does not exist in this organisation, or
-- that it can be shared and the person may not see it.

-- name: RelationConversation :one
-- @batch @call @row:Relation
SELECT v.rank::int AS rank, ''::text AS scope, false AS is_library, false AS is_enabled, false AS is_default
  FROM conversation c
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM conversation_reader r WHERE r.conversation_id = c.id
   AND r.user_id = @user_id::bigint) v
 WHERE c.id = @id AND c.deleted_at IS NULL AND v.rank IS NOT NULL;

-- name: RelationMessage :one
-- @batch @row:Relation
SELECT v.rank::int AS rank, ''::text AS scope, false AS is_library, false AS is_enabled, false AS is_default
  FROM message m JOIN conversation c ON c.id = m.conversation_id AND c.deleted_at IS NULL
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM conversation_reader r WHERE r.conversation_id = c.id
   AND r.user_id = @user_id::bigint) v
 WHERE m.id = @id AND m.cut_generation IS NULL AND (@superuser::boolean OR m.role <> 'internal') AND v.rank IS NOT NULL;

-- name: RelationObject :one
-- @batch @row:Relation
SELECT v.rank::int AS rank, ''::text AS scope, false AS is_library, false AS is_enabled, false AS is_default
  FROM display_object o
  JOIN message m ON m.id = o.message_id AND m.org_id = o.org_id AND m.cut_generation IS NULL
  JOIN conversation c ON c.id = o.conversation_id AND c.deleted_at IS NULL
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM conversation_reader r WHERE r.conversation_id = c.id
   AND r.user_id = @user_id::bigint) v
 WHERE o.id = @id AND v.rank IS NOT NULL;

-- name: RelationFeedback :one
-- @batch @row:Relation
SELECT v.rank::int AS rank, ''::text AS scope, false AS is_library, false AS is_enabled, false AS is_default
  FROM feedback_standing f
 CROSS JOIN LATERAL feedback_rank(f.owner_id, f.user_id, f.conversation_id, @user_id::bigint) v
 WHERE f.id = @id;

-- name: RelationBlueprint :one
-- @batch @row:Relation
SELECT v.rank::int AS rank, ''::text AS scope, b.is_library, false AS is_enabled, false AS is_default
  FROM blueprint b
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM blueprint_reader r WHERE r.blueprint_id = b.id AND r.user_id = @user_id::bigint) v
 WHERE b.id = @id AND v.rank IS NOT NULL;

-- name: RelationStep :one
-- @batch @row:Relation
-- The rank is that of the blueprint. A step without a blueprint belongs to its owner.
SELECT coalesce((SELECT max(r.rank) FROM blueprint_reader r WHERE r.blueprint_id = s.blueprint_id AND r.user_id = @user_id::bigint),
       3)::int AS rank,
       ''::text AS scope, false AS is_library, false AS is_enabled, false AS is_default
  FROM blueprint_step s
 WHERE s.id = @id
   AND (s.owner_id = @user_id::bigint OR EXISTS (SELECT FROM blueprint_reader r WHERE r.blueprint_id = s.blueprint_id
     AND r.user_id = @user_id::bigint));

-- name: RelationDataSource :one
-- @batch @row:Relation
SELECT v.rank::int AS rank, d.scope, false AS is_library, false AS is_enabled, false AS is_default
  FROM data_source d
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM data_source_reader r WHERE r.data_source_id = d.id AND r.user_id = @user_id::bigint) v
 WHERE d.id = @id AND v.rank IS NOT NULL;

-- name: RelationTable :one
-- @batch @row:Relation
SELECT v.rank::int AS rank, d.scope, false AS is_library, false AS is_enabled, false AS is_default
  FROM data_resource x JOIN data_source d ON d.id = x.data_source_id
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM data_source_reader r WHERE r.data_source_id = d.id AND r.user_id = @user_id::bigint) v
 WHERE x.id = @id AND v.rank IS NOT NULL;

-- name: RelationAnalyst :one
-- @batch @row:Relation
-- Superusers also see agents that are not shared with them, with rank 0.
SELECT coalesce((SELECT max(r.rank) FROM analyst_reader r WHERE r.analyst_id = a.id AND r.user_id = @user_id::bigint), 0)::int AS rank,
       ''::text AS scope, false AS is_library, a.is_enabled, a.is_default
  FROM analyst a WHERE a.id = @id;

-- name: RelationMemory :one
-- @batch @row:Relation
SELECT 0 AS rank, ''::text AS scope, false AS is_library, m.is_enabled, false AS is_default FROM memory m WHERE m.id = @id;

-- name: RelationProjectLabel :one
-- @batch @row:Relation
SELECT (CASE WHEN l.owner_id = @user_id::bigint THEN 3 ELSE 0 END)::int AS rank, ''::text AS scope, false AS is_library,
       false AS is_enabled, false AS is_default
  FROM project_label l WHERE l.id = @id AND l.deleted_at IS NULL;

-- name: RelationTask :one
-- @batch @row:Relation
SELECT (CASE WHEN t.owner_id = @user_id::bigint THEN 3 ELSE 0 END)::int AS rank, ''::text AS scope, false AS is_library,
       false AS is_enabled, false AS is_default
  FROM scheduled_task t WHERE t.id = @id;
