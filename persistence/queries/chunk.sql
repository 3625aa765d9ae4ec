-- The pieces of running answers, in one table for each stretch of time (migration 00043).

-- name: ChunkStretches :many
-- The tables that have pieces, are not used now and were not used a moment ago. −1 is the table of
-- the previous release.
SELECT s.stretch::smallint AS stretch
  FROM (VALUES (-1), ((chunk_stretch() + 1) % 4), ((chunk_stretch() + 2) % 4)) s (stretch)
 WHERE EXISTS (SELECT FROM message_chunk k WHERE k.stretch = s.stretch)
 ORDER BY s.stretch;

-- name: ChunksJoin :one
-- Moves the pieces of messages that are still being written from a table to the one that is used
-- now, and joins those that follow each other; it returns how many messages it found. The next
-- piece of a message begins where the one before ends, unless other tables have pieces in between.
WITH open AS (
  SELECT m.id FROM message m WHERE m.status = 'streaming'
), taken AS (
  DELETE FROM message_chunk k USING open o WHERE k.stretch = @stretch::smallint AND k.message_id = o.id
  RETURNING k.message_id, k.byte_offset, k.org_id, k.text
), run AS (
  SELECT t.*, t.byte_offset - sum(octet_length(t.text)) OVER (PARTITION BY t.message_id ORDER BY t.byte_offset)
              + octet_length(t.text) AS number
    FROM taken t
), joined AS (
  INSERT INTO message_chunk (message_id, byte_offset, org_id, text)
  SELECT r.message_id, min(r.byte_offset), min(r.org_id), string_agg(r.text, '' ORDER BY r.byte_offset)
    FROM run r GROUP BY r.message_id, r.number
  RETURNING message_id
)
SELECT count(DISTINCT j.message_id) FROM joined j;

-- name: ChunksDrop :one
SELECT drop_chunks(@stretch::smallint);
