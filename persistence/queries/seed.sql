-- name: SeedLock :exec
-- The lock makes two processes seed the same database one after the other.
SELECT pg_advisory_xact_lock(hashtext('parley-seed'));

-- name: SeedOrganisation :one
INSERT INTO organisation (name) VALUES (@name)
ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id;

-- name: SeedUser :one
-- Of an existing person, only the name changes.
INSERT INTO app_user (uuid, org_id, email, full_name, picture, is_superuser, scheduled_task_view, upload_credentials)
VALUES (@uuid, @org_id, @email, @full_name, @picture, @is_superuser, @scheduled_task_view, @upload_credentials)
ON CONFLICT (lower(email)) DO UPDATE SET full_name = excluded.full_name
RETURNING id, org_id;

-- name: SeedTeam :one
INSERT INTO team (org_id, name) VALUES (@org_id, @name)
ON CONFLICT (org_id, name) DO UPDATE SET name = excluded.name RETURNING id;

-- name: SeedTeamMember :exec
INSERT INTO team_member (team_id, user_id, org_id) VALUES (@team_id, @user_id, @org_id) ON CONFLICT DO NOTHING;

-- name: SeedAnalyst :exec
-- An existing agent stays as people changed it, but it is switched on if the sample is. A default
-- agent that people renamed is still the default one.
INSERT INTO analyst (org_id, name, description, controller, provider, model, instructions, is_enabled, is_default)
SELECT @org_id, @name, @description, @controller, @provider, @model, @instructions, @is_enabled, @is_default
 WHERE NOT (@is_default AND EXISTS (SELECT FROM analyst a WHERE a.org_id = @org_id AND a.is_default))
ON CONFLICT (org_id, name) DO UPDATE SET is_enabled = analyst.is_enabled OR excluded.is_enabled;

-- name: SeedDataSource :one
-- No row if the sample exists already or was deleted.
INSERT INTO data_source (org_id, owner_id, name, description, type, scope, file_name, file_key, work_key, size, seed)
SELECT @org_id, @owner_id, @name, @description, @type, @scope, @file_name, @file_key, @work_key, @size, @seed::text
 WHERE NOT EXISTS (SELECT FROM deleted_sample x WHERE x.org_id = @org_id AND x.seed = @seed::text)
ON CONFLICT (org_id, seed) DO NOTHING
RETURNING id;

-- name: SeedGrant :exec
INSERT INTO data_source_grant (data_source_id, org_id, user_id, permission) VALUES (@data_source_id, @org_id, @user_id::bigint, 'read')
ON CONFLICT DO NOTHING;

-- name: SeedHasDataSource :one
-- Whether a sample exists or was deleted: a deleted sample is not seeded again.
SELECT (EXISTS (SELECT FROM data_source d JOIN organisation o ON o.id = d.org_id WHERE o.name = @organisation AND d.seed = @seed::text)
    OR EXISTS (SELECT FROM deleted_sample x JOIN organisation o ON o.id = x.org_id WHERE o.name = @organisation
      AND x.seed = @seed::text))::boolean;
