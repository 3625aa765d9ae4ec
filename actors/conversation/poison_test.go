package conversation

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/fakes"
)

// Old failures do not count: a message is refused because of failures within a short time,
// and may be tried again a minute later.
func TestQuarantine(t *testing.T) { // G18
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var q quarantine
	for n := 1; n <= poisonTimes; n++ {
		require.False(t, q.barred("send", now))
		require.Equal(t, n, q.failed("send", now))
		now = now.Add(20 * time.Second)
	}
	now = now.Add(-20 * time.Second)
	require.True(t, q.barred("send", now))
	require.False(t, q.barred("stop", now), "the failures of one message do not count for another")
	now = now.Add(20 * time.Second)
	require.False(t, q.barred("send", now), "the first failure is a minute old")
	require.Equal(t, poisonTimes, q.failed("send", now))
	require.True(t, q.barred("send", now))
}

// The failures of all messages share one limit: the oldest ones are forgotten, and a message
// that fails now is still refused.
func TestQuarantine_Room(t *testing.T) { // G17, G18
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var q quarantine
	for range poisonTimes {
		q.failed("send", now)
	}
	for i := range poisonKept - 1 {
		now = now.Add(time.Millisecond)
		q.failed(fmt.Sprint(i), now)
	}
	require.True(t, q.barred("send", now))
	q.failed("one more", now)
	require.Len(t, q.failures, poisonKept)
	require.False(t, q.barred("send", now), "the one that failed longest ago")
	q.failed("later", now.Add(poisonWithin))
	require.Len(t, q.failures, 1, "failures that no longer count are dropped")
}

// Requests are identified by their content and their caller, and by nothing else.
func TestKey(t *testing.T) { // G18
	t.Parallel()
	ada, ben := &protocol.Caller{UserId: 7}, &protocol.Caller{UserId: 8}
	name := func(s string) *string { return &s }
	here, there := protocol.NewTarget("a", "a:1", "x"), protocol.NewTarget("b", "b:1", "y")
	at, later := &protocol.Cursor{Seq: 1}, &protocol.Cursor{Seq: 2}
	same := [][2]any{
		{&protocol.Change{Caller: ada, Name: name("x")}, &protocol.Change{Caller: ada, Name: name("x")}},
		{&protocol.Subscribe{Caller: ada, Target: here, Ticket: 1, Cursor: at}, &protocol.Subscribe{
			Caller: ada, Target: there, Ticket: 2,
			Cursor: at,
		}},
	}
	for _, p := range same {
		require.Equal(t, key(p[0]), key(p[1]))
	}
	different := []any{
		&protocol.Change{Caller: ada, Name: name("x")},
		&protocol.Change{Caller: ada, Name: name("y")},
		&protocol.Change{Caller: ada, Description: name("x")},
		&protocol.Change{Caller: ben, Name: name("x")},
		&protocol.Subscribe{Caller: ada, Cursor: at},
		&protocol.Subscribe{Caller: ada, Cursor: later},
		&protocol.Subscribe{Caller: ben, Cursor: at},
		&protocol.StopTurn{Caller: ada},
		&protocol.Delete{Caller: ada},
		&protocol.SendPrompt{Caller: ada, Text: "why?"},
		&protocol.SendPrompt{Caller: ada, Text: "what?"},
	}
	seen := map[string]any{}
	for _, m := range different {
		require.NotContains(t, seen, key(m), "%v", m)
		seen[key(m)] = m
	}
}

// panics is a log handler that reports panics.
type panics struct{ heard chan string }

func (panics) Enabled(context.Context, slog.Level) bool { return true }

func (p panics) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "a conversation's handler panicked" {
		p.heard <- r.Message
	}
	return nil
}

func (p panics) WithAttrs([]slog.Attr) slog.Handler { return p }
func (p panics) WithGroup(string) slog.Handler      { return p }

// A panic that is caused by one reader's cursor blocks that reader and no other. The running
// answer continues, because no read has changed it.
func TestActor_PanicOfARead(t *testing.T) { // G18
	t.Parallel()
	ben := domain.Caller{UserID: 8, UserUUID: domain.NewID(), OrganisationID: 1, FullName: "Ben"}
	heard := panics{make(chan string, 100)}
	a := newAlone(t, func(c *Config) { c.Logger = slog.New(heard) })
	a.store.AddUser(ben.UserID, ben.UserUUID)
	a.store.Grant(a.id, ben.UserID, domain.PermissionRead)
	sent, ok := a.ask(a.prompt("why?")).(*protocol.SendAnswer)
	require.True(t, ok)
	require.Nil(t, sent.Failure)
	started := <-a.turns
	now := &protocol.Cursor{}
	a.in(func() { now.Seq = a.actor.state.Head() })
	before := &protocol.Cursor{Seq: now.Seq - 1}
	// While broken is set no reader can be admitted.
	broken := func(broken bool) {
		a.in(func() {
			a.actor.readers.system = a.system
			if broken {
				a.actor.readers.system = nil
			}
		})
	}
	broken(true)
	for range 2 * poisonTimes {
		require.Equal(t, protocol.Subscription_MOVED, a.reads(ben, before).Outcome)
	}
	require.Len(t, heard.heard, poisonTimes, "then the request is refused")
	broken(false)
	require.Equal(t, protocol.Subscription_MOVED, a.reads(ben, before).Outcome, "it is refused for a while")
	require.Equal(t, protocol.Subscription_LIVE, a.reads(ben, now).Outcome, "another cursor is another request")
	// The owner's right is known without a read, so this panic does not happen in the
	// continuation of a read.
	broken(true)
	require.Equal(t, protocol.Subscription_MOVED, a.reads(a.owner, before).Outcome)
	require.Len(t, heard.heard, poisonTimes+1)
	broken(false)
	require.Equal(t, protocol.Subscription_LIVE, a.reads(a.owner, now).Outcome)

	require.Empty(t, a.ended, "the answer continues")
	require.Empty(t, a.turns)
	stopped, ok := a.ask(&protocol.StopTurn{Caller: protocol.FromCaller(a.owner)}).(*protocol.StopAnswer)
	require.True(t, ok)
	require.Nil(t, stopped.Failure)
	require.True(t, stopped.Stopped)
	a.store.Look(a.id, func(c *fakes.Conversation) {
		require.Equal(t, int64(1), c.Epoch, "it was not claimed again")
		require.Len(t, c.Turns, 1)
		require.Equal(t, started.Turn.ID, c.Turns[0].ID)
		require.Equal(t, domain.TurnStopped, c.Turns[0].Status)
	})
	a.in(func() { require.Len(t, a.actor.readers.audience.Here(), 2, "a reader that was refused is not kept") })
}

// Requests that have waited for the claim together with one that panics are served.
func TestActor_PanicAmongTheWaiting(t *testing.T) { // G18
	t.Parallel()
	heard := panics{make(chan string, 100)}
	claims := &heldClaim{came: make(chan struct{}, 10), open: make(chan struct{})}
	a := newAlone(t, func(c *Config) {
		c.Logger = slog.New(heard)
		claims.ConversationStore = c.Store
		c.Store = claims
	})
	a.wait(claims.came)
	asked := make([]chan any, 3)
	for i := range asked {
		asked[i] = make(chan any, 1)
	}
	request := func(i int, r any) {
		f := a.system.Root.RequestFuture(a.pid, r, patience)
		go func() {
			answer, err := f.Result()
			if err != nil {
				answer = err
			}
			asked[i] <- answer
		}()
	}
	request(0, &protocol.Wake{})
	request(1, (*protocol.Change)(nil)) // whose fields cannot be read
	request(2, &protocol.Wake{})
	a.in(func() { require.Len(t, a.actor.stash, 3) })
	close(claims.open)
	require.Equal(t, &protocol.Done{}, <-asked[0])
	require.Equal(t, &protocol.Done{}, <-asked[2])
	require.Equal(t, string(domain.CodeInternal), (<-asked[1]).(*protocol.Done).Failure.Code)
	a.store.Look(a.id, func(c *fakes.Conversation) { require.Equal(t, int64(1), c.Epoch) })
}

// heldClaim is a store whose claims wait until the test releases them.
type heldClaim struct {
	domain.ConversationStore
	came, open chan struct{}
}

func (s *heldClaim) Claim(ctx context.Context, id, activation uuid.UUID, node string, silent []string) (*domain.Claim, error) {
	s.came <- struct{}{}
	<-s.open
	return s.ConversationStore.Claim(ctx, id, activation, node, silent)
}
