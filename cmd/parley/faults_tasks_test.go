package main

// The fault of scheduled tasks: very many are due at the same moment, and a node dies then.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"syscall"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/internal/history"
)

const (
	manyTasks = 1000
	// dueIn is how long after their making the tasks are due, and lastStart how long after that the
	// last one may start.
	dueIn     = 3 * time.Second
	lastStart = 60 * time.Second * slower
)

// makeTasks makes tasks that are due at the same moment, so long from now. All run one blueprint.
func (l *load) makeTasks(ctx context.Context, many int, in time.Duration) (blueprintID int64, at time.Time, err error) {
	h := l.humans[0]
	var blueprint struct {
		ID int64 `json:"id"`
	}
	if err := l.get(ctx, h, http.MethodPost, "discourse/blueprints", map[string]any{
		"name": "Words", "steps": []map[string]any{{"name": "Words", "detailed_instructions": "seed=1 tokens=5 rate=0", "analyst": h.agent}},
	}, &blueprint); err != nil {
		return 0, at, err
	}
	var made struct {
		ID uuid.UUID `json:"id"`
	}
	if err := l.get(ctx, h, http.MethodPost, "discourse/scheduledtasks", map[string]any{
		"name": "Words", "icebreaker": blueprint.ID, "is_enabled": true,
		"schedule": map[string]any{"type": "cron", "time_zone": "Europe/Paris", "time": "9:30 AM"},
	}, &made); err != nil {
		return 0, at, err
	}
	// A thousand calls would take longer than the fault: the others are copies of the first one.
	if err := l.db.QueryRow(ctx, `WITH due AS (SELECT clock_timestamp() + make_interval(secs => $3) AS at),
	  copies AS (INSERT INTO scheduled_task
	    SELECT (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'next_due_at', due.at))).*
	      FROM scheduled_task t, due, generate_series(2, $2) WHERE t.id = $1)
	  UPDATE scheduled_task SET next_due_at = due.at FROM due WHERE id = $1 RETURNING next_due_at`,
		made.ID, many, in.Seconds()).Scan(&at); err != nil {
		return 0, at, fmt.Errorf("make the tasks: %w", err)
	}
	return blueprint.ID, at, nil
}

// awaitRuns waits until so many tasks of a blueprint have run.
func (l *load) awaitRuns(ctx context.Context, blueprint int64, many int) error {
	within, cancel := context.WithTimeout(ctx, lastStart)
	defer cancel()
	ended := 0
	if !waitUntil(within, func() bool {
		return l.db.QueryRow(ctx, "SELECT count(*) FROM task_run r JOIN scheduled_task t ON t.id = r.task_id WHERE t.blueprint_id = $1 AND "+
			"r.status <> 'running'", blueprint).Scan(&ended) == nil && ended >= many
	}) {
		return fmt.Errorf("%d of %d tasks have run, %s after they were due", ended, many, lastStart)
	}
	return nil
}

// dueMany makes many tasks due at once and kills a node while they are started.
func dueMany(ctx context.Context, l *load, random *rand.Rand) error {
	blueprint, due, err := l.makeTasks(ctx, manyTasks, dueIn)
	if err != nil {
		return err
	}
	wait(ctx, dueIn+time.Duration(random.IntN(2000))*time.Millisecond)
	owner, _, err := l.owner(ctx)
	if err != nil {
		return err
	}
	return errors.Join(owner.signal(syscall.SIGKILL), l.awaitRuns(ctx, blueprint, manyTasks), l.keepTasks(ctx, blueprint, due))
}

// keepTasks remembers the runs of the tasks for the checker, and removes the tasks.
func (l *load) keepTasks(ctx context.Context, blueprint int64, due time.Time) error {
	rows, err := l.db.Query(ctx, "SELECT t.id, array_remove(array_agg(r.started_at ORDER BY r.started_at), NULL) FROM scheduled_task t "+
		"LEFT JOIN task_run r ON r.task_id = t.id AND r.status <> 'skipped' WHERE t.blueprint_id = $1 GROUP BY 1", blueprint)
	if err != nil {
		return fmt.Errorf("read the runs of the tasks: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var started []time.Time
		task := history.StoredTask{Due: due.Sub(l.began).Nanoseconds()}
		if err := rows.Scan(&task.ID, &started); err != nil {
			return fmt.Errorf("read the runs of a task: %w", err)
		}
		for _, at := range started {
			task.Runs = append(task.Runs, at.Sub(l.began).Nanoseconds())
		}
		l.tasks = append(l.tasks, task)
	}
	return rows.Err()
}
