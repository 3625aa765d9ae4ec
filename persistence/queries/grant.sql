-- name: GranteesKnown :one
-- How many of the given people and teams exist in the caller's organisation.
SELECT (SELECT count(*) FROM app_user WHERE id = ANY(@users::bigint[])) AS people,
       (SELECT count(*) FROM team WHERE id = ANY(@teams::bigint[])) AS teams;
