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
	// fewTasks is how many are due at the same moment otherwise. They start within healthyLate, and within deathLate if a
	// node dies then.
	fewTasks               = 6
	healthyLate, deathLate = 5 * time.Second, 15 * time.Second
	// dueIn is how long after their making the tasks are due, and lastStart how long after that the
	// last one may start.
	dueIn     = 3 * time.Second
	lastStart = 60 * time.Second
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
	within, cancel := context.WithTimeout(ctx, slower*lastStart)
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

// dueMany makes a few tasks due while all nodes are well, a few while a node dies, and then very many while one dies.
func dueMany(ctx context.Context, l *load, random *rand.Rand) error {
	for _, c := range []struct {
		what string
		many int
		dies bool
		late time.Duration
	}{
		{"a task starts with healthy nodes after", fewTasks, false, healthyLate},
		{"a task starts while a node dies after", fewTasks, true, deathLate},
		{"the last of 1,000 tasks starts after", manyTasks, true, lastStart},
	} {
		blueprint, due, err := l.makeTasks(ctx, c.many, dueIn)
		if err != nil {
			return err
		}
		if c.dies {
			// Up to a second before they are due, or after it.
			wait(ctx, dueIn-time.Second+2*shortly(random))
			owner, _, err := l.owner(ctx)
			if err != nil {
				return err
			}
			before := len(owner.ends())
			if err := errors.Join(owner.signal(syscall.SIGKILL), expectEnd(ctx, owner, before, killed)); err != nil {
				return err
			}
		}
		err = errors.Join(l.awaitRuns(ctx, blueprint, c.many), l.awaitReady(ctx))
		late, failed := l.keepTasks(ctx, blueprint, due)
		if err = errors.Join(err, failed, l.inTime(c.what, late, c.late)); err != nil {
			return err
		}
	}
	return nil
}

// keepTasks remembers the runs of the tasks for the checker, and returns how late the last one has started.
func (l *load) keepTasks(ctx context.Context, blueprint int64, due time.Time) (late time.Duration, err error) {
	rows, err := l.db.Query(ctx, "SELECT t.id, array_remove(array_agg(r.started_at ORDER BY r.started_at), NULL) FROM scheduled_task t "+
		"LEFT JOIN task_run r ON r.task_id = t.id AND r.status <> 'skipped' WHERE t.blueprint_id = $1 GROUP BY 1", blueprint)
	if err != nil {
		return 0, fmt.Errorf("read the runs of the tasks: %w", err)
	}
	defer rows.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	for rows.Next() {
		var started []time.Time
		task := history.StoredTask{Due: due.Sub(l.began).Nanoseconds()}
		if err := rows.Scan(&task.ID, &started); err != nil {
			return 0, fmt.Errorf("read the runs of a task: %w", err)
		}
		for _, at := range started {
			task.Runs = append(task.Runs, at.Sub(l.began).Nanoseconds())
			late = max(late, at.Sub(due))
		}
		l.tasks = append(l.tasks, task)
	}
	return late, rows.Err()
}
