package integration_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors"
	"parley.dev/parley/analyst"
	"parley.dev/parley/internal/nodetest"
	"parley.dev/parley/persistence/persistencetest"
	"parley.dev/parley/shared"
)

// tally counts the turns of a node: all of them, and how many ran at the same time at most.
type tally struct {
	analyst.Runner

	all, now, most atomic.Int64
}

// Run implements analyst.Runner.
func (c *tally) Run(ctx context.Context, job *analyst.Job, sink analyst.Sink) error {
	c.all.Add(1)
	now := c.now.Add(1)
	defer c.now.Add(-1)
	for most := c.most.Load(); now > most && !c.most.CompareAndSwap(most, now); most = c.most.Load() {
	}
	return c.Runner.Run(ctx, job, sink)
}

// TestNodes_ManyTasksDue makes a thousand tasks of one organisation due in the same second. Their turns
// are spread over three nodes, and on each node over the time until there are places for them; each one
// runs once, and a place is left for others.
func TestNodes_ManyTasksDue(t *testing.T) { // G13, G17
	t.Parallel()
	const many, places, nodes = 1000, 24, 3
	url, dir, network := persistencetest.URL(t), t.TempDir(), nodetest.New(t)
	var tallies [nodes]tally
	var all [nodes]*node
	for i := range all {
		all[i] = startWithRedis(t, network, url, dir, fmt.Sprint("node-", i), 0, shared.Config{}, func(c *actors.Config) {
			tallies[i].Runner = c.Runner
			c.Runner, c.Limits.Turns = &tallies[i], places
		})
	}
	ben := all[0].as(t, persistencetest.Ben)
	b := ben.blueprint(map[string]any{"name": "Words", "steps": []map[string]any{
		{"name": "First", "detailed_instructions": "seed=1 tokens=2 rate=0", "analyst": ben.scriptedAgent()},
	}})
	first := ben.schedule(b)
	db, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close(context.WithoutCancel(t.Context()))) })
	_, err = db.Exec(t.Context(), "SET ROLE parley_engine")
	require.NoError(t, err)
	_, err = db.Exec(t.Context(), `INSERT INTO scheduled_task
		SELECT (json_populate_record(t, json_build_object('id', gen_random_uuid(), 'next_due_at', date_trunc('second', clock_timestamp())))).*
		  FROM scheduled_task t, generate_series(1, $2) WHERE t.id = $1`, first.ID, many)
	require.NoError(t, err)

	ended := map[string]int{}
	require.Eventually(t, func() bool {
		clear(ended)
		rows, err := db.Query(t.Context(), "SELECT status, count(*) FROM task_run GROUP BY status")
		require.NoError(t, err)
		for rows.Next() {
			var status string
			var n int
			require.NoError(t, rows.Scan(&status, &n))
			ended[status] = n
		}
		require.NoError(t, rows.Err())
		return ended["complete"] == many
	}, 2*patience, 200*time.Millisecond, "%v", ended)
	require.Len(t, ended, 1)
	total := 0
	for i := range tallies {
		n, most := int(tallies[i].all.Load()), int(tallies[i].most.Load())
		t.Logf("node %d: %d turns, %d at the same time", i, n, most)
		require.LessOrEqual(t, n*nodes*10, many*12, "no node makes more than its share and a fifth")
		require.LessOrEqual(t, most, places-places/8)
		total += n
	}
	require.Equal(t, many, total, "each one is made once")
}
