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
)

// socketName is the file that a client of Postgres looks for in a folder.
const socketName = ".s.PGSQL.5432"

// Config of a Proxy.
type Config struct {
	// Database is the address of the server that is passed on to. Required.
	Database string

	// Application names the connections whose statements are recorded, by the
	// application_name that the client gives them. Empty: all.
	Application string

	// Logger hears of connections that end with an error. Nil discards it.
	Logger *slog.Logger
}

// Proxy listens on a socket file that only this account reaches, and asks nobody for a
// password there. It signs in at the server by the Config's address.
type Proxy struct {
	cfg      Config
	upstream *pgconn.Config
	dir      string
	url      string
	listener net.Listener
	stop     context.CancelFunc
	done     chan struct{} // closed when all connections have ended

	// mu guards what follows: each connection notes what passes.
	mu       sync.Mutex
	on       bool
	recorded []execution
}

// Start begins to listen. Stop ends it.
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
	// The proxy outlives the context that it was started under.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	p := &Proxy{
		cfg: cfg, upstream: upstream, dir: dir, listener: listener, stop: stop, done: make(chan struct{}),
		url: (&url.URL{
			Scheme: "postgres", User: url.User(upstream.User), Path: "/" + upstream.Database,
			RawQuery: url.Values{"host": {dir}, "port": {"5432"}, "sslmode": {"disable"}}.Encode(),
		}).String(),
	}
	go p.accept(running)
	return p, nil
}

// URL is the address of the same database by way of the proxy.
func (p *Proxy) URL() string { return p.url }

// Stop ends all connections and waits for them. It is safe to call twice.
func (p *Proxy) Stop() error {
	p.stop()
	err := p.listener.Close()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	<-p.done
	return errors.Join(err, os.RemoveAll(p.dir))
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
	_ = running.Wait() // each has told its error
}

// Record calls f and gives the statements that clients ran meanwhile, in their order.
// One recording is made at a time.
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

// note keeps what a connection runs. It is told before the server is.
func (p *Proxy) note(e execution) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.on {
		p.recorded = append(p.recorded, e)
	}
}
