-- name: ProjectLabelList :many
-- @batch @row:ProjectLabelSeen @total
-- Each label has the number of its conversations that the person may read.
WITH shared AS (
  SELECT DISTINCT r.conversation_id FROM conversation_reader r WHERE r.user_id = @user_id AND r.rank < 3
), page AS (
  SELECT l.id, count(*) OVER () AS total FROM project_label l
   WHERE l.org_id = @org_id AND l.deleted_at IS NULL AND (@pattern::text = '' OR l.name ILIKE @pattern OR l.description ILIKE @pattern)
   ORDER BY lower(l.name), l.id LIMIT @size::bigint OFFSET @skip::bigint
), of_others AS (
  SELECT p.label_id, count(*) AS many FROM shared s JOIN conversation_project p ON p.conversation_id = s.conversation_id
   WHERE p.owner_id <> @user_id GROUP BY p.label_id
)
SELECT sqlc.embed(shown),
       ((SELECT count(*) FROM conversation_project p WHERE p.label_id = shown.id AND p.owner_id = @user_id) + coalesce(o.many,
       0))::bigint AS conversations, page.total
  FROM page
  JOIN project_label_shown shown ON shown.id = page.id
  LEFT JOIN of_others o ON o.label_id = shown.id
 ORDER BY lower(shown.name), shown.id;

-- name: ProjectLabelGet :one
-- @batch @row:ProjectLabelSeen @into:ProjectLabel
SELECT sqlc.embed(shown),
       ((SELECT count(*) FROM conversation_project p WHERE p.label_id = shown.id AND p.owner_id = @user_id)
        + (SELECT count(*) FROM conversation_project p
            WHERE p.label_id = shown.id AND p.owner_id <> @user_id
              AND EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = p.conversation_id
                AND r.user_id = @user_id)))::bigint AS conversations
  FROM project_label_shown shown WHERE shown.id = @id;

-- name: ProjectLabelNamed :many
-- @batch @call
-- What other entities show of the labels that are not deleted.
SELECT id, name, color FROM project_label WHERE id = ANY(@ids::bigint[]) AND deleted_at IS NULL ORDER BY id;

-- name: ProjectLabelKnown :one
SELECT count(*) FROM project_label WHERE id = ANY(@ids::bigint[]) AND deleted_at IS NULL;

-- name: ProjectLabelInsert :one
-- @from:ProjectLabelDraft
INSERT INTO project_label (org_id, owner_id, name, description, color, created_at, updated_at)
VALUES (@org_id, @owner_id, @name, @description, @color, @at, @at)
RETURNING id;

-- name: ProjectLabelLock :one
-- The lock makes two changes of one label run one after the other.
SELECT owner_id, version FROM project_label WHERE id = $1 AND deleted_at IS NULL FOR UPDATE;

-- name: ProjectLabelUpdate :exec
-- @from:ProjectLabelDraft
UPDATE project_label SET name = @name, description = @description, color = @color, version = version + 1, updated_at = @at WHERE id = @id;

-- name: ProjectLabelDelete :exec
UPDATE project_label SET deleted_at = @at::timestamptz WHERE id = @id;

-- name: SeedProjectLabel :exec
INSERT INTO project_label (org_id, owner_id, name, description, color, seed, created_at, updated_at)
VALUES (@org_id, @owner_id, @name, @description, @color, @seed::text, @at, @at)
ON CONFLICT (org_id, seed) DO NOTHING;

-- name: ConversationOfProject :many
-- @batch @row:ConversationSeen @total
-- The conversations of some projects that the person may read. It reads only these.
WITH shared AS (
  SELECT r.conversation_id, max(r.rank)::int AS rank
    FROM conversation_reader r WHERE r.user_id = @user_id AND r.rank < 3 GROUP BY r.conversation_id
), visible AS (
  SELECT p.conversation_id AS id, 3 AS rank
    FROM conversation_project p WHERE p.label_id = ANY(@labels::bigint[]) AND p.owner_id = @user_id AND @scope::text <> 'shared'
  UNION
  SELECT p.conversation_id, s.rank
    FROM shared s JOIN conversation_project p ON p.conversation_id = s.conversation_id AND p.label_id = ANY(@labels)
   WHERE p.owner_id <> @user_id AND @scope::text <> 'user'
), page AS (
  SELECT c.id, v.rank, count(*) OVER () AS total, row_number() OVER (
           ORDER BY CASE WHEN @sort::text = '-updated_at' THEN c.updated_at END DESC,
                    CASE WHEN @sort::text = 'updated_at' THEN c.updated_at END,
                    CASE WHEN @sort::text = '-created_at' THEN c.created_at END DESC,
                    CASE WHEN @sort::text = 'created_at' THEN c.created_at END,
                    CASE WHEN @sort::text = '-name' THEN lower(c.name) END DESC,
                    CASE WHEN @sort::text = 'name' THEN lower(c.name) END,
                    c.id DESC) AS place
    FROM visible v
    JOIN conversation c ON c.id = v.id AND c.deleted_at IS NULL
    LEFT JOIN conversation_person p ON p.conversation_id = c.id AND p.user_id = @user_id
   WHERE coalesce(p.is_archived, false) = @archived::boolean
     AND (@scope::text <> 'favorite' OR p.is_favorite)
     AND conversation_matches(c.name, c.description, coalesce(p.is_favorite, false), c.owner_id, c.credits, c.data_sources,
           c.project_labels, c.created_at, c.updated_at, @pattern::text, @conditions::text)
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

