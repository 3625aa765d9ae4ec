-- How people read the columns of a chart or table: names in words, units, roles.
-- A node of the release before does not write it and reads nothing of it.

-- +goose Up
ALTER TABLE display_object ADD COLUMN columns json;

-- +goose Down
ALTER TABLE display_object DROP COLUMN columns;
