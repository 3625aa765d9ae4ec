-- name: UsersBySubject :many
SELECT sqlc.embed(u), o.name AS organisation
  FROM (SELECT unnest(@issuers::text[]) AS issuer, unnest(@subjects::text[]) AS subject) k
  JOIN app_user u ON u.issuer = k.issuer AND u.subject = k.subject
  JOIN organisation o ON o.id = u.org_id;

-- name: UserBindEmail :execrows
-- Binds a person to the subject of the first sign-in. The person must have no subject yet.
UPDATE app_user SET issuer = @issuer::text, subject = @subject::text
 WHERE lower(email) = lower(@email::text) AND subject IS NULL;

-- name: UserMoveIssuer :exec
-- The same provider at another address: the people stay the same.
UPDATE app_user SET issuer = @moved::text WHERE issuer = @issuer::text;

-- name: UserGet :one
-- @batch
SELECT sqlc.embed(u), o.name AS organisation
  FROM app_user u JOIN organisation o ON o.id = u.org_id
 WHERE u.id = $1;

-- name: UserByEmail :one
SELECT sqlc.embed(u), o.name AS organisation
  FROM app_user u JOIN organisation o ON o.id = u.org_id
 WHERE lower(u.email) = lower(@email::text);

-- name: UserTouch :execrows
UPDATE app_user SET last_seen_at = clock_timestamp() WHERE id = $1 AND NOT is_disabled;

-- name: GranteeList :many
-- @batch @total
-- People first, then teams. Only active members are offered; GranteesKnown also accepts disabled ones.
SELECT e.type, e.id, e.name, e.picture, e.place, count(*) OVER () AS total
  FROM (SELECT 'user'::text AS type, u.id, u.full_name AS name, u.picture, 0 AS place FROM app_user u
         WHERE NOT u.is_disabled AND (@pattern::text = '' OR u.full_name ILIKE @pattern)
        UNION ALL
        SELECT 'team'::text, t.id, t.name, ''::text, 1 FROM team t WHERE (@pattern::text = '' OR t.name ILIKE @pattern)) e
 ORDER BY e.place, e.name, e.id
 LIMIT @size::bigint OFFSET @skip::bigint;

-- name: UserNextSeq :one
-- Takes the next seq of a person's own log. The row stays locked until the transaction ends, so the
-- log has no gap.
UPDATE app_user SET next_seq = next_seq + 1 WHERE id = $1
RETURNING (next_seq - 1)::bigint AS seq, uuid, session_node;

-- name: UserEventInsert :exec
INSERT INTO user_event (user_id, seq, org_id, type, data, at) VALUES ($1, $2, $3, $4, $5, $6);
