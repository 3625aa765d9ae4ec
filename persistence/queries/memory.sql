-- name: MemoryGet :one
-- @batch @row:MemoryShown @into:Memory
SELECT sqlc.embed(m), t.specialist, s.name AS source, u.uuid AS owner_uuid, u.full_name AS owner_name, u.picture AS owner_picture
  FROM memory m
  JOIN memory_type t ON t.id = m.type_id
  JOIN memory_source s ON s.id = m.source_id
  LEFT JOIN app_user u ON u.id = m.owner_id
 WHERE m.id = $1;

-- name: MemoryList :many
-- @batch @row:MemoryShown @total
-- The names of types, sources and labels are read for the rows of the page alone.
WITH page AS (
  SELECT m.id, count(*) OVER () AS total FROM memory m
   WHERE m.org_id = @org_id AND (m.is_enabled OR @disabled_too::boolean)
     AND (cardinality(@specialists::text[]) = 0 OR m.type_id IN (SELECT k.id FROM memory_type k WHERE k.org_id = @org_id
       AND k.specialist = ANY(@specialists)))
     AND (cardinality(@labels::bigint[]) = 0 OR m.labels && @labels)
     AND (@pattern::text = '' OR m.name ILIKE @pattern OR m.question ILIKE @pattern OR m.response ILIKE @pattern)
     AND (@conditions::text = '' OR filter_matches(jsonb_build_object(
         'name', m.name, 'index', m.question, 'value', m.response, 'type', m.type_id, 'labels', m.labels, 'owner', m.owner_id,
         'isEnabled', m.is_enabled, 'createdAt', extract(epoch FROM m.created_at), 'updatedAt', extract(epoch FROM m.updated_at)),
         CAST(@conditions::text AS jsonb)))
   ORDER BY m.updated_at DESC, m.id DESC
   LIMIT @size::bigint OFFSET @skip::bigint
)
SELECT sqlc.embed(m), t.specialist, s.name AS source, u.uuid AS owner_uuid, u.full_name AS owner_name, u.picture AS owner_picture,
       page.total
  FROM page
  JOIN memory m ON m.id = page.id
  JOIN memory_type t ON t.id = m.type_id
  JOIN memory_source s ON s.id = m.source_id
  LEFT JOIN app_user u ON u.id = m.owner_id
 ORDER BY m.updated_at DESC, m.id DESC;

-- name: MemoryRecall :many
-- @batch @row:MemoryShown
-- Places: 0 named, 1 always recalled, 2 by label, 3 by similarity. The similarity is 1 for the same
-- words, and nearly 1 for a long question that has all words of a short one. Of each place, no more
-- rows are read than can be used.
WITH shared AS (
  SELECT t.memory_id, count(*)::float8 AS terms FROM memory_term t
   WHERE t.org_id = @org_id AND t.term = ANY(@terms::text[])
   GROUP BY t.memory_id ORDER BY terms DESC, t.memory_id DESC LIMIT 200
), found AS (
  SELECT m.id, 0 AS place FROM memory m WHERE m.org_id = @org_id AND m.id = ANY(@ids::bigint[])
  UNION ALL
  (SELECT m.id, 1 FROM memory m JOIN memory_type t ON t.id = m.type_id AND t.specialist = @specialist::text
    WHERE m.org_id = @org_id AND m.always_recalled AND m.is_enabled
    ORDER BY m.updated_at DESC LIMIT @most::bigint)
  UNION ALL
  (SELECT m.id, 2 FROM memory m LEFT JOIN shared s ON s.memory_id = m.id
    WHERE m.org_id = @org_id AND cardinality(@labels::bigint[]) > 0 AND m.labels && @labels AND m.is_enabled
    ORDER BY s.terms DESC NULLS LAST, m.updated_at DESC LIMIT 200)
  UNION ALL
  SELECT m.id, 3 FROM shared s JOIN memory m ON m.id = s.memory_id JOIN memory_type t ON t.id = m.type_id AND t.specialist = @specialist
), best AS (
  SELECT f.id, min(f.place) AS place FROM found f GROUP BY f.id
), alike AS (
  SELECT b.id, b.place,
         greatest(2 * coalesce(s.terms, 0) / greatest(m.term_count + cardinality(@terms), 1),
                  CASE WHEN s.terms >= 2 THEN 0.8 * s.terms / m.term_count ELSE 0 END)::float8 AS likeness
    FROM best b JOIN memory m ON m.id = b.id AND m.is_enabled LEFT JOIN shared s ON s.memory_id = b.id
)
SELECT sqlc.embed(m), t.specialist, s.name AS source, u.uuid AS owner_uuid, u.full_name AS owner_name, u.picture AS owner_picture
  FROM alike a
  JOIN memory m ON m.id = a.id
  JOIN memory_type t ON t.id = m.type_id
  JOIN memory_source s ON s.id = m.source_id
  LEFT JOIN app_user u ON u.id = m.owner_id
 WHERE a.place < 3 OR a.likeness >= 0.4
 ORDER BY a.place, CASE WHEN a.place = 0 THEN array_position(@ids::bigint[], m.id) END, a.likeness DESC, m.updated_at DESC, m.id DESC
 LIMIT @most::bigint;

-- name: MemoryInsert :one
-- @from:NewMemory
INSERT INTO memory (org_id, owner_id, name, question, response, type_id, source_id, labels, always_recalled, term_count, created_at,
  updated_at)
SELECT @org_id, @owner_id::bigint, @name, @question, @response, @type_id, s.id, @labels, @always_recalled, @term_count, @at, @at
  FROM memory_source s WHERE s.org_id = @org_id AND s.name = @source
RETURNING id;

-- name: MemoryLock :one
-- The lock makes two changes of one memory run one after the other.
SELECT sqlc.embed(m) FROM memory m WHERE m.id = $1 FOR UPDATE;

-- name: MemoryUpdate :exec
UPDATE memory SET name = @name, question = @question, response = @response, type_id = @type_id, labels = @labels, is_enabled = @is_enabled,
       always_recalled = @always_recalled, term_count = @term_count, version = version + 1, updated_at = @at
 WHERE id = @id;

-- name: MemoryDelete :exec
DELETE FROM memory WHERE id = $1;

-- name: MemoryTermInsert :exec
INSERT INTO memory_term (org_id, term, memory_id) SELECT @org_id, unnest(@terms::text[]), @memory_id;

-- name: MemoryTermDelete :exec
DELETE FROM memory_term WHERE memory_id = $1;

-- name: MemoryTypeList :many
-- @batch
SELECT id, name, specialist FROM memory_type WHERE org_id = $1 ORDER BY id;

-- name: MemoryLabelList :many
-- @batch @row:MemoryWord
SELECT id, name FROM memory_label WHERE org_id = $1 ORDER BY name, id;

-- name: MemorySourceList :many
-- @batch @row:MemoryWord
SELECT id, name FROM memory_source WHERE org_id = $1 ORDER BY id;

-- name: MemoryTypeExists :one
SELECT EXISTS (SELECT FROM memory_type WHERE id = $1);

-- name: MemoryLabelCount :one
SELECT count(*) FROM memory_label WHERE id = ANY(@ids::bigint[]);

-- name: SeedMemoryWords :exec
SELECT memory_words($1);

-- name: SeedMemory :one
-- No row if the sample exists already.
INSERT INTO memory (org_id, name, question, response, type_id, source_id, labels, always_recalled, term_count, seed, created_at, updated_at)
SELECT @org_id, @name, @question, @response, t.id, s.id,
       ARRAY(SELECT l.id FROM memory_label l WHERE l.org_id = @org_id AND l.name = ANY(@labels::text[]) ORDER BY l.id),
       @always_recalled, @term_count, @seed::text, @at, @at
  FROM memory_type t, memory_source s
 WHERE t.org_id = @org_id AND t.name = @type AND s.org_id = @org_id AND s.name = 'sample'
ON CONFLICT (org_id, seed) DO NOTHING
RETURNING id;
