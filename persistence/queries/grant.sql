-- name: GranteesKnown :one
-- How many of the people and of the teams are there, and of the caller's organisation.
SELECT (SELECT count(*) FROM app_user WHERE id = ANY(@users::bigint[])) AS people,
       (SELECT count(*) FROM team WHERE id = ANY(@teams::bigint[])) AS teams;
