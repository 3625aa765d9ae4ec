// Command taskdue makes a scheduled task due at once, for end-to-end tests: schedules have
// a resolution of half an hour, and tests cannot wait so long.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/jackc/pgx/v5"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: taskdue <database url> <task id>")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // stop is not needed before the exit
	}
}

func run(ctx context.Context, url, task string) error {
	db, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = db.Close(ctx) }() // the process ends after it
	tag, err := db.Exec(ctx, "UPDATE scheduled_task SET next_due_at = clock_timestamp() - interval '1 second' WHERE id = $1", task)
	if err != nil {
		return fmt.Errorf("make the task due: %w", err)
	}
	if tag.RowsAffected() != 1 {
		return fmt.Errorf("there is no task %s", task)
	}
	return nil
}
