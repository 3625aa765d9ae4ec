package integration_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/provider/scripted"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/nodetest"
	"parley.dev/parley/persistence/persistencetest"
)

// TestNodes follows on one node what is written on the other, and then crashes the node that
// writes.
func TestNodes(t *testing.T) {
	t.Parallel()
	url, dir := persistencetest.URL(t), t.TempDir()
	network := nodetest.New(t)
	one := start(t, network, url, dir, "one", 0)
	anna := one.as(t, persistencetest.Anna)
	id := anna.create()
	anna.send(id, "seed=1 tokens=1 rate=0") // makes the first node its owner
	require.Eventually(t, func() bool { return !anna.get(id).IsStreaming }, patience, 20*time.Millisecond)
	two := start(t, network, url, dir, "two", 0)
	away := two.as(t, persistencetest.Anna)

	t.Run("G3", func(t *testing.T) {
		c := anna.get(id)
		here, there := newView(&c), newView(&c)
		s, far := anna.dial(here.cursor()), away.dial(there.cursor())
		body := away.prompt(id, "seed=3 tokens=100 rate=100 plan=5", "id", uuid.NewString())
		answers := concurrently(10, func(i int) answer {
			if i%2 == 0 {
				return anna.do("POST", "/discourse/user-text", body)
			}
			return away.do("POST", "/discourse/user-text", body)
		})
		turns := map[uuid.UUID]bool{}
		for _, a := range answers {
			var s sent
			a.into(t, 200, &s)
			turns[s.TurnID] = true
		}
		require.Len(t, turns, 1, "F40: a prompt sent through two nodes must be stored once")
		here.follow(t, s)
		there.follow(t, far)
		c = away.get(id)
		here.agrees(t, &c)
		there.agrees(t, &c)
	})
	t.Run("G10", func(t *testing.T) {
		anna.send(id, "seed=4 tokens=40000 rate=50")
		require.True(t, away.stop(id).Stopped)
		c := anna.get(id)
		require.False(t, c.IsStreaming)
		require.Equal(t, c, away.get(id))
	})
	t.Run("G7", func(t *testing.T) {
		type lost struct {
			name, prompt string
			status       domain.TurnStatus
			bytes        int // of the answer that must be seen before the node crashes
			id           uuid.UUID
			view         *view
		}
		all := []*lost{
			{name: "in the text", prompt: "seed=6 tokens=30000 rate=50", status: domain.TurnInterrupted, bytes: 100},
			{name: "before the first byte", prompt: "seed=5 tokens=3 rate=0 gate=first-byte", status: domain.TurnComplete},
		}
		// G10: if the response to a stop is lost with its node, another node answers the repeat.
		halted := createOn(t, one, anna)
		anna.send(halted, "seed=8 tokens=40000 rate=50")
		first := anna.stop(halted)
		require.True(t, first.Stopped)
		var plan *lostPlan
		for i, l := range all {
			if i == 1 {
				plan = planOn(t, one, anna) // its second step waits while the node crashes
				one.gates.close("first-byte")
			}
			l.id = createOn(t, one, anna)
			c := anna.get(l.id)
			l.view = newView(&c)
			s := anna.dial(l.view.cursor())
			anna.send(l.id, l.prompt)
			for frames := 0; frames < 2 || len(l.view.texts[l.view.open]) < l.bytes; frames++ {
				f, err := s.next()
				require.NoError(t, err)
				require.NoError(t, l.view.apply(f))
			}
		}
		one.crash()
		require.Equal(t, first, away.stop(halted))
		defer plan.checkContinues(t, away)
		for _, l := range all {
			name := l.name
			c := away.get(l.id)
			for _, m := range c.MessageSet {
				require.Equal(t, string(l.view.texts[m.ID]), m.Text[:len(l.view.texts[m.ID])], "%s: text that was shown is lost", name)
			}
			l.view.follow(t, away.dial(l.view.cursor()))
			require.Empty(t, l.view.over, name)
			c = away.get(l.id)
			l.view.agrees(t, &c)
			require.Equal(t, string(l.status), l.view.ended.Status, name)
			if l.bytes > 0 {
				require.Contains(t, scripted.Text(6, 30000), c.MessageSet[3].Text)
			}
			// G1: the epochs of the events never decrease.
			events, err := two.store.ConversationStore.Events(context.Background(), l.id, 0, 1000)
			require.NoError(t, err)
			for i := 1; i < len(events); i++ {
				require.LessOrEqual(t, events[i-1].Epoch, events[i].Epoch)
			}
			require.Greater(t, events[len(events)-1].Epoch, events[1].Epoch, "no node took over")
			away.send(l.id, "seed=7 tokens=1 rate=0") // the conversation is still usable
		}
	})
}

// createOn creates a conversation that the node owns. Its first prompt decides which node owns
// it, so createOn repeats until it is this one.
func createOn(t *testing.T, n *node, p *person) uuid.UUID {
	t.Helper()
	for {
		id := p.create()
		c := p.get(id)
		v := newView(&c)
		s := p.dial(v.cursor())
		p.send(id, "seed=1 tokens=1 rate=0")
		v.follow(t, s)
		require.NoError(t, s.conn.Close())
		home, err := n.store.ConversationStore.Home(t.Context(), id)
		require.NoError(t, err)
		if home == n.id {
			return id
		}
	}
}
