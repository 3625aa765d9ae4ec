package main

// The state that nodes share and can lose (ADR 7): rates, seats, presence and hints.

import (
	"context"
	"fmt"

	"parley.dev/parley/shared"
)

// openShared opens the state that nodes share outside the database and that can be lost. A
// Redis that does not answer does not prevent a node from starting.
func (n *node) openShared(ctx context.Context) error {
	// Parts of conversations that Redis keeps are encrypted, with the keys of people's secrets.
	keys, err := n.c.keys()
	if err != nil {
		return err
	}
	n.shared, err = shared.Open(ctx, shared.Config{
		URL: n.c.redisURL, Keys: keys, Metrics: n.registry, Logger: n.log,
		// While Redis is away each node enforces its share of a limit (shared.Rates).
		Nodes: func() int { return len(n.member.Members()) },
	})
	if err != nil {
		return fmt.Errorf("REDIS_URL: %w", err)
	}
	n.running.started("leave what nodes share", quietly(n.shared.Close))
	return nil
}
