package main

// What the commands status and where share: a view of the database that changes nothing.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/commandline"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/embedded"
)

// viewTimeout is the time limit of one look at the database.
const viewTimeout = 5 * time.Second

// openView opens the database that the nodes use, which is all that is asked about the cluster: the
// commands must work while nodes are down, hang or run another release. So it never migrates and
// starts nothing. The caller closes the store.
func openView(ctx context.Context, p *program) (*persistence.Store, error) {
	c, err := loadConfig(p.getenv)
	if err != nil {
		return nil, commandline.Usage(err)
	}
	url := c.databaseURL
	if url == "" {
		url, err = embedded.RunningURL(filepath.Join(c.dataDir, "postgres"))
		if errors.Is(err, embedded.ErrNotRunning) {
			return nil, fmt.Errorf("no node runs with the data folder %s: name another one with PARLEY_DATA, or the database with DATABASE_URL",
				c.dataDir)
		}
		if err != nil {
			return nil, err
		}
	}
	store, err := persistence.Open(ctx, persistence.Config{URL: url, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return store, nil
}

// readMembers reads the members, within the time limit.
func readMembers(ctx context.Context, cluster domain.ClusterReader) ([]domain.MemberStatus, error) {
	ctx, cancel := context.WithTimeout(ctx, viewTimeout)
	defer cancel()
	members, err := cluster.MemberStatuses(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the members from the database: %w", reason(err))
	}
	return members, nil
}

// reason is the cause of an error, which operators may see.
func reason(err error) error {
	var known *domain.Error
	if errors.As(err, &known) && known.Unwrap() != nil {
		return known.Unwrap()
	}
	return err
}
