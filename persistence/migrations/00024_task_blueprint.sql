-- +goose Up

-- When a blueprint is deleted, the tasks that run it are switched off.
CREATE INDEX scheduled_task_blueprint ON scheduled_task (blueprint_id);

-- +goose Down
DROP INDEX scheduled_task_blueprint;
