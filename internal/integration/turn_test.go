package integration_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

// concurrently calls f count times concurrently and returns all results.
func concurrently[T any](count int, f func(i int) T) []T {
	out := make([]T, count)
	var all sync.WaitGroup
	for i := range count {
		all.Go(func() { out[i] = f(i) })
	}
	all.Wait()
	return out
}

// guaranteeG4: a prompt that is sent several times with one id is stored once.
func guaranteeG4(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	t.Run("MessageID", func(t *testing.T) {
		t.Parallel()
		id := anna.create()
		body := anna.prompt(id, "seed=1 tokens=2 rate=0", "id", uuid.NewString())
		checkOnce(t, anna, id, body)
		other := anna.prompt(id, "something else", "id", body["message"].(map[string]any)["id"].(string))
		require.Equal(t, "message.id", anna.do("POST", "/discourse/user-text", other).refused(t, 422).Errors[0].Field)
	})
	t.Run("IdempotencyKey", func(t *testing.T) {
		t.Parallel()
		id := anna.create()
		body, key := anna.prompt(id, "seed=1 tokens=2 rate=0"), uuid.NewString()
		checkOnce(t, anna, id, body, "Idempotency-Key", key)
		anna.do("POST", "/discourse/user-text", anna.prompt(id, "something else"), "Idempotency-Key", key).refused(t, 422)
		elsewhere := anna.prompt(anna.create(), "seed=1 tokens=2 rate=0")
		anna.do("POST", "/discourse/user-text", elsewhere, "Idempotency-Key", key).refused(t, 422)
	})
}

func checkOnce(t *testing.T, p *person, id uuid.UUID, body map[string]any, header ...string) {
	t.Helper()
	turns := map[uuid.UUID]bool{}
	for _, a := range concurrently(20, func(int) answer { return p.do("POST", "/discourse/user-text", body, header...) }) {
		var s sent
		a.into(t, 200, &s)
		turns[s.TurnID] = true
	}
	require.Len(t, turns, 1)
	prompts := 0
	for _, m := range p.get(id).MessageSet {
		if m.Role == string(domain.RoleUser) {
			prompts++
		}
	}
	require.Equal(t, 1, prompts)
}

// faultF40: many tabs send the same prompt at the same time.
func faultF40(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	id := anna.create()
	body := anna.prompt(id, "seed=1 tokens=2 rate=0", "id", uuid.NewString())
	for range 3 {
		checkOnce(t, anna, id, body)
	}
}

// faultF41: a repeated creation or change takes effect once and returns the first response again.
func faultF41(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	twice := func(method, path string, body any, header ...string) {
		first := anna.do(method, path, body, header...)
		require.Less(t, first.status, 300, "%s", first.body)
		again := anna.do(method, path, body, header...)
		require.Equal(t, first.status, again.status, path)
		require.Equal(t, string(first.body), string(again.body), path)
	}
	key := uuid.NewString()
	twice("POST", "/discourse/conversations", map[string]any{"name": "Once"}, "Idempotency-Key", key)
	anna.do("POST", "/discourse/conversations", map[string]any{"name": "Another"}, "Idempotency-Key", key).refused(t, 422)

	id := anna.create()
	anna.send(id, "seed=1 tokens=40000 rate=50")
	twice("POST", "/analyst/process-control/stop-process-in-redis", map[string]any{"conversation_id": id})
	prompt := anna.get(id).MessageSet[0].ID
	twice("POST", "/discourse/conversations/"+id.String()+"/rewind", map[string]any{"message_id": prompt})
	twice("POST", "/discourse/conversations/"+id.String()+"/read", map[string]any{})
	twice("POST", "/user/me/keep-alive", map[string]any{})

	// Repeating the rewind does not remove a prompt that was sent after it.
	anna.send(id, "seed=1 tokens=2 rate=0")
	anna.do("POST", "/discourse/conversations/"+id.String()+"/rewind", map[string]any{"message_id": prompt}).refused(t, 404)
}

// guaranteeG6: a turn that fails reports it, and each turn ends exactly once.
func guaranteeG6(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	for directive, status := range map[string]domain.TurnStatus{
		"tokens=5":             domain.TurnComplete,
		"fault=401":            domain.TurnFailed,
		"fault=loop":           domain.TurnFailed,
		"fault=cut@50":         domain.TurnInterrupted,
		"fault=panic":          domain.TurnFailed,
		"fault=split":          domain.TurnComplete,
		"query=\"SELECT 1\"":   domain.TurnComplete,
		"fault=tool times=1":   domain.TurnComplete,
		"calls=2 tokens=3":     domain.TurnComplete,
		"tokens=0 plan=3":      domain.TurnComplete,
		"fault=500 times=1":    domain.TurnComplete,
		"fault=args times=1":   domain.TurnComplete,
		"fault=garbage tokens": "",
	} {
		t.Run(directive, func(t *testing.T) {
			t.Parallel()
			anna := n.as(t, anna.email)
			id := anna.create()
			c := anna.get(id)
			v := newView(&c)
			s := anna.dial(v.cursor())
			anna.send(id, "seed=6 rate=0 "+directive)
			v.follow(t, s)
			if status != "" {
				require.Equal(t, string(status), v.ended.Status, v.ended.Reason)
			}
			c = anna.get(id)
			v.agrees(t, &c)
			require.False(t, c.IsStreaming)
			for _, m := range c.MessageSet {
				require.NotEqual(t, string(domain.MessageStreaming), m.Status)
			}
			events, err := n.store.ConversationStore.Events(context.Background(), id, 0, 1000)
			require.NoError(t, err)
			ends := 0
			for i, e := range events {
				require.Equal(t, int64(i+1), e.Seq)
				if e.Type == domain.EventStreamingComplete {
					ends++
				}
			}
			require.Equal(t, 1, ends)
		})
	}
}

// guaranteeG10: after a stop has returned, nothing more is written by the turn.
func guaranteeG10(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	t.Run("NothingRuns", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, stopped{}, anna.stop(anna.create()))
	})
	races(t, n, func(t *testing.T, anna *person, r *race) {
		t.Helper()
		answers := concurrently(3, func(int) stopped { return anna.stop(r.id) })
		c := anna.get(r.id)
		r.settle(t, func(v *view) bool { return v.ended != nil })
		require.Equal(t, c, anna.get(r.id), "something was written after the stop")
		r.view.agrees(t, &c)
		for _, a := range answers {
			require.Equal(t, r.view.ended.Status, a.Status)
			require.Equal(t, a.Status == string(domain.TurnStopped), a.Stopped)
			if a.Stopped {
				require.Equal(t, r.prompt, a.LastMessage.ID)
			}
		}
	})
}

// guaranteeG11: a rewind removes messages permanently, also while a turn is running.
func guaranteeG11(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	t.Run("StaleParent", func(t *testing.T) {
		t.Parallel()
		id := anna.create()
		first := anna.send(id, "seed=1 tokens=40000 rate=50")
		anna.rewind(id, first.Message.ID)
		p := anna.do("POST", "/discourse/user-text", anna.prompt(id, "more", "parentMessageId", first.Message.ID.String())).refused(t, 409)
		require.NotNil(t, p.Head)
		require.Nil(t, p.Head.MessageID)
		require.Equal(t, anna.get(id).Head, p.Head.Seq)
	})
	races(t, n, func(t *testing.T, anna *person, r *race) {
		t.Helper()
		got := anna.rewind(r.id, r.prompt)
		require.Empty(t, got.MessageSet)
		require.Contains(t, got.Text, "seed=")
		require.Equal(t, int64(2), got.Generation)
		// A subscription that was just being made may receive a reset instead.
		r.settle(t, func(v *view) bool { return v.rewound || v.over == protocol.FrameReset })
		c := anna.get(r.id)
		require.Empty(t, c.MessageSet, "a message is left after the rewind")
		require.Equal(t, got.Head, c.Head)
		anna.send(r.id, "seed=1 tokens=1 rate=0")
	})
}

// guaranteeG12: a deleted conversation stays deleted.
func guaranteeG12(t *testing.T, n *node) {
	t.Helper()
	races(t, n, func(t *testing.T, anna *person, r *race) {
		t.Helper()
		anna.do("DELETE", "/discourse/conversations/"+r.id.String()+"?push_to_redis=true", nil).into(t, 204, nil)
		anna.do("GET", "/discourse/conversations/"+r.id.String(), nil).refused(t, 404)
		r.settle(t, func(v *view) bool { return v.over != "" })
		anna.do("GET", "/discourse/conversations/"+r.id.String(), nil).refused(t, 404)
		anna.do("GET", "/discourse/messages/"+r.prompt.String(), nil).refused(t, 404)
		anna.do("POST", "/discourse/user-text", anna.prompt(r.id, "again")).refused(t, 404)
	})
}

// faultF52: a stop, a rewind and a send at the same time take effect in one order.
func faultF52(t *testing.T, n *node) {
	t.Helper()
	races(t, n, func(t *testing.T, anna *person, r *race) {
		t.Helper()
		concurrently(3, func(i int) answer {
			switch i {
			case 0:
				return anna.do("POST", "/analyst/process-control/stop-process-in-redis", map[string]any{"conversation_id": r.id})
			case 1:
				return anna.do("POST", "/discourse/conversations/"+r.id.String()+"/rewind", map[string]any{"message_id": r.prompt})
			default:
				return anna.do("POST", "/discourse/user-text", anna.prompt(r.id, "seed=5 tokens=5 rate=100"))
			}
		})
		anna.stop(r.id)
		c := anna.get(r.id)
		r.settle(t, func(v *view) bool { return v.seq >= c.Head || v.over == protocol.FrameReset })
		require.False(t, c.IsStreaming)
		if r.view.over != "" {
			return
		}
		r.view.agrees(t, &c)
	})
}

// guaranteeG20: a model call is counted once; the end of the turn and the conversation report
// the same credits.
func guaranteeG20(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	id := anna.create()
	c := anna.get(id)
	v := newView(&c)
	s := anna.dial(v.cursor())
	anna.send(id, "seed=1 tokens=100 rate=0")
	v.follow(t, s)
	require.Positive(t, v.ended.Credits)
	var read struct {
		Credits float64 `json:"credits"`
	}
	anna.do("GET", "/discourse/conversations/"+id.String(), nil).into(t, 200, &read)
	require.InDelta(t, v.ended.Credits, read.Credits, 1e-9)
}

// race is a conversation with a running turn, and a client that follows its stream.
type race struct {
	id, prompt uuid.UUID
	view       *view
	socket     *socket
	anna       *person
}

// races runs f against turns that are about to begin, to produce text or to end.
func races(t *testing.T, n *node, f func(*testing.T, *person, *race)) {
	t.Helper()
	for i := range 25 {
		t.Run(fmt.Sprintf("Race%d", i), func(t *testing.T) {
			t.Parallel()
			anna := n.as(t, persistencetest.Anna)
			r := &race{id: anna.create(), anna: anna}
			c := anna.get(r.id)
			r.view = newView(&c)
			r.socket = anna.dial(r.view.cursor())
			r.prompt = anna.send(r.id, fmt.Sprintf("seed=%d tokens=%d rate=200 plan=%d", i, 1+4*i, i%3)).Message.ID
			// The number of frames, and not a time, decides how far the turn is when f runs.
			for range i % 9 {
				if r.view.ended == nil {
					r.read(t)
				}
			}
			f(t, anna, r)
		})
	}
}

// settle reads frames until said returns true, and then for longer than the turn needs for
// its next word: text of the turn must not arrive any more.
func (r *race) settle(t *testing.T, said func(*view) bool) {
	t.Helper()
	for !said(r.view) {
		r.read(t)
	}
	for {
		f, err := r.socket.within(100 * time.Millisecond)
		if err != nil {
			return
		}
		if f.Stream == r.id.String() {
			require.NotEqual(t, protocol.FrameDelta, f.Type, "text arrived after the turn was cut")
		}
		require.NoError(t, r.view.apply(f))
	}
}

func (r *race) read(t *testing.T) {
	t.Helper()
	f, err := r.socket.next()
	require.NoError(t, err)
	require.NoError(t, r.view.apply(f))
}
