-- name: ConversationGet :one
-- @batch @call @row:ConversationSeen
SELECT sqlc.embed(shown), coalesce((SELECT max(r.rank) FROM conversation_reader r WHERE r.conversation_id = shown.id
  AND r.user_id = @user_id), 0)::int AS rank,
       coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0) AS unread
  FROM conversation_shown shown
  LEFT JOIN conversation_person p ON p.conversation_id = shown.id AND p.user_id = @user_id
 WHERE shown.id = @id
   AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = shown.id AND r.user_id = @user_id);

-- name: ConversationRecent :many
-- @batch @row:ConversationSeen
-- The most frequent form of the list: newest first, not archived, without a search. Of the
-- person's own conversations it reads only as many rows as the page needs, however many exist.
WITH shared AS (
  SELECT r.conversation_id, max(r.rank)::int AS rank
    FROM conversation_reader r WHERE r.user_id = @user_id AND r.rank < 3 GROUP BY r.conversation_id
), page AS (
  SELECT v.id, v.updated_at, v.rank FROM (
    (SELECT c.id, c.updated_at, 3 AS rank
       FROM conversation c
      WHERE c.owner_id = @user_id AND c.deleted_at IS NULL
        -- One lookup for each row of the page: a join would compare each row with all archived ones.
        AND NOT coalesce((SELECT p.is_archived FROM conversation_person p WHERE p.user_id = @user_id AND p.conversation_id = c.id), false)
      ORDER BY c.updated_at DESC, c.id DESC LIMIT (sqlc.arg(size)::bigint + sqlc.arg(skip)::bigint))
    UNION ALL
    SELECT c.id, c.updated_at, s.rank
      FROM shared s JOIN conversation c ON c.id = s.conversation_id AND c.deleted_at IS NULL
     WHERE c.owner_id <> @user_id AND @scope::text <> 'user'
       AND NOT EXISTS (SELECT FROM conversation_person p WHERE p.user_id = @user_id AND p.conversation_id = c.id AND p.is_archived)
  ) v
  ORDER BY v.updated_at DESC, v.id DESC LIMIT @size::bigint OFFSET @skip::bigint
)
SELECT sqlc.embed(shown), page.rank::int AS rank,
       coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0) AS unread
  FROM page
  JOIN conversation_shown shown ON shown.id = page.id
  LEFT JOIN conversation_person p ON p.conversation_id = shown.id AND p.user_id = @user_id
 ORDER BY shown.updated_at DESC, shown.id DESC;

-- name: ConversationRecentCount :one
-- @batch
-- The person's own conversations without the archived ones, and the shared ones.
WITH shared AS (
  SELECT DISTINCT r.conversation_id FROM conversation_reader r WHERE r.user_id = @user_id AND r.rank < 3
)
SELECT ((SELECT count(*) FROM conversation c WHERE c.owner_id = @user_id AND c.deleted_at IS NULL)
      - (SELECT count(*) FROM conversation_person p JOIN conversation c ON c.id = p.conversation_id AND c.owner_id = p.user_id
      AND c.deleted_at IS NULL
          WHERE p.user_id = @user_id AND p.is_archived)
      + (SELECT count(*) FROM shared s JOIN conversation c ON c.id = s.conversation_id AND c.deleted_at IS NULL
          WHERE c.owner_id <> @user_id AND @scope::text <> 'user'
            AND NOT EXISTS (SELECT FROM conversation_person p WHERE p.user_id = @user_id AND p.conversation_id = c.id
              AND p.is_archived)))::bigint;

-- name: ConversationList :many
-- @batch @row:ConversationSeen @total
-- The list in any order and with any filter. It reads all that the person may see.
WITH shared AS (
  SELECT r.conversation_id, max(r.rank)::int AS rank
    FROM conversation_reader r WHERE r.user_id = @user_id AND r.rank < 3 GROUP BY r.conversation_id
), visible AS (
  SELECT c.id, c.owner_id, c.name, c.description, c.data_sources, c.project_labels, c.credits, c.created_at, c.updated_at, 3 AS rank
    FROM conversation c WHERE c.owner_id = @user_id AND c.deleted_at IS NULL AND @scope::text <> 'shared'
  UNION ALL
  SELECT c.id, c.owner_id, c.name, c.description, c.data_sources, c.project_labels, c.credits, c.created_at, c.updated_at, s.rank
    FROM shared s JOIN conversation c ON c.id = s.conversation_id AND c.deleted_at IS NULL
   WHERE c.owner_id <> @user_id AND @scope::text <> 'user'
), page AS (
  SELECT v.id, v.rank, count(*) OVER () AS total, row_number() OVER (
           ORDER BY CASE WHEN @sort::text = '-updated_at' THEN v.updated_at END DESC,
                    CASE WHEN @sort::text = 'updated_at' THEN v.updated_at END,
                    CASE WHEN @sort::text = '-created_at' THEN v.created_at END DESC,
                    CASE WHEN @sort::text = 'created_at' THEN v.created_at END,
                    CASE WHEN @sort::text = '-name' THEN lower(v.name) END DESC,
                    CASE WHEN @sort::text = 'name' THEN lower(v.name) END,
                    v.id DESC) AS place
    FROM visible v LEFT JOIN conversation_person p ON p.conversation_id = v.id AND p.user_id = @user_id
   WHERE coalesce(p.is_archived, false) = @archived::boolean
     AND (@scope::text <> 'favorite' OR p.is_favorite)
     AND conversation_matches(v.name, v.description, coalesce(p.is_favorite, false), v.owner_id, v.credits, v.data_sources,
           v.project_labels, v.created_at, v.updated_at, @pattern::text, @conditions::text)
   ORDER BY place
   LIMIT @size::bigint OFFSET @skip::bigint
)
SELECT sqlc.embed(shown), page.rank::int AS rank,
       coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0) AS unread,
       page.total
  FROM page
  JOIN conversation_shown shown ON shown.id = page.id
  LEFT JOIN conversation_person p ON p.conversation_id = shown.id AND p.user_id = @user_id
 ORDER BY page.place;

-- name: ConversationMarked :many
-- @batch @row:ConversationSeen @total
-- The archived or the favourite conversations, in any order. It reads only these.
WITH visible AS (
  SELECT c.id, c.owner_id, c.name, c.description, c.data_sources, c.project_labels, c.credits, c.created_at, c.updated_at, r.rank
    FROM conversation_person m
    JOIN conversation c ON c.id = m.conversation_id AND c.deleted_at IS NULL
   CROSS JOIN LATERAL (SELECT max(k.rank)::int AS rank FROM conversation_reader k WHERE k.conversation_id = m.conversation_id
     AND k.user_id = @user_id) r
   WHERE m.user_id = @user_id AND (m.is_archived OR m.is_favorite) AND r.rank IS NOT NULL
     AND CASE @scope::text WHEN 'user' THEN r.rank = 3 WHEN 'shared' THEN r.rank < 3 ELSE true END
), page AS (
  SELECT v.id, v.rank, count(*) OVER () AS total, row_number() OVER (
           ORDER BY CASE WHEN @sort::text = '-updated_at' THEN v.updated_at END DESC,
                    CASE WHEN @sort::text = 'updated_at' THEN v.updated_at END,
                    CASE WHEN @sort::text = '-created_at' THEN v.created_at END DESC,
                    CASE WHEN @sort::text = 'created_at' THEN v.created_at END,
                    CASE WHEN @sort::text = '-name' THEN lower(v.name) END DESC,
                    CASE WHEN @sort::text = 'name' THEN lower(v.name) END,
                    v.id DESC) AS place
    FROM visible v LEFT JOIN conversation_person p ON p.conversation_id = v.id AND p.user_id = @user_id
   WHERE coalesce(p.is_archived, false) = @archived::boolean
     AND (@scope::text <> 'favorite' OR p.is_favorite)
     AND conversation_matches(v.name, v.description, coalesce(p.is_favorite, false), v.owner_id, v.credits, v.data_sources,
           v.project_labels, v.created_at, v.updated_at, @pattern::text, @conditions::text)
   ORDER BY place
   LIMIT @size::bigint OFFSET @skip::bigint
)
SELECT sqlc.embed(shown), page.rank::int AS rank,
       coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0) AS unread,
       page.total
  FROM page
  JOIN conversation_shown shown ON shown.id = page.id
  LEFT JOIN conversation_person p ON p.conversation_id = shown.id AND p.user_id = @user_id
 ORDER BY page.place;

-- name: ConversationRunning :many
-- @batch @row:ConversationSeen
WITH running AS (
  SELECT t.conversation_id FROM turn t WHERE t.user_id = @user_id AND t.status = 'running'
  UNION
  SELECT t.conversation_id FROM conversation_reader r JOIN turn t ON t.conversation_id = r.conversation_id AND t.status = 'running'
   WHERE r.user_id = @user_id AND r.rank < 3
), page AS (
  SELECT u.conversation_id AS id,
         (SELECT max(r.rank) FROM conversation_reader r WHERE r.conversation_id = u.conversation_id AND r.user_id = @user_id) AS rank
    FROM running u
)
SELECT sqlc.embed(shown), page.rank::int AS rank,
       coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0) AS unread
  FROM page
  JOIN conversation_shown shown ON shown.id = page.id
  LEFT JOIN conversation_person p ON p.conversation_id = shown.id AND p.user_id = @user_id
 WHERE page.rank IS NOT NULL
 ORDER BY shown.updated_at DESC, shown.id DESC
 LIMIT @size::bigint;

-- name: ConversationInsert :exec
INSERT INTO conversation (id, org_id, owner_id, name, description, data_sources, project_labels, next_seq, created_at, updated_at)
VALUES (@id, @org_id, @owner_id, @name, @description, @data_sources, @project_labels, 2, @at, @at);

-- name: ConversationEventInsert :exec
INSERT INTO conversation_event (conversation_id, seq, org_id, type, epoch, generation, data, at)
VALUES (@conversation_id, @seq, @org_id, @type, @epoch, @generation, @data, @at);

-- name: ConversationSnapshotInsert :exec
-- The only insert of a snapshot. Later ones are updates, so that nothing can restore a deleted
-- one.
INSERT INTO conversation_snapshot (conversation_id, org_id) VALUES ($1, $2);

-- name: ConversationSetArchived :exec
INSERT INTO conversation_person (user_id, conversation_id, org_id, is_archived) VALUES (@user_id, @conversation_id, @org_id, @is_archived)
ON CONFLICT (user_id, conversation_id) DO UPDATE SET is_archived = excluded.is_archived;

-- name: ConversationSetFavorite :exec
INSERT INTO conversation_person (user_id, conversation_id, org_id, is_favorite) VALUES (@user_id, @conversation_id, @org_id, @is_favorite)
ON CONFLICT (user_id, conversation_id) DO UPDATE SET is_favorite = excluded.is_favorite;

-- name: ConversationMarkRead :exec
UPDATE conversation_person SET unread = 0 WHERE user_id = $1 AND conversation_id = $2;

-- name: ConversationAccessGet :one
-- @batch
-- What a person may do with it, and its position, without reading its messages. The last message
-- is found by the index of their order.
SELECT v.rank::int AS rank, c.data_sources, (c.next_seq - 1)::bigint AS head, c.generation,
       coalesce((SELECT m.id FROM message m
                  WHERE m.conversation_id = c.id AND m.cut_generation IS NULL AND (@superuser::boolean OR m.role <> 'internal')
                  ORDER BY m.seq DESC LIMIT 1), '00000000-0000-0000-0000-000000000000')::uuid AS last
  FROM conversation c
  CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = @user_id) v
 WHERE c.id = @id AND c.deleted_at IS NULL AND v.rank IS NOT NULL;

-- name: ConversationPersonGet :one
-- @batch @call
-- The person's own marks of it; no row if the person may not read it.
SELECT coalesce(p.is_archived, false) AS is_archived, coalesce(p.is_favorite, false) AS is_favorite, coalesce(p.unread, 0)::int AS unread,
       v.rank::int AS rank
  FROM conversation c
 CROSS JOIN LATERAL (SELECT max(r.rank) AS rank FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = @user_id) v
  LEFT JOIN conversation_person p ON p.conversation_id = c.id AND p.user_id = @user_id
 WHERE c.id = @id AND c.deleted_at IS NULL AND v.rank IS NOT NULL;

-- name: ConversationGrants :many
-- @batch @row:GrantShown
-- No row for a person who may not read the conversation. Such a conversation costs the same work
-- as one that does not exist, so that the time of the answer does not tell them apart.
SELECT e.type, e.id, e.name, e.picture, e.permission, e.place
  FROM (SELECT 'user'::text AS type, u.id, u.full_name AS name, u.picture, 'owner'::text AS permission, 0 AS place
          FROM conversation c JOIN app_user u ON u.id = c.owner_id
         WHERE c.id = @id
        UNION ALL
        SELECT 'user'::text, u.id, u.full_name, u.picture, g.permission, 1
          FROM conversation_grant g JOIN app_user u ON u.id = g.user_id
         WHERE g.conversation_id = @id
        UNION ALL
        SELECT 'team'::text, t.id, t.name, ''::text, g.permission, 2
          FROM conversation_grant g JOIN team t ON t.id = g.team_id
         WHERE g.conversation_id = @id) e
 WHERE EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = @id AND r.user_id = @user_id)
 ORDER BY e.place, e.name, e.id;
