package actors

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// crowd is a node with one slot for turns, and more conversations of its people.
type crowd struct {
	*bundle

	begun chan string // the prompts of turns, in the order in which they begin
	next  chan struct{}
	waits chan int
}

func newCrowd(t *testing.T, change ...func(*Config)) *crowd {
	t.Helper()
	c := &crowd{begun: make(chan string, 100), next: make(chan struct{}), waits: make(chan int, 1000)}
	c.bundle = setup(t, append([]func(*Config){func(conf *Config) {
		conf.Limits.Turns = 1
		conf.Meter.TurnsWaiting = func(n int) { c.waits <- n }
	}}, change...)...)
	c.runner.set(func(ctx context.Context, j *analyst.Job, s analyst.Sink) error {
		c.begun <- j.Prompt.Text
		if err := pass(ctx, c.next); err != nil {
			return err
		}
		return say(ctx, s, "done")
	})
	return c
}

// asks sends a prompt of a person in a new conversation of an organisation, and waits until its turn begins,
// or waits for a slot.
func (c *crowd) asks(org, user int64, text string, waiting int) (conversation, turn uuid.UUID) {
	c.t.Helper()
	id := domain.NewID()
	c.store.AddConversation(id, org, user)
	caller := domain.Caller{UserID: user, UserUUID: uuid.New(), OrganisationID: org, FullName: "x"}
	c.store.AddUser(user, caller.UserUUID)
	sent, err := c.system.Send(context.Background(), caller, domain.Prompt{Conversation: id, Message: domain.NewID(), Text: text})
	require.NoError(c.t, err)
	if waiting > 0 {
		require.Equal(c.t, waiting, <-c.waits)
	}
	return id, sent.TurnID
}

func (c *crowd) status(conversation, turn uuid.UUID, want domain.TurnStatus) domain.Turn {
	c.t.Helper()
	before := c.id
	c.id = conversation
	defer func() { c.id = before }()
	return c.turnStatus(turn, want)
}

// Turns that find no slot wait, and begin in turn for each organisation and person.
func TestTurn_WaitsForAPlace(t *testing.T) { // G17
	t.Parallel()

	t.Run("InTurn", func(t *testing.T) {
		t.Parallel()
		c := newCrowd(t)
		c.asks(1, 7, "a1", 0)
		require.Equal(t, "a1", <-c.begun)
		c.asks(1, 7, "a2", 1)
		c.asks(1, 7, "a3", 2)
		c.asks(1, 9, "b", 3)
		conversation, turn := c.asks(2, 20, "other", 4)
		var order []string
		for range 4 {
			c.next <- struct{}{}
			order = append(order, <-c.begun)
		}
		require.Equal(t, []string{"other", "b", "a2", "a3"}, order)
		c.status(conversation, turn, domain.TurnComplete)
		c.next <- struct{}{}
	})

	t.Run("AndIsStoppedMeanwhile", func(t *testing.T) {
		t.Parallel()
		c := newCrowd(t)
		c.asks(1, 7, "first", 0)
		<-c.begun
		conversation, turn := c.asks(1, 7, "stopped", 1)
		_, last := c.asks(1, 7, "last", 2)
		_, err := c.system.Stop(context.Background(), domain.Caller{UserID: 7, OrganisationID: 1}, conversation)
		require.NoError(t, err)
		c.status(conversation, turn, domain.TurnStopped)
		require.Equal(t, 1, <-c.waits, "its request for a slot is withdrawn")
		c.next <- struct{}{}
		require.Equal(t, "last", <-c.begun)
		c.next <- struct{}{}
		require.NotEqual(t, uuid.Nil, last)
	})

	t.Run("NotForEver", func(t *testing.T) {
		t.Parallel()
		now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		c := newCrowd(t, func(conf *Config) {
			conf.Clock, conf.Limits.FirstByte, conf.Limits.Turn = now, time.Hour, time.Minute
		})
		c.asks(1, 7, "first", 0)
		<-c.begun
		conversation, turn := c.asks(1, 7, "waits", 1)
		// The slot goes to another organization, whose turn lasts longer than the first one waits.
		now.Advance(50 * time.Second)
		c.asks(2, 20, "other", 2)
		c.next <- struct{}{}
		require.Equal(t, "other", <-c.begun)
		done := make(chan domain.Turn, 1)
		go func() { done <- c.status(conversation, turn, domain.TurnFailed) }()
		require.Eventually(t, func() bool { now.Advance(time.Second); return len(done) > 0 }, patience, time.Millisecond)
		require.Equal(t, "Too many answers are being made now. Please try again later.", (<-done).Reason)
		c.next <- struct{}{}
	})
}
