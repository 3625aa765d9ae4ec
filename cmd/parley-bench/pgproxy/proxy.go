package pgproxy

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"parley.dev/parley/internal/startstop"
)

// socketName is the name of the socket file that a Postgres client expects in a folder.
const socketName = ".s.PGSQL.5432"

// Config of a Proxy.
type Config struct {
	// Database is the address of the server to which messages are forwarded. Required.
	Database string

	// Application selects the connections whose statements are recorded, by the
	// application_name that the client sets. Empty means all connections.
	Application string

	// Logger receives the errors with which connections end. Nil discards them.
	Logger *slog.Logger
}

// Proxy listens on a socket file that only this account can access, and asks for no
// password there. It connects to the server with the Config's address.
type Proxy struct {
	cfg      Config
	upstream *pgconn.Config
	dir      string
	url      string
	listener net.Listener
	stop     context.CancelFunc
	done     chan struct{} // closed when all connections have ended

	life startstop.Guard

	// mu guards the fields below: the goroutines of all connections use them.
	mu       sync.Mutex
	on       bool
	recorded []execution
}

// Start starts a proxy that listens. Stop stops it.
func Start(ctx context.Context, cfg Config) (*Proxy, error) {
	if cfg.Database == "" {
		panic("pgproxy: Config.Database is required")
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	upstream, err := pgconn.ParseConfig(cfg.Database)
	if err != nil {
		return nil, errors.New("the address of the database is not understood")
	}
	// MkdirTemp makes folders of mode 700.
	dir, err := os.MkdirTemp("", "parley-pgproxy-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the proxy: %w", err)
	}
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "unix", filepath.Join(dir, socketName))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen: %w", err), os.RemoveAll(dir))
	}
	// The proxy runs until Stop, even if the context that it was started with ends.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	p := &Proxy{
		cfg: cfg, upstream: upstream, dir: dir, listener: listener, stop: stop, done: make(chan struct{}),
		url: (&url.URL{
			Scheme: "postgres", User: url.User(upstream.User), Path: "/" + upstream.Database,
			RawQuery: url.Values{"host": {dir}, "port": {"5432"}, "sslmode": {"disable"}}.Encode(),
		}).String(),
	}
	return p, p.life.Start(func() error {
		go p.accept(running)
		return nil
	})
}

// URL returns the address of the database through the proxy.
func (p *Proxy) URL() string { return p.url }

// Stop closes all connections and waits for them to end. It is safe to call twice.
func (p *Proxy) Stop() error {
	return p.life.Stop(func() error {
		p.stop()
		err := p.listener.Close()
		<-p.done
		return errors.Join(err, os.RemoveAll(p.dir))
	})
}

// accept serves connections until the listener is closed.
func (p *Proxy) accept(ctx context.Context) {
	defer close(p.done)
	var running errgroup.Group
	for {
		client, err := p.listener.Accept()
		if err != nil {
			break
		}
		running.Go(func() error {
			if err := p.serve(ctx, client); err != nil && ctx.Err() == nil {
				p.cfg.Logger.LogAttrs(ctx, slog.LevelWarn, "a connection of the proxy ended", slog.Any("error", err))
			}
			return nil
		})
	}
	_ = running.Wait() // each connection has logged its error
}

// Record calls f and returns the statements that clients ran during the call, in order.
// Only one recording may be made at a time.
func (p *Proxy) Record(ctx context.Context, f func() error) ([]Statement, error) {
	p.mu.Lock()
	p.on, p.recorded = true, nil
	p.mu.Unlock()
	err := f()
	p.mu.Lock()
	p.on = false
	recorded := p.recorded
	p.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return p.statements(ctx, recorded)
}

// note records a statement. It is called before the statement is sent to the server.
func (p *Proxy) note(e execution) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.on {
		p.recorded = append(p.recorded, e)
	}
}
