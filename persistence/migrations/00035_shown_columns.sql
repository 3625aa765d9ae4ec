-- How the columns of a chart or table are shown: names in words, units, roles. A node of the previous
-- release neither reads nor writes it.

-- +goose Up
ALTER TABLE display_object ADD COLUMN columns json;

-- +goose Down
ALTER TABLE display_object DROP COLUMN columns;
