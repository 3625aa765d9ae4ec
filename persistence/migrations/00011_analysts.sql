-- +goose Up
ALTER TABLE analyst
  ADD COLUMN picture        text NOT NULL DEFAULT '',
  ADD COLUMN settings       json NOT NULL DEFAULT '{}', -- how its specialists work
  ADD COLUMN connectors     bigint[] NOT NULL DEFAULT '{}',
  ADD COLUMN project_labels bigint[] NOT NULL DEFAULT '{}',
  ADD COLUMN version        integer NOT NULL DEFAULT 1;
CREATE INDEX analyst_owner ON analyst (owner_id) WHERE owner_id IS NOT NULL;

CREATE TABLE analyst_grant (
  analyst_id bigint NOT NULL REFERENCES analyst ON DELETE CASCADE,
  org_id     bigint NOT NULL,
  user_id    bigint REFERENCES app_user,
  team_id    bigint REFERENCES team,
  permission text NOT NULL DEFAULT 'read' CHECK (permission = 'read'),
  CHECK (num_nonnulls(user_id, team_id) = 1),
  UNIQUE (analyst_id, user_id),
  UNIQUE (analyst_id, team_id)
);
CREATE INDEX analyst_grant_user ON analyst_grant (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX analyst_grant_team ON analyst_grant (team_id) WHERE team_id IS NOT NULL;
SELECT tenant_table('analyst_grant');
GRANT SELECT, INSERT, UPDATE, DELETE ON analyst_grant TO parley_app;
GRANT INSERT, UPDATE, DELETE ON analyst TO parley_app;

-- The people who may use an agent: 1 read, 3 owner, and 0 for superusers of its organisation, who
-- administer all agents.
CREATE VIEW analyst_reader WITH (security_invoker = true) AS
  SELECT a.id AS analyst_id, a.owner_id AS user_id, 3 AS rank FROM analyst a WHERE a.owner_id IS NOT NULL
  UNION ALL
  SELECT a.id, u.id, 1 FROM analyst a JOIN app_user u ON u.org_id = a.org_id WHERE a.owner_id IS NULL
  UNION ALL
  SELECT g.analyst_id, g.user_id, 1 FROM analyst_grant g WHERE g.user_id IS NOT NULL
  UNION ALL
  SELECT g.analyst_id, t.user_id, 1 FROM analyst_grant g JOIN team_member t ON t.team_id = g.team_id
  UNION ALL
  SELECT a.id, u.id, 0 FROM analyst a JOIN app_user u ON u.org_id = a.org_id AND u.is_superuser;
GRANT SELECT ON analyst_reader TO parley_app, parley_engine;

-- +goose Down
DROP VIEW analyst_reader;
DROP TABLE analyst_grant;
REVOKE INSERT, UPDATE, DELETE ON analyst FROM parley_app;
DROP INDEX analyst_owner;
ALTER TABLE analyst DROP COLUMN picture, DROP COLUMN settings, DROP COLUMN connectors, DROP COLUMN project_labels, DROP COLUMN version;
