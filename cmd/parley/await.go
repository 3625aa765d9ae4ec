package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"parley.dev/parley/persistence"
)

// awaitDatabase waits for a configured database that is away, as it is while all of a
// cluster starts. Meanwhile the operator's port says that the node lives and is not ready.
func (n *node) awaitDatabase(ctx context.Context, url string) error {
	if n.c.databaseWait == 0 {
		return nil
	}
	var health *http.Server
	defer func() {
		if health != nil {
			_ = health.Close() // the node's own server takes the port
		}
	}()
	most := time.Duration(n.c.databaseWait) * time.Second
	err := persistence.Await(ctx, url, most, func(err error) {
		n.say("waiting up to %s for the database: %v", most, err)
		health = n.serveWaiting(ctx)
	})
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	if health != nil {
		n.say("the database is there")
	}
	return nil
}

// serveWaiting answers health checks before the node's own server does; nil where the
// port is taken meanwhile, which that server then says.
func (n *node) serveWaiting(ctx context.Context) *http.Server {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", n.c.operatorAddr)
	if err != nil {
		n.log.LogAttrs(ctx, slog.LevelWarn, "health is not served while the database is away", slog.Any("error", err))
		return nil
	}
	s := &http.Server{
		Handler: waitingHandler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 10 * time.Second,
	}
	go func() {
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			n.log.LogAttrs(ctx, slog.LevelWarn, "health is not served while the database is away", slog.Any("error", err))
		}
	}()
	return s
}

// waitingHandler answers as api does for a node whose database fails.
func waitingHandler() http.Handler {
	mux := http.NewServeMux()
	answer := func(path string, status int, result map[string]string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(result) // who does not read it any more has gone
		})
	}
	answer("/healthz", http.StatusOK, map[string]string{"status": "ok"})
	answer("/readyz", http.StatusServiceUnavailable, map[string]string{"status": "not ready", "database": "failed"})
	return mux
}
