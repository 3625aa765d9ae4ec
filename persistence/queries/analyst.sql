-- name: AnalystGet :one
SELECT sqlc.embed(a), u.uuid AS owner_uuid, u.full_name AS owner_name, u.picture AS owner_picture
  FROM analyst a LEFT JOIN app_user u ON u.id = a.owner_id
 WHERE a.id = $1;

-- name: AnalystDefault :one
SELECT sqlc.embed(a), u.uuid AS owner_uuid, u.full_name AS owner_name, u.picture AS owner_picture
  FROM analyst a LEFT JOIN app_user u ON u.id = a.owner_id
 WHERE a.org_id = $1 AND a.is_default;

-- name: AnalystList :many
SELECT sqlc.embed(a), u.uuid AS owner_uuid, u.full_name AS owner_name, u.picture AS owner_picture,
       coalesce(p.is_favorite, false) AS is_favorite
  FROM analyst a
  LEFT JOIN app_user u ON u.id = a.owner_id
  LEFT JOIN analyst_person p ON p.analyst_id = a.id AND p.user_id = @user_id
 WHERE a.is_enabled OR NOT @only_enabled::boolean
 ORDER BY a.is_default DESC, a.name, a.id
 LIMIT @size::bigint OFFSET @skip::bigint;

-- name: AnalystCount :one
SELECT count(*) FROM analyst a WHERE a.is_enabled OR NOT @only_enabled::boolean;
