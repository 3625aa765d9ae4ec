package cluster

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"parley.dev/parley/domain"
)

// awaitName waits until no other process has this node's name, and returns an error if one that
// runs has it. Joining ends the lease of the earlier process of the name, so two processes with
// one name would end each other for ever.
//
// After a crash it does not wait, because the address of the earlier process refuses connections,
// or is this one's. If the address answers, or nothing comes back from it, the lease decides: it
// is renewed if that process runs, and has ended after the length of a lease otherwise.
func (m *membership) awaitName(ctx context.Context) error {
	first, err := m.namesake(ctx)
	if first == nil || err != nil {
		return err
	}
	m.log.LogAttrs(ctx, slog.LevelWarn, "a node with this node's name may still run: waiting for the end of its lease",
		slog.String("node", first.Node), slog.String("address", first.Address))
	for began := m.clock.Now(); m.clock.Now().Sub(began) < m.lease; {
		looked := make(chan struct{})
		timer := m.clock.AfterFunc(renewPause, func() { close(looked) })
		select {
		case <-looked:
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("wait for the name of the node: %w", ctx.Err())
		}
		now, err := m.namesake(ctx)
		switch {
		case err != nil:
			return err
		case now == nil:
			return nil
		case now.Node != first.Node || !now.ExpiresAt.Equal(first.ExpiresAt):
			return domain.Errorf(domain.CodeConflict, "the name %s belongs to another node that runs, at %s: give each node its own "+
				"name (PARLEY_NODE)", m.self.Name, now.Address)
		}
	}
	return nil
}

// namesake returns the member with this node's name that may run, or nil.
func (m *membership) namesake(ctx context.Context) (*domain.Member, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	members, err := m.store.Members(ctx)
	if err != nil {
		return nil, domain.Internal(err, "read the members")
	}
	i := slices.IndexFunc(members, func(x domain.Member) bool {
		return x.Name == m.self.Name && x.Node != m.self.Node && x.Left > 0
	})
	if i < 0 || members[i].Address == m.self.Address || refuses(ctx, members[i].Address) {
		return nil, nil //nolint:nilnil // there is none
	}
	return &members[i], nil
}
