package actors

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// counts is a Meter that keeps what is reported to it. Its lock protects all fields.
type counts struct {
	mu      sync.Mutex
	lives   map[string]int
	claimed int
	ended   map[domain.TurnStatus]int
}

func (c *counts) meter() Meter {
	locked := func(do func()) {
		c.mu.Lock()
		defer c.mu.Unlock()
		do()
	}
	c.lives, c.ended = map[string]int{}, map[domain.TurnStatus]int{}
	return Meter{
		Lives:     func(kind string, n int) { locked(func() { c.lives[kind] = n }) },
		Claimed:   func() { locked(func() { c.claimed++ }) },
		TurnEnded: func(s domain.TurnStatus) { locked(func() { c.ended[s]++ }) },
	}
}

func (c *counts) living(kind string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lives[kind]
}

// The metrics show an operator which actors live on a node, and what the node has done.
func TestSystem_Meter(t *testing.T) {
	t.Parallel()
	var c counts
	b := setup(t, func(config *Config) { config.Meter = c.meter() })
	s, _ := b.connect(b.owner, hello)
	s.waitType(t, "session.ready")
	b.turnStatus(b.send("why?").TurnID, domain.TurnComplete)
	gate := b.runner.gate()
	b.runner.set(half(gate))
	b.send("and then?")
	_, err := b.system.Stop(context.Background(), b.owner, b.id)
	require.NoError(t, err)
	for _, kind := range []string{"conversation", "session", "connection"} {
		require.Equal(t, 1, c.living(kind), kind)
	}
	require.NoError(t, b.system.Shutdown(context.Background()))
	for _, kind := range []string{"conversation", "session", "connection"} {
		require.Zero(t, c.living(kind), kind)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	require.Equal(t, 1, c.claimed)
	require.Equal(t, map[domain.TurnStatus]int{domain.TurnComplete: 1, domain.TurnStopped: 1}, c.ended)
}
