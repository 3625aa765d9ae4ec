package actors

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

func TestDrain(t *testing.T) { // G19, the part that this package implements
	t.Parallel()
	b := setup(t)
	s, c := b.connect(b.owner, hello)
	c.Receive(b.subscribeFrame(""))
	s.waitType(t, protocol.FrameSubscribed)
	gate := b.runner.gate()
	running := make(chan struct{})
	b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		close(running)
		if err := pass(ctx, gate); err != nil {
			return err
		}
		return say(ctx, s, "whole")
	})
	sent := b.send("why?")
	<-running
	done := make(chan error, 1)
	go func() { done <- b.system.Shutdown(context.Background()) }()
	require.Eventually(t, b.system.draining.On, patience, time.Millisecond)
	_, err := b.system.Connect(context.Background(), ConnectRequest{Caller: b.owner, Sink: &socket{}})
	require.Equal(t, domain.CodeUnavailable, domain.CodeOf(err))
	select {
	case err := <-done:
		t.Fatal("a drain did not wait for the turn", err)
	default:
	}
	close(gate)
	require.NoError(t, <-done)
	b.turnStatus(sent.TurnID, domain.TurnComplete)
	require.Equal(t, "whole ", b.answer().Text)
	require.Equal(t, 4503, s.code())
	home, err := b.store.Home(context.Background(), b.id)
	require.NoError(t, err)
	require.Empty(t, home)
}

// A turn that takes 40 seconds, with a drain that begins after two of them.
func TestDrain_LongTurn(t *testing.T) { // G19
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	b := setup(t, func(c *Config) { c.Clock = now })
	said, next := make(chan struct{}), make(chan struct{})
	const seconds = 40
	b.runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
		if err != nil {
			return err
		}
		for range seconds {
			if err := s.Delta(ctx, id, "word "); err != nil {
				return err
			}
			said <- struct{}{}
			if err := pass(ctx, next); err != nil {
				return err
			}
		}
		return s.Close(ctx, id)
	})
	sent := b.send("why?")
	done := make(chan error, 1)
	for second := range seconds {
		<-said
		if second == 2 {
			go func() { done <- b.system.Shutdown(context.Background()) }()
			require.Eventually(t, b.system.draining.On, patience, time.Millisecond)
		}
		now.Advance(time.Second)
		next <- struct{}{}
	}
	b.turnStatus(sent.TurnID, domain.TurnComplete)
	require.NoError(t, <-done)
	require.Equal(t, strings.Repeat("word ", seconds), b.answer().Text)
}
