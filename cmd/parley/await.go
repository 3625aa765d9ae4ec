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

// awaitDatabase waits for a configured database that is unreachable, as it can be while a
// whole cluster starts. Meanwhile the operator's port reports that the node is alive and not
// ready.
func (n *node) awaitDatabase(ctx context.Context, url string) error {
	if n.c.databaseWait == 0 {
		// 0 leaves the first error to the opening of the database.
		return nil
	}
	var health *http.Server
	defer func() {
		if health != nil {
			_ = health.Close() // the node's own server needs the port
		}
	}()
	timeout := time.Duration(n.c.databaseWait) * time.Second
	err := persistence.Await(ctx, url, timeout, func(err error) {
		n.say("waiting up to %s for the database: %v", timeout, err)
		// It is called once, at the first try that fails: a database that is there costs no server.
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

// serveWaiting answers health checks until the node's own server does. It returns nil if the
// port is in use; the node's own server then fails to listen and reports it.
func (n *node) serveWaiting(ctx context.Context) *http.Server {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", n.c.operatorAddr)
	if err != nil {
		n.log.LogAttrs(ctx, slog.LevelWarn, "health is not served while the database is unreachable", slog.Any("error", err))
		return nil
	}
	s := &http.Server{
		Handler: waitingHandler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 10 * time.Second,
	}
	// The goroutine ends with Close, before the node's own server opens the port.
	go func() {
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			n.log.LogAttrs(ctx, slog.LevelWarn, "health is not served while the database is unreachable", slog.Any("error", err))
		}
	}()
	return s
}

// waitingHandler answers in the same way as package api does for a node whose database fails.
func waitingHandler() http.Handler {
	mux := http.NewServeMux()
	answer := func(path string, status int, result map[string]string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(result) // an error means that the client has disconnected
		})
	}
	answer("/healthz", http.StatusOK, map[string]string{"status": "ok"})
	answer("/readyz", http.StatusServiceUnavailable, map[string]string{"status": "not ready", "database": "failed"})
	return mux
}
