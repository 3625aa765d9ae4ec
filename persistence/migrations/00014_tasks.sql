-- +goose Up

-- next_due_at is set while the task is enabled and not archived. (epoch, activation) is its fence,
-- like that of a conversation. The blueprint is read when the task is due, and may be deleted before.
CREATE TABLE scheduled_task (
  id             uuid PRIMARY KEY,
  org_id         bigint NOT NULL REFERENCES organisation,
  owner_id       bigint NOT NULL REFERENCES app_user,
  name           text NOT NULL,
  blueprint_id   bigint NOT NULL,
  project_labels bigint[] NOT NULL DEFAULT '{}',
  frequency      text NOT NULL CHECK (frequency IN ('daily', 'weekly', 'monthly', 'annually')),
  time_zone      text NOT NULL,
  minute         integer NOT NULL CHECK (minute BETWEEN 0 AND 1439), -- of the day
  day_of_week    integer NOT NULL CHECK (day_of_week BETWEEN 0 AND 6), -- Sunday is 0
  day_of_month   integer NOT NULL CHECK (day_of_month BETWEEN 0 AND 31),
  month          integer NOT NULL CHECK (month BETWEEN 0 AND 12),
  is_enabled     boolean NOT NULL DEFAULT true,
  is_archived    boolean NOT NULL DEFAULT false,
  next_due_at    timestamptz CHECK (next_due_at IS NULL OR is_enabled AND NOT is_archived),
  version        integer NOT NULL DEFAULT 1,
  epoch          bigint NOT NULL DEFAULT 0,
  activation     uuid,
  node           text,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX scheduled_task_due ON scheduled_task (next_due_at) WHERE next_due_at IS NOT NULL;
CREATE INDEX scheduled_task_owner ON scheduled_task (owner_id, updated_at DESC, id DESC);
CREATE INDEX scheduled_task_organisation ON scheduled_task (org_id, updated_at DESC, id DESC);

-- A due time and its outcome: there is at most one row for each due time.
CREATE TABLE task_run (
  task_id         uuid NOT NULL REFERENCES scheduled_task ON DELETE CASCADE,
  due_at          timestamptz NOT NULL,
  org_id          bigint NOT NULL,
  status          text NOT NULL CHECK (status IN ('skipped', 'running', 'complete', 'stopped', 'interrupted', 'failed')),
  reason          text NOT NULL DEFAULT '',
  conversation_id uuid,
  turn_id         uuid,
  started_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at        timestamptz,
  PRIMARY KEY (task_id, due_at),
  CHECK ((status = 'running') = (ended_at IS NULL))
);
-- Only few runs are running at a time. The search for those that have ended reads only these.
CREATE INDEX task_run_running ON task_run (task_id) WHERE status = 'running';
CREATE UNIQUE INDEX task_run_turn ON task_run (turn_id) WHERE turn_id IS NOT NULL;

SELECT tenant_table('scheduled_task');
SELECT tenant_table('task_run');
GRANT SELECT, INSERT, UPDATE, DELETE ON scheduled_task TO parley_app;
GRANT SELECT, INSERT, UPDATE ON task_run TO parley_app;
GRANT SELECT ON turn_end TO parley_app;

-- +goose Down
REVOKE SELECT ON turn_end FROM parley_app;
DROP TABLE task_run, scheduled_task;
