-- name: TenantEnter :exec
-- @batch @call
-- Sets the organisation of the transaction, for row level security.
SELECT set_config('app.org_id', $1::text, true);
