-- The blueprint that a prompt named, so that the prompt can be repeated. It is no foreign key: the
-- prompt stays when the blueprint is deleted.

-- +goose Up
ALTER TABLE message ADD blueprint_id bigint NOT NULL DEFAULT 0; -- 0: none
UPDATE message m SET blueprint_id = (t.plan ->> 'blueprintId')::bigint
  FROM turn t WHERE t.plan IS NOT NULL AND m.id = t.prompt_id;

-- +goose Down
ALTER TABLE message DROP blueprint_id;
