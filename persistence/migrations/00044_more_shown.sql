-- What is shown of agents, data sources, memories, blueprints, projects and tasks, for all the
-- queries that read such rows, as in 00038. What is a person's own of a row (rank, favourite,
-- counts) stays in the queries.
--
-- A view keeps the columns that it was made with. They come after those of the owner, so that a
-- migration that adds a column makes the view again with the same text, by CREATE OR REPLACE VIEW.

-- +goose Up
CREATE VIEW analyst_shown WITH (security_invoker = true) AS
  SELECT o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture, a.*
    FROM analyst a LEFT JOIN app_user o ON o.id = a.owner_id;

CREATE VIEW data_source_shown WITH (security_invoker = true) AS
  SELECT o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture, d.*
    FROM data_source d JOIN app_user o ON o.id = d.owner_id;

CREATE VIEW memory_shown WITH (security_invoker = true) AS
  SELECT o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture, t.specialist, s.name AS source, m.*
    FROM memory m
    JOIN memory_type t ON t.id = m.type_id
    JOIN memory_source s ON s.id = m.source_id
    LEFT JOIN app_user o ON o.id = m.owner_id;

CREATE VIEW blueprint_shown WITH (security_invoker = true) AS
  SELECT o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture, b.*
    FROM blueprint b LEFT JOIN app_user o ON o.id = b.owner_id;

-- Projects that are not deleted.
CREATE VIEW project_label_shown WITH (security_invoker = true) AS
  SELECT o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture, l.*
    FROM project_label l JOIN app_user o ON o.id = l.owner_id
   WHERE l.deleted_at IS NULL;

CREATE VIEW task_shown WITH (security_invoker = true) AS
  SELECT o.uuid AS owner_uuid, o.full_name AS owner_name, o.picture AS owner_picture,
         EXISTS (SELECT FROM blueprint b WHERE b.id = t.blueprint_id) AS has_blueprint, t.*
    FROM scheduled_task t JOIN app_user o ON o.id = t.owner_id;

GRANT SELECT ON analyst_shown, data_source_shown, memory_shown, blueprint_shown, project_label_shown, task_shown
  TO parley_app, parley_engine;

-- +goose Down
DROP VIEW task_shown, project_label_shown, blueprint_shown, memory_shown, data_source_shown, analyst_shown;
