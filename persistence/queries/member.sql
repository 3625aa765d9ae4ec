-- name: MemberForget :exec
-- Deletes the earlier incarnations of a name. Members of other names that are dead are deleted by the
-- nodes that have seen no renewal of theirs for the length of a lease (MemberDeclareDead): the clock
-- of the database may have been changed, so it does not decide this.
DELETE FROM cluster_member WHERE name = @name AND node <> @node;

-- name: MemberJoin :exec
INSERT INTO cluster_member (node, name, incarnation, address, load, expires_at)
VALUES (@node, @name, @incarnation, @address, @load, clock_timestamp() + @lease::interval)
ON CONFLICT (node) DO UPDATE SET address = excluded.address, load = excluded.load, expires_at = excluded.expires_at;

-- name: MemberRenew :execrows
-- A row whose lease has ended is renewed as well: if the clock of the database was set forward, all
-- leases end at once although no member is dead. A dead member has no row.
UPDATE cluster_member SET load = @load, expires_at = clock_timestamp() + @lease::interval
 WHERE node = @node;

-- name: MemberLeave :exec
DELETE FROM cluster_member WHERE node = $1;

-- name: MemberDeclareDead :execrows
-- Deletes a member, unless its lease was renewed since it was read.
DELETE FROM cluster_member WHERE node = @node AND expires_at = @expires_at;

-- name: MemberList :many
SELECT node, name, incarnation, address, load, expires_at,
       extract(epoch FROM expires_at - clock_timestamp())::double precision AS seconds_left,
       (drain_asked_at IS NOT NULL)::bool AS drain_asked
  FROM cluster_member ORDER BY node;

-- name: MemberAskToDrain :execrows
-- The first request counts.
UPDATE cluster_member SET drain_asked_at = coalesce(drain_asked_at, clock_timestamp()) WHERE node = @node;

-- name: MemberReport :exec
UPDATE cluster_member SET report = @report, reported_at = clock_timestamp() WHERE node = @node;

-- name: MemberStatuses :many
-- The report and the request to drain are read from the row as JSON, so that the query also works before
-- the migrations that add their columns, and after one that takes them away: operators ask also while
-- releases differ.
SELECT m.node, m.name, m.incarnation, m.address, m.load, m.expires_at,
       extract(epoch FROM m.expires_at - clock_timestamp())::double precision AS seconds_left,
       coalesce(to_jsonb(m) ->> 'report', '')::text AS report,
       coalesce(extract(epoch FROM clock_timestamp() - (to_jsonb(m) ->> 'reported_at')::timestamptz), 0)::double precision AS seconds_since,
       (to_jsonb(m) ->> 'drain_asked_at' IS NOT NULL)::bool AS drain_asked
  FROM cluster_member m ORDER BY m.name, m.node;
