-- name: ConversationGet :one
SELECT c.id, c.org_id, c.name, c.description, c.owner_id, o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture,
       c.data_sources, c.project_labels, c.status_summary, c.credits::float8 AS credits,
       c.next_seq, c.epoch, c.generation, c.created_at, c.updated_at,
       coalesce((SELECT max(r.rank) FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = @user_id), 0)::int AS rank,
       coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0) AS unread,
       EXISTS (SELECT FROM turn t WHERE t.conversation_id = c.id AND t.status = 'running') AS is_streaming
  FROM conversation c
  JOIN app_user o ON o.id = c.owner_id
  LEFT JOIN conversation_person p ON p.conversation_id = c.id AND p.user_id = @user_id
 WHERE c.id = @id AND c.deleted_at IS NULL
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = @user_id);

-- name: ConversationList :many
WITH visible AS (
  SELECT r.conversation_id, max(r.rank)::int AS rank
    FROM conversation_reader r
   WHERE r.user_id = @user_id
     AND CASE @scope::text WHEN 'user' THEN r.rank = 3 ELSE true END
   GROUP BY r.conversation_id
), page AS (
  SELECT c.id, v.rank
    FROM visible v
    JOIN conversation c ON c.id = v.conversation_id AND c.deleted_at IS NULL
    LEFT JOIN conversation_person p ON p.conversation_id = c.id AND p.user_id = @user_id
   WHERE coalesce(p.is_archived, false) = @archived::boolean
     AND (@scope::text <> 'shared' OR v.rank < 3)
     AND (@scope::text <> 'favorite' OR p.is_favorite)
     AND (@pattern::text = '' OR c.name ILIKE @pattern OR c.description ILIKE @pattern)
   ORDER BY CASE WHEN @sort::text = '-updated_at' THEN c.updated_at END DESC,
            CASE WHEN @sort::text = 'updated_at' THEN c.updated_at END,
            CASE WHEN @sort::text = '-created_at' THEN c.created_at END DESC,
            CASE WHEN @sort::text = 'created_at' THEN c.created_at END,
            CASE WHEN @sort::text = '-name' THEN lower(c.name) END DESC,
            CASE WHEN @sort::text = 'name' THEN lower(c.name) END,
            c.id DESC
   LIMIT @size::bigint OFFSET @skip::bigint
)
SELECT c.id, c.org_id, c.name, c.description, c.owner_id, o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture,
       c.data_sources, c.project_labels, c.status_summary, c.credits::float8 AS credits,
       c.next_seq, c.epoch, c.generation, c.created_at, c.updated_at,
       page.rank,
       coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0) AS unread,
       EXISTS (SELECT FROM turn t WHERE t.conversation_id = c.id AND t.status = 'running') AS is_streaming
  FROM page
  JOIN conversation c ON c.id = page.id
  JOIN app_user o ON o.id = c.owner_id
  LEFT JOIN conversation_person p ON p.conversation_id = c.id AND p.user_id = @user_id
 ORDER BY CASE WHEN @sort::text = '-updated_at' THEN c.updated_at END DESC,
          CASE WHEN @sort::text = 'updated_at' THEN c.updated_at END,
          CASE WHEN @sort::text = '-created_at' THEN c.created_at END DESC,
          CASE WHEN @sort::text = 'created_at' THEN c.created_at END,
          CASE WHEN @sort::text = '-name' THEN lower(c.name) END DESC,
          CASE WHEN @sort::text = 'name' THEN lower(c.name) END,
          c.id DESC;

-- name: ConversationCount :one
WITH visible AS (
  SELECT r.conversation_id, max(r.rank)::int AS rank
    FROM conversation_reader r
   WHERE r.user_id = @user_id
     AND CASE @scope::text WHEN 'user' THEN r.rank = 3 ELSE true END
   GROUP BY r.conversation_id
)
SELECT count(*)
  FROM visible v
  JOIN conversation c ON c.id = v.conversation_id AND c.deleted_at IS NULL
  LEFT JOIN conversation_person p ON p.conversation_id = c.id AND p.user_id = @user_id
 WHERE coalesce(p.is_archived, false) = @archived::boolean
   AND (@scope::text <> 'shared' OR v.rank < 3)
   AND (@scope::text <> 'favorite' OR p.is_favorite)
   AND (@pattern::text = '' OR c.name ILIKE @pattern OR c.description ILIKE @pattern);

-- name: ConversationRunning :many
SELECT c.id, c.org_id, c.name, c.description, c.owner_id, o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture,
       c.data_sources, c.project_labels, c.status_summary, c.credits::float8 AS credits,
       c.next_seq, c.epoch, c.generation, c.created_at, c.updated_at,
       v.rank::int AS rank,
       coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0) AS unread,
       true AS is_streaming
  FROM turn t
  JOIN conversation c ON c.id = t.conversation_id AND c.deleted_at IS NULL
  JOIN app_user o ON o.id = c.owner_id
  CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = @user_id) v
  LEFT JOIN conversation_person p ON p.conversation_id = c.id AND p.user_id = @user_id
 WHERE t.status = 'running' AND v.rank IS NOT NULL
 ORDER BY c.updated_at DESC, c.id DESC
 LIMIT @size::bigint;

-- name: ConversationInsert :exec
INSERT INTO conversation (id, org_id, owner_id, name, description, data_sources, next_seq, created_at, updated_at)
VALUES (@id, @org_id, @owner_id, @name, @description, @data_sources, 2, @at, @at);

-- name: ConversationEventInsert :exec
INSERT INTO conversation_event (conversation_id, seq, org_id, type, epoch, generation, data, at)
VALUES (@conversation_id, @seq, @org_id, @type, @epoch, @generation, @data, @at);

-- name: ConversationSnapshotInsert :exec
-- The only insert of a snapshot: later ones are updates, so that nothing can
-- bring back what is deleted.
INSERT INTO conversation_snapshot (conversation_id, org_id) VALUES ($1, $2);

-- name: ConversationSetArchived :exec
INSERT INTO conversation_person (user_id, conversation_id, org_id, is_archived) VALUES (@user_id, @conversation_id, @org_id, @is_archived)
ON CONFLICT (user_id, conversation_id) DO UPDATE SET is_archived = excluded.is_archived;

-- name: ConversationSetFavorite :exec
INSERT INTO conversation_person (user_id, conversation_id, org_id, is_favorite) VALUES (@user_id, @conversation_id, @org_id, @is_favorite)
ON CONFLICT (user_id, conversation_id) DO UPDATE SET is_favorite = excluded.is_favorite;

-- name: ConversationMarkRead :exec
UPDATE conversation_person SET unread = 0 WHERE user_id = $1 AND conversation_id = $2;

-- name: ConversationPersonGet :one
-- What the person holds of it now; no row when the person may not read it.
SELECT coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0)::int AS unread
  FROM conversation c
  LEFT JOIN conversation_person p ON p.conversation_id = c.id AND p.user_id = @user_id
 WHERE c.id = @id AND c.deleted_at IS NULL
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = @user_id);

-- name: ConversationGrants :many
SELECT 'user'::text AS type, u.id, u.full_name AS name, u.picture, 'owner'::text AS permission, 0 AS place
  FROM conversation c JOIN app_user u ON u.id = c.owner_id
 WHERE c.id = @id
UNION ALL
SELECT 'user'::text, u.id, u.full_name, u.picture, g.permission, 1
  FROM conversation_grant g JOIN app_user u ON u.id = g.user_id
 WHERE g.conversation_id = @id
UNION ALL
SELECT 'team'::text, t.id, t.name, ''::text, g.permission, 2
  FROM conversation_grant g JOIN team t ON t.id = g.team_id
 WHERE g.conversation_id = @id
ORDER BY place, name, id;
