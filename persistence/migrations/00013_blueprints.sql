-- +goose Up

-- What a turn that runs a blueprint has to do: a copy made when it starts.
ALTER TABLE turn ADD COLUMN plan json;

-- +goose Down
ALTER TABLE turn DROP COLUMN plan;
