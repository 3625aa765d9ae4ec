-- name: SignInStates :many
-- Whether sign-ins have ended, by the clock of the database. One that does not exist has ended.
WITH wanted AS (
  SELECT unnest(@users::bigint[]) AS user_id, unnest(@keys::bytea[]) AS key
)
SELECT w.user_id::bigint AS user_id, w.key::bytea AS key,
       (s.user_id IS NOT NULL)::boolean AS is_known,
       coalesce(u.is_disabled OR s.ended_at IS NOT NULL
         OR s.active_at < clock_timestamp() - @idle::interval
         OR s.began_at < clock_timestamp() - @absolute::interval
         OR (NOT s.is_named AND s.began_at <= o.at IS TRUE), true)::boolean AS is_over,
       coalesce(s.active_at < clock_timestamp() - interval '1 minute', false)::boolean AS is_stale,
       coalesce(s.began_at, clock_timestamp())::timestamptz AS began_at
  FROM wanted w
  LEFT JOIN sign_in s ON s.user_id = w.user_id AND s.key = w.key
  LEFT JOIN app_user u ON u.id = w.user_id
  LEFT JOIN sign_out o ON o.user_id = w.user_id;

-- name: SignInInsert :exec
INSERT INTO sign_in (user_id, key, org_id, is_named, began_at)
VALUES (@user_id, @key, @org_id, @is_named, coalesce(sqlc.narg(began_at)::timestamptz, clock_timestamp()))
ON CONFLICT (user_id, key) DO NOTHING;

-- name: SignInTouch :exec
UPDATE sign_in SET active_at = clock_timestamp()
 WHERE user_id = @user_id AND key = @key AND ended_at IS NULL AND active_at < clock_timestamp() - interval '1 minute';

-- name: SignInReopen :execrows
-- Opens a sign-in again: the person authenticated again and the provider gave it the same name.
UPDATE sign_in SET began_at = @at::timestamptz, active_at = clock_timestamp(), ended_at = NULL
 WHERE user_id = @user_id AND key = @key AND began_at < @at::timestamptz AND coalesce(ended_at, active_at) < @at::timestamptz;

-- name: SignInEnd :exec
UPDATE sign_in SET ended_at = clock_timestamp() WHERE user_id = @user_id AND key = @key AND ended_at IS NULL;

-- name: SignOutNote :exec
INSERT INTO sign_out (user_id, org_id) VALUES (@user_id, @org_id)
ON CONFLICT (user_id) DO UPDATE SET at = excluded.at;

-- name: SignInPrune :execrows
-- Deletes a sign-in only long after its bearers are refused for their age, because a provider may
-- issue new ones under the old name.
DELETE FROM sign_in WHERE began_at < clock_timestamp() - interval '90 days';
