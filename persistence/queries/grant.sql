-- name: GranteesKnown :one
-- How many of the given people and teams exist in the caller's organisation. A disabled person counts on
-- purpose: a grant that they have must be removable, and one that is added gives nothing until they are
-- active again. A query for a new owner, who must be active, adds NOT is_disabled (doc.go, Words).
SELECT (SELECT count(*) FROM app_user WHERE id = ANY(@users::bigint[])) AS people,
       (SELECT count(*) FROM team WHERE id = ANY(@teams::bigint[])) AS teams;
