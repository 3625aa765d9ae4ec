package actors

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/fakes"
)

func TestPoison(t *testing.T) { // G18, F45
	t.Parallel()
	t.Run("RequestIsSetAside", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		tries := 0
		b.journal.OnSubmit(func(w *domain.Write) {
			if len(w.Messages) > 0 && w.Messages[0].Text == "poison" {
				tries++
				panic("poison")
			}
		})
		s, c := b.connect(b.owner, hello)
		c.Receive(b.subscribeFrame(""))
		s.waitType(t, protocol.FrameSubscribed)
		p := b.prompt("poison")
		_, err := b.system.Send(context.Background(), b.owner, p)
		require.Equal(t, domain.CodeInternal, domain.CodeOf(err))
		require.Equal(t, 3, tries)
		_, err = b.system.Send(context.Background(), b.owner, p)
		require.Equal(t, domain.CodeInternal, domain.CodeOf(err))
		require.Equal(t, 3, tries, "a refused request is not tried again")
		sent := b.send("and now?")
		b.turnStatus(sent.TurnID, domain.TurnComplete)
		s.waitFor(t, "the conversation goes on", func(f protocol.Frame) bool {
			return f.Type == "conversation.streaming-complete" && f.Stream == b.id.String()
		})
	})
	t.Run("TurnFails", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.journal.OnSubmit(func(w *domain.Write) {
			for _, step := range w.Steps {
				if step.Name == "poison" {
					panic("poison")
				}
			}
		})
		b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
			if err := say(ctx, s, "kept"); err != nil {
				return err
			}
			return s.StepFinished(ctx, domain.Step{Number: 1, Kind: domain.StepTool, Name: "poison"}, nil)
		})
		sent := b.send("why?")
		b.turnStatus(sent.TurnID, domain.TurnFailed)
		b.runner.set(nil)
		again := b.send("and now?")
		b.turnStatus(again.TurnID, domain.TurnComplete)
		b.store.Look(b.id, func(c *fakes.Conversation) { require.Len(t, c.Turns, 2) })
	})
	// The third failure is the last one, and also ends the turn, which may be its cause: this
	// turn would continue after each failure.
	t.Run("TurnFailsWithTheRequest", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		tries := 0
		b.journal.OnSubmit(func(w *domain.Write) {
			if w.Update != nil && w.Update.Description != nil {
				tries++
				panic("poison")
			}
		})
		begun, gate := make(chan struct{}, poisonTries), b.runner.gate()
		b.runner.set(func(ctx context.Context, j *analyst.Job, s analyst.Sink) error {
			if len(j.Finished) == 0 {
				if err := s.StepFinished(ctx, domain.Step{Number: 1, Kind: domain.StepTool, Name: "kept"}, nil); err != nil {
					return err
				}
			}
			begun <- struct{}{}
			return pass(ctx, gate)
		})
		sent := b.send("why?")
		<-begun
		err := b.system.Change(context.Background(), b.owner, b.id, domain.ConversationUpdate{Description: ptr("poison")})
		require.Equal(t, domain.CodeInternal, domain.CodeOf(err))
		require.Equal(t, poisonTries, tries)
		b.turnStatus(sent.TurnID, domain.TurnFailed)
		b.runner.set(nil)
		again := b.send("and now?")
		b.turnStatus(again.TurnID, domain.TurnComplete)
	})
	// If not even the end of the turn can be handled, the owner gives up, because it must not
	// retry without end. The node activates the conversation again later, so that the turn
	// ends when that is possible, although the lease is still valid and no request arrives.
	t.Run("OwnerGivesUp", func(t *testing.T) {
		t.Parallel()
		// The clock is stopped, so that the test decides when the owner comes back.
		now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		b := setup(t, func(c *Config) { c.Clock = now })
		var poisoned atomic.Bool
		var tries atomic.Int32
		poisoned.Store(true)
		b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
			return s.StepFinished(ctx, domain.Step{Number: 1, Kind: domain.StepTool, Name: "poison"}, nil)
		})
		b.journal.OnSubmit(func(w *domain.Write) {
			if poisoned.Load() && (len(w.Steps) > 0 || w.TurnEnd != nil) {
				tries.Add(1)
				panic("poison")
			}
		})
		sent := b.send("why?")
		b.gone()
		require.LessOrEqual(t, tries.Load(), int32(2*poisonTries+1))
		poisoned.Store(false)
		b.runner.set(nil)
		require.Eventually(t, func() bool {
			now.Advance(time.Second)
			done := false
			b.store.Look(b.id, func(c *fakes.Conversation) {
				done = c.Turns[0].ID == sent.TurnID && c.Turns[0].Status == domain.TurnComplete
			})
			return done
		}, patience, 10*time.Millisecond)
	})
}

// broken is a socket whose code panics inside the connection's own actor.
type broken struct{ socket }

func (*broken) TryWrite([][]byte) ([][]byte, error) { panic("a broken transport") }

// A panic in one connection closes that socket, and nothing else.
func TestConnection_Panic(t *testing.T) { // G18
	t.Parallel()
	b := setup(t)
	s := &broken{}
	neighbour, _ := b.connect(b.owner, hello)
	c, err := b.system.Connect(context.Background(), ConnectRequest{Caller: b.owner, Sink: s})
	require.NoError(t, err)
	c.Receive([]byte(hello))
	s.waitClosed(t, domain.DisconnectInternal.Code)
	neighbour.waitType(t, protocol.FrameSessionReady)
	require.Zero(t, neighbour.code())
}

// gone waits until this node has no owner of the conversation.
func (b *bundle) gone() {
	b.t.Helper()
	system := b.system.c.ActorSystem
	require.Eventually(b.t, func() bool {
		_, there := system.ProcessRegistry.Get(actor.NewPID(system.Address(), kindConversation+"/"+b.id.String()))
		return !there
	}, patience, time.Millisecond)
}

// A claim whose answer got lost may have made this node the owner; if the store is then
// unreachable, no request arrives, and the lease is still valid, the node activates the
// conversation again without a request.
func TestRecovery_ClaimWithoutAnswer(t *testing.T) { // G6, G7, F19
	t.Parallel()
	b := setup(t, func(c *Config) { c.Limits.Sweep = 5 * time.Millisecond })
	gate := b.runner.gate()
	begun := make(chan struct{}, 2)
	b.runner.set(func(ctx context.Context, _ *analyst.Job, _ analyst.Sink) error {
		begun <- struct{}{}
		return pass(ctx, gate)
	})
	sent := b.send("why?")
	<-begun
	var claims atomic.Int32
	b.store.SetErr(func(op string, _ uuid.UUID) error {
		if op == "claimed" && claims.Add(1) <= 3 {
			return errors.New("the answer got lost")
		}
		return nil
	})
	b.runner.set(nil)
	// The owner stops without handling the turn, as after a panic that was not caught. Then
	// no actor is left that could end the turn.
	system := b.system.c.ActorSystem
	system.Root.Stop(actor.NewPID(system.Address(), kindConversation+"/"+b.id.String()))
	b.turnStatus(sent.TurnID, domain.TurnComplete)
	require.Equal(t, int32(4), claims.Load())
}

// poisonTries is how often a message may fail.
const poisonTries = 3
