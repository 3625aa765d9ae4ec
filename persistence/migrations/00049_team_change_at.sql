-- After a crash the server begins again at a lower number of transactions, if the highest ones had
-- not reached its disk. A reader that is ahead of it finds the newest changes by their time.
-- +goose NO TRANSACTION

-- +goose Up
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS team_change_at;
CREATE INDEX CONCURRENTLY team_change_at ON team_change (at);

-- +goose Down
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS team_change_at;
