package integration_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors"
	"parley.dev/parley/internal/nodetest"
	"parley.dev/parley/persistence/persistencetest"
	"parley.dev/parley/shared"
)

// rolling is a cluster of three nodes with short times, whose nodes are restarted.
type rolling struct {
	t       *testing.T
	url     string
	network *nodetest.Network
	dir     string
	nodes   [3]*node
	held    []*gate
}

// follower is a reader of a conversation, through one of the nodes.
type follower struct {
	id     uuid.UUID
	view   *view
	socket *socket
	node   int
}

// begin starts a node, again after its end. Turns with gate=held wait on it.
func (r *rolling) begin(i int) {
	r.t.Helper()
	r.nodes[i] = startWithRedis(r.t, r.network, r.url, r.dir, fmt.Sprint("node-", i), 1500*time.Millisecond, shared.Config{},
		func(c *actors.Config) {
			c.Limits.Rebalance, c.Limits.Rest = 1500*time.Millisecond, time.Second
		})
	r.held = append(r.held, r.nodes[i].gates.close("held"))
}

func (r *rolling) anna(i int) *person { return r.nodes[i].as(r.t, persistencetest.Anna) }

// owners returns which node owns each conversation, and the epochs.
func (r *rolling) owners() (nodes map[uuid.UUID]string, epochs map[uuid.UUID]int64) {
	r.t.Helper()
	db, err := pgx.Connect(r.t.Context(), r.url)
	require.NoError(r.t, err)
	defer func() { require.NoError(r.t, db.Close(r.t.Context())) }()
	rows, err := db.Query(r.t.Context(), "SELECT id, coalesce(node, ''), epoch FROM conversation WHERE epoch > 0")
	require.NoError(r.t, err)
	nodes, epochs = map[uuid.UUID]string{}, map[uuid.UUID]int64{}
	for rows.Next() {
		var id uuid.UUID
		var node string
		var epoch int64
		require.NoError(r.t, rows.Scan(&id, &node, &epoch))
		nodes[id], epochs[id] = node, epoch
	}
	require.NoError(r.t, rows.Err())
	return nodes, epochs
}

// even waits until each node owns no more than its share and a fifth, and none is empty.
func (r *rolling) even(all []*follower) {
	r.t.Helper()
	var counts map[string]int
	require.Eventually(r.t, func() bool {
		nodes, _ := r.owners()
		counts = map[string]int{}
		for _, f := range all {
			counts[nodes[f.id]]++
		}
		for _, n := range r.nodes {
			if c := counts[n.id]; c == 0 || c*len(r.nodes)*10 > 12*len(all) {
				return false
			}
		}
		return counts[""] == 0
	}, patience, 50*time.Millisecond, "%v", counts)
	r.t.Logf("%v", counts)
}

// TestNodes_RollingRestart restarts three nodes one after the other. Afterwards none is empty: idle
// conversations have moved to the one that came back last, and their readers see no gap. Turns that run
// meanwhile stay where they are.
func TestNodes_RollingRestart(t *testing.T) { // G1, G8, G19
	t.Parallel()
	r := &rolling{t: t, url: persistencetest.URL(t), dir: t.TempDir(), network: nodetest.New(t)}
	for i := range r.nodes {
		r.begin(i)
	}
	all := make([]*follower, 30)
	for i := range all {
		f := &follower{node: i % len(r.nodes)}
		anna := r.anna(f.node)
		f.id = anna.create()
		c := anna.get(f.id)
		f.view = newView(&c)
		f.socket = anna.dial(f.view.cursor())
		anna.send(f.id, "seed=1 tokens=3 rate=0")
		f.view.follow(t, f.socket)
		all[i] = f
	}
	r.even(all)

	var before map[uuid.UUID]string
	var epochs map[uuid.UUID]int64
	for i := range r.nodes {
		r.nodes[i].leave()
		for _, f := range all {
			if f.node != i {
				continue
			}
			// What came before the socket was closed counts, as in a client.
			for {
				got, err := f.socket.next()
				if err != nil {
					break
				}
				require.NoError(t, f.view.apply(got))
			}
			f.node = (i + 1) % len(r.nodes)
			f.socket = r.anna(f.node).dial(f.view.cursor())
		}
		if i == len(r.nodes)-1 {
			// These run while the node comes back and the others let go.
			for _, f := range all[:6] {
				f.view.ended = nil
				r.anna(0).send(f.id, "seed=2 tokens=3 rate=0 gate=held")
			}
			// The others let go as soon as they see the node again.
			before, epochs = r.owners()
		}
		r.begin(i)
	}
	r.even(all)
	now, after := r.owners()
	moved := 0
	for i, f := range all {
		if i < 6 {
			require.Equal(t, before[f.id], now[f.id], "a running turn stays")
			require.Equal(t, epochs[f.id], after[f.id])
		} else if before[f.id] != now[f.id] {
			moved++
		}
	}
	require.Positive(t, moved, "the node that came back last gets its share from the others")

	for _, g := range r.held {
		close(g.open)
	}
	for i, f := range all {
		anna := r.anna(f.node)
		if i >= 6 {
			f.view.ended = nil
			anna.send(f.id, "seed=3 tokens=3 rate=0")
		}
		f.view.follow(t, f.socket)
		require.Empty(t, f.view.over)
		require.Equal(t, "complete", f.view.ended.Status)
		c := anna.get(f.id)
		f.view.agrees(t, &c)
		require.Len(t, c.MessageSet, 4, "two prompts and two answers, each once")
		events, err := r.nodes[0].store.ConversationStore.Events(t.Context(), f.id, 0, 1000)
		require.NoError(t, err)
		for j := 1; j < len(events); j++ {
			require.LessOrEqual(t, events[j-1].Epoch, events[j].Epoch)
		}
	}
}
