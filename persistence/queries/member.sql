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
       extract(epoch FROM expires_at - clock_timestamp())::double precision AS seconds_left
  FROM cluster_member ORDER BY node;
