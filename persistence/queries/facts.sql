-- name: FactsState :many
-- @batch
-- What is known about the present files of the data sources that the person may read, without the facts themselves: they
-- never change for a work key, and a node keeps them.
SELECT d.id, d.work_key, coalesce(f.rules, 0)::int AS rules, coalesce(f.changes::text, '[]')::text AS changes,
       coalesce(f.measured_at, 'epoch')::timestamptz AS measured_at, (f.body IS NOT NULL)::boolean AS measured,
       coalesce(f.body IS NULL AND f.attempts >= @attempts::int AND f.claimed_until < clock_timestamp(), false)::boolean AS failed
  FROM data_source d
  LEFT JOIN LATERAL (SELECT k.rules, k.changes, k.measured_at, k.body, k.attempts, k.claimed_until FROM data_facts k
                      WHERE k.data_source_id = d.id AND k.work_key = d.work_key
                      ORDER BY k.body IS NULL, k.rules DESC LIMIT 1) f ON true
 WHERE d.id = ANY(@ids::bigint[]) AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = d.id AND r.user_id = @user_id)
 ORDER BY d.id;

-- name: FactsBodies :many
-- @batch
-- The facts of files, by the places of FactsState.
SELECT f.data_source_id, f.work_key, f.rules, f.body::text AS body FROM data_facts f
  JOIN (SELECT unnest(@ids::bigint[]) AS id, unnest(@work_keys::text[]) AS work_key, unnest(@rules::int[]) AS rules) w
    ON f.data_source_id = w.id AND f.work_key = w.work_key AND f.rules = w.rules
 WHERE f.body IS NOT NULL;

-- name: LinkFactsState :many
-- @batch
-- The links between pairs of data sources, both of which the person may read.
SELECT l.first_id, l.second_id, coalesce(l.body::text, '')::text AS body
  FROM data_link_facts l
  JOIN data_source a ON a.id = l.first_id AND a.work_key = l.first_work_key
  JOIN data_source b ON b.id = l.second_id AND b.work_key = l.second_work_key
 WHERE l.first_id = ANY(@ids::bigint[]) AND l.second_id = ANY(@ids::bigint[])
   AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = a.id AND r.user_id = @user_id)
   AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = b.id AND r.user_id = @user_id)
 ORDER BY l.first_id, l.second_id, l.body IS NULL, l.rules DESC;

-- name: LinkFactsOf :many
-- @batch
-- The links between a data source and all others, as far as the person may read both.
SELECT l.first_id, l.second_id, a.name AS first_name, b.name AS second_name, l.body::text AS body, l.changes::text AS changes
  FROM data_link_facts l
  JOIN data_source a ON a.id = l.first_id AND a.work_key = l.first_work_key
  JOIN data_source b ON b.id = l.second_id AND b.work_key = l.second_work_key
 WHERE (l.first_id = @id::bigint OR l.second_id = @id) AND l.body IS NOT NULL
   AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = a.id AND r.user_id = @user_id)
   AND EXISTS (SELECT FROM data_source_reader r WHERE r.data_source_id = b.id AND r.user_id = @user_id)
 ORDER BY l.first_id, l.second_id, l.rules DESC
 LIMIT 100;

-- name: LinkFactsAsk :exec
-- Asks for the links of pairs that have none yet, as far as the files are still those.
INSERT INTO data_link_facts (first_id, second_id, org_id, first_work_key, second_work_key, rules)
SELECT a.id, b.id, a.org_id, a.work_key, b.work_key, @rules::int
  FROM (SELECT unnest(@firsts::bigint[]) AS first_id, unnest(@seconds::bigint[]) AS second_id) w
  JOIN data_source a ON a.id = w.first_id AND a.work_key <> ''
  JOIN data_source b ON b.id = w.second_id AND b.work_key <> '' AND b.org_id = a.org_id
 WHERE NOT EXISTS (SELECT FROM data_link_facts l
                    WHERE l.first_id = a.id AND l.second_id = b.id AND l.first_work_key = a.work_key AND l.second_work_key = b.work_key
                      AND l.rules >= @rules)
ON CONFLICT DO NOTHING;

-- name: FactsClaim :one
-- Claims the measurement of a file that was not measured, the last changed first. Two nodes that choose the same one meet
-- at its row, and the second one gets nothing.
INSERT INTO data_facts AS f (data_source_id, org_id, work_key, rules, claim, claimed_until, attempts)
SELECT d.id, d.org_id, d.work_key, @rules::int, @claim::uuid, clock_timestamp() + make_interval(secs => @seconds::float8), 1
  FROM data_source d
  LEFT JOIN data_facts k ON k.data_source_id = d.id AND k.work_key = d.work_key AND k.rules = @rules
 WHERE d.work_key <> ''
   AND (k.data_source_id IS NULL OR k.body IS NULL AND k.attempts < @most::int AND k.claimed_until < clock_timestamp())
   AND NOT EXISTS (SELECT FROM data_facts n WHERE n.data_source_id = d.id AND n.work_key = d.work_key AND n.rules > @rules)
 ORDER BY d.updated_at DESC, d.id DESC LIMIT 1
ON CONFLICT (data_source_id, work_key, rules) DO UPDATE
   SET claim = excluded.claim, claimed_until = excluded.claimed_until, attempts = f.attempts + 1
 WHERE f.body IS NULL AND f.attempts < @most AND f.claimed_until < clock_timestamp()
RETURNING f.data_source_id, f.org_id, f.work_key, f.attempts;

-- name: FactsBefore :one
-- The facts of the file before the present one.
SELECT f.body::text AS body FROM data_facts f
 WHERE f.data_source_id = @data_source_id AND f.work_key <> @work_key AND f.body IS NOT NULL
 ORDER BY f.measured_at DESC LIMIT 1;

-- name: FactsFinish :execrows
-- Stores a result, if the claim is still the node's and the file still the source's.
UPDATE data_facts f
   SET body = CAST(@body::text AS jsonb), changes = CAST(@changes::text AS jsonb), measured_at = clock_timestamp(), claim = NULL
 WHERE f.data_source_id = @data_source_id AND f.work_key = @work_key AND f.rules = @rules AND f.claim = @claim::uuid AND f.body IS NULL
   AND EXISTS (SELECT FROM data_source d WHERE d.id = f.data_source_id AND d.work_key = f.work_key);

-- name: FactsChangesBefore :one
-- The changes that were kept with earlier rules of the same file.
SELECT f.changes::text AS changes FROM data_facts f
 WHERE f.data_source_id = @data_source_id AND f.work_key = @work_key AND f.rules < @rules AND f.body IS NOT NULL
 ORDER BY f.rules DESC LIMIT 1;

-- name: FactsForget :exec
-- Removes the facts of earlier files, and those of earlier rules.
DELETE FROM data_facts f
 WHERE f.data_source_id = @data_source_id AND (f.work_key <> @work_key OR f.rules < @rules);

-- name: FactsFail :exec
UPDATE data_facts
   SET claim = NULL, claimed_until = clock_timestamp() + make_interval(secs => @seconds::float8), attempts = attempts - @uncounted::int
 WHERE data_source_id = @data_source_id AND work_key = @work_key AND rules = @rules AND claim = @claim::uuid;

-- name: LinkFactsAgain :exec
-- Asks again for the links of a source whose file was replaced, with every source that it was measured with.
INSERT INTO data_link_facts (first_id, second_id, org_id, first_work_key, second_work_key, rules)
SELECT DISTINCT a.id, b.id, a.org_id, a.work_key, b.work_key, @rules::int
  FROM data_link_facts l
  JOIN data_source a ON a.id = l.first_id AND a.work_key <> ''
  JOIN data_source b ON b.id = l.second_id AND b.work_key <> ''
 WHERE (l.first_id = @data_source_id OR l.second_id = @data_source_id)
   AND NOT EXISTS (SELECT FROM data_link_facts n
                    WHERE n.first_id = a.id AND n.second_id = b.id AND n.first_work_key = a.work_key AND n.second_work_key = b.work_key
                      AND n.rules >= @rules)
ON CONFLICT DO NOTHING;

-- name: LinkFactsClaim :one
-- Claims the links of a pair whose two files are measured. A pair of files that are replaced is not measured any more.
UPDATE data_link_facts l
   SET claim = @claim::uuid, claimed_until = clock_timestamp() + make_interval(secs => @seconds::float8), attempts = l.attempts + 1
 WHERE (l.first_id, l.second_id, l.first_work_key, l.second_work_key, l.rules) = (
         SELECT k.first_id, k.second_id, k.first_work_key, k.second_work_key, k.rules
           FROM data_link_facts k
           JOIN data_source a ON a.id = k.first_id AND a.work_key = k.first_work_key
           JOIN data_source b ON b.id = k.second_id AND b.work_key = k.second_work_key
          WHERE k.body IS NULL AND k.rules = @rules::int AND k.attempts < @most::int AND k.claimed_until < clock_timestamp()
            AND EXISTS (SELECT FROM data_facts f WHERE f.data_source_id = a.id AND f.work_key = a.work_key AND f.body IS NOT NULL)
            AND EXISTS (SELECT FROM data_facts f WHERE f.data_source_id = b.id AND f.work_key = b.work_key AND f.body IS NOT NULL)
          ORDER BY k.asked_at LIMIT 1 FOR UPDATE OF k SKIP LOCKED)
RETURNING l.first_id, l.second_id, l.org_id, l.first_work_key, l.second_work_key, l.attempts;

-- name: LinkFactsBefore :one
-- The links of a pair before one of its files was replaced.
SELECT l.body::text AS body FROM data_link_facts l
 WHERE l.first_id = @first_id AND l.second_id = @second_id AND (l.first_work_key, l.second_work_key) <> (@first_work_key, @second_work_key)
   AND l.body IS NOT NULL
 ORDER BY l.asked_at DESC LIMIT 1;

-- name: LinkFactsFinish :execrows
UPDATE data_link_facts l SET body = CAST(@body::text AS jsonb), changes = CAST(@changes::text AS jsonb), claim = NULL
 WHERE l.first_id = @first_id AND l.second_id = @second_id AND l.first_work_key = @first_work_key AND l.second_work_key = @second_work_key
   AND l.rules = @rules AND l.claim = @claim::uuid AND l.body IS NULL
   AND EXISTS (SELECT FROM data_source d WHERE d.id = l.first_id AND d.work_key = l.first_work_key)
   AND EXISTS (SELECT FROM data_source d WHERE d.id = l.second_id AND d.work_key = l.second_work_key);

-- name: LinkFactsForget :exec
-- Removes the links of earlier files of a pair, and those of earlier rules.
DELETE FROM data_link_facts l
 WHERE l.first_id = @first_id AND l.second_id = @second_id
   AND ((l.first_work_key, l.second_work_key) <> (@first_work_key, @second_work_key) OR l.rules < @rules);

-- name: LinkFactsFail :exec
UPDATE data_link_facts
   SET claim = NULL, claimed_until = clock_timestamp() + make_interval(secs => @seconds::float8), attempts = attempts - @uncounted::int
 WHERE first_id = @first_id AND second_id = @second_id AND first_work_key = @first_work_key AND second_work_key = @second_work_key
   AND rules = @rules AND claim = @claim::uuid;

-- name: FactsSources :many
-- The data sources of a claimed measurement, for the engine.
SELECT id, org_id, name, work_key FROM data_source WHERE id = ANY(@ids::bigint[]) ORDER BY id;

-- name: FactsOf :one
-- The facts of a file with the latest rules, for the measurement of its links.
SELECT body::text AS body FROM data_facts
 WHERE data_source_id = @data_source_id AND work_key = @work_key AND body IS NOT NULL ORDER BY rules DESC LIMIT 1;
