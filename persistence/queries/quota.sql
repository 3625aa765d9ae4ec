-- name: QuotaUsed :one
-- @batch @call
-- Bytes of the files that people uploaded and did not delete: of one person, and of the
-- organisation. Samples do not count.
SELECT coalesce(sum(size) FILTER (WHERE owner_id = @owner_id), 0)::bigint AS person, coalesce(sum(size), 0)::bigint AS organisation
  FROM data_source WHERE org_id = @org_id AND seed IS NULL;

-- name: QuotaLock :exec
-- Uploads of one organisation are counted one after the other: it is held to the end of the
-- transaction.
SELECT pg_advisory_xact_lock(hashtextextended('quota/' || @org_id::bigint, 0));
