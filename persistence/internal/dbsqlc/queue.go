// Package dbsqlc is made from persistence/queries. What sqlc writes is changed by
// batchgen: a query marked "-- @batch" has a method of Batch in place of one of
// Queries. This file is written by hand.
package dbsqlc

import "github.com/jackc/pgx/v5"

// Batch is a group of queries that go to the server in one round trip. Each query
// marked for it has a method that takes its parameters and a place for its rows; the
// place is filled when the batch is sent, before the close of its results returns.
type Batch struct{ pgx.Batch }

// queueOne takes the first row of a query; into becomes nil when there is none.
func queueOne[T any](b *Batch, into **T, places func(*T) []any, sql string, args ...any) {
	b.Queue(sql, args...).Query(func(rows pgx.Rows) error {
		list, err := collect(rows, places)
		*into = nil
		if len(list) > 0 {
			*into = &list[0]
		}
		return err
	})
}

// queueMany takes all rows of a query.
func queueMany[T any](b *Batch, into *[]T, places func(*T) []any, sql string, args ...any) {
	b.Queue(sql, args...).Query(func(rows pgx.Rows) error {
		list, err := collect(rows, places)
		*into = list
		return err
	})
}

// collect reads rows into one T, whose places are worked out once, and copies it for
// each. It starts empty each time, so that no two rows share what a field points to.
func collect[T any](rows pgx.Rows, places func(*T) []any) ([]T, error) {
	var row, empty T
	to := places(&row)
	list := []T{}
	for rows.Next() {
		row = empty
		if err := rows.Scan(to...); err != nil {
			return nil, err //nolint:wrapcheck // wrapped by the caller of the batch
		}
		list = append(list, row)
	}
	return list, rows.Err()
}
