package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"parley.dev/parley/internal/startstop"
)

// Server is a running private Postgres.
type Server struct {
	// Set at the start, read-only afterwards.

	logger    *slog.Logger
	place     place
	binaries  binaries
	socketDir string
	throwaway bool
	further   [][2]string
	lock      *os.File
	homeLock  *os.File // nil unless the cluster is outside the data folder
	log       serverLog

	life startstop.Guard
	// stopping is closed by the first Stop.
	stopping chan struct{}

	// done is closed by watch, which ends when the server is down for good.
	// err is written before that and read after it.
	done chan struct{}
	err  error

	mu sync.Mutex
	// current is set by watch at each restart and read by Stop.
	current *postmaster
}

// Start finds Postgres, makes a cluster in the data folder if there is none,
// starts it and returns when it accepts connections. The context bounds the
// start only; Stop ends the server. Errors are one line and say what to do.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	cfg.mustValidate()
	cfg = cfg.withDefaults()

	server, err := start(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("embedded Postgres: %w", err)
	}

	return server, nil
}

func start(ctx context.Context, cfg Config) (_ *Server, err error) {
	if err := makeDataDir(cfg.DataDir); err != nil {
		return nil, err
	}

	held, err := lock(ctx, filepath.Join(cfg.DataDir, "postgres.lock"))
	if err != nil {
		return nil, err
	}

	s := &Server{
		logger: cfg.Logger, throwaway: cfg.Throwaway, further: cfg.Further, lock: held,
		stopping: make(chan struct{}), done: make(chan struct{}),
	}

	defer func() {
		if err != nil {
			err = errors.Join(err, s.release())
		}
	}()

	if err := s.settle(ctx, cfg); err != nil {
		return nil, err
	}

	fresh, err := s.prepare(ctx, cfg)
	if err != nil {
		return nil, err
	}

	if s.log, err = openLog(filepath.Join(cfg.DataDir, "postgres.log")); err != nil {
		return nil, err
	}

	first, err := s.launch(ctx)
	if err != nil {
		return nil, err
	}

	s.current = first

	if err := s.provision(ctx); err != nil {
		return nil, errors.Join(err, first.stop(context.WithoutCancel(ctx)))
	}

	if fresh && !s.throwaway {
		// initdb did not wait for the disk. The product's own commits force what they
		// touch; this does the same for the rest, without delaying the first start.
		go s.flushCluster() //nolint:gosec,contextcheck // outlives the context of the start
	}

	return s, s.life.Start(func() error { //nolint:contextcheck // watch outlives the context of the start
		go s.watch(first)

		return nil
	})
}

// makeDataDir makes the data folder and reports whether it can be written.
func makeDataDir(dir string) error {
	mode := fs.FileMode(0o700)
	if os.Geteuid() == 0 {
		// Postgres runs as another user, who has to pass through this folder.
		mode = 0o711
	}

	if err := os.MkdirAll(dir, mode); err != nil {
		return fmt.Errorf("cannot make the data folder %s: %w", dir, errors.Unwrap(err))
	}

	probe, err := os.CreateTemp(dir, ".writable-")
	if err != nil {
		return fmt.Errorf("cannot write to the data folder %s: %w", dir, errors.Unwrap(err))
	}

	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return fmt.Errorf("cannot write to the data folder %s: %w", dir, err)
	}

	return nil
}

// settle locks the place of the cluster and makes sure that no server uses it.
func (s *Server) settle(ctx context.Context, cfg Config) error {
	var err error
	if s.place, err = newPlace(cfg); err != nil {
		return err
	}

	if s.place.moved() {
		// If a person has emptied the data folder of a running server, the lock in it was
		// deleted with it. So the folder of the cluster is locked as well.
		if s.homeLock, err = lockFolder(ctx, s.place.home()); err != nil {
			return err
		}
	}

	if err := endPrevious(ctx, s.logger, s.place.name, s.place.cluster); err != nil {
		return err
	}

	if s.place.moved() {
		return s.place.link(ctx, cfg)
	}

	return nil
}

// prepare decides on the binaries, the cluster and the socket's folder, and
// reports whether the cluster is new.
func (s *Server) prepare(ctx context.Context, cfg Config) (bool, error) {
	major, err := clusterMajor(s.place.cluster)
	if err != nil {
		return false, err
	}

	if s.binaries, err = find(ctx, cfg, major); err != nil {
		return false, err
	}

	if owner := s.place.owner; !owner.canReach(s.binaries.dir) {
		if s.binaries.npm == "" {
			return false, fmt.Errorf("account %s cannot reach the Postgres programs in %s", owner.name, s.binaries.dir)
		}

		if s.binaries, err = copyNPM(cfg, s.binaries, owner); err != nil {
			return false, err
		}
	}

	if major == 0 {
		s.logger.LogAttrs(ctx, slog.LevelInfo, "making a new database", slog.String("folder", s.place.cluster),
			slog.Int("release", s.binaries.major))

		if err := initialise(ctx, s.binaries, s.place); err != nil {
			return false, err
		}
	}

	s.socketDir, err = makeSocketDir(s.place)

	return major == 0, err
}

// socketDirOf is the folder of the socket of a server with this name. It is not in the temporary
// folder of the environment, which may be long, or closed to the account that Postgres runs under.
func socketDirOf(name string) string { return filepath.Join("/tmp", name) }

// makeSocketDir makes the folder of the socket, whose path may be only about a
// hundred bytes long. What an earlier server left there is removed.
func makeSocketDir(p place) (string, error) {
	dir, err := ownFolder(socketDirOf(p.name), p.owner, 0o700)
	if err != nil {
		return "", err
	}

	for _, name := range []string{".s.PGSQL." + socketPort, ".s.PGSQL." + socketPort + ".lock"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("clear the socket's folder: %w", err)
		}
	}

	return dir, nil
}

// flushCluster flushes a new cluster to the disk.
func (s *Server) flushCluster() {
	if err := syncFolder(s.place.cluster); err != nil {
		s.logger.LogAttrs(context.Background(), slog.LevelWarn, "the new database could not be flushed to disk", slog.Any("error", err))
	}
}

// release releases what Start has acquired in addition to the server itself.
func (s *Server) release() error {
	var err error
	if s.log.file != nil {
		err = s.log.file.Close()
	}

	if s.socketDir != "" {
		// The folder is empty after an orderly stop. Otherwise the next start clears it, so
		// an error does not matter.
		_ = os.Remove(s.socketDir)
	}

	if s.homeLock != nil {
		err = errors.Join(err, s.homeLock.Close())
	}

	return errors.Join(err, s.lock.Close())
}

// URL is the address of the product's database for the role that owns it and
// is not a superuser.
func (s *Server) URL() string { return s.url(roleName, databaseName) }

// AdminURL is the address of a database of this server for the superuser.
func (s *Server) AdminURL(database string) string { return s.url(adminName, database) }

// DatabaseURL is the address of another database for the product's role.
func (s *Server) DatabaseURL(database string) string { return s.url(roleName, database) }

func (s *Server) url(user, database string) string {
	query := url.Values{"host": {s.socketDir}, "port": {socketPort}}
	address := url.URL{Scheme: "postgres", User: url.User(user), Path: "/" + database, RawQuery: query.Encode()}

	return address.String()
}

// Release is the release of Postgres that runs, such as 15.
func (s *Server) Release() int { return s.binaries.major }

// Done is closed when the server is down for good: after Stop, or when it crashed and could
// not be restarted. Err then says which.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err is nil after Stop, and the reason after a crash. It may be read once Done
// is closed.
func (s *Server) Err() error { return s.err }

// Stop shuts the server down in an orderly way, or at once if ctx ends before that. It may
// be called twice; the server has ended when it returns. The context of the first call applies.
func (s *Server) Stop(ctx context.Context) error {
	return s.life.Stop(func() error { return s.shutdown(ctx) })
}

func (s *Server) shutdown(ctx context.Context) error {
	close(s.stopping)

	s.mu.Lock()
	current := s.current
	s.mu.Unlock()

	err := current.stop(ctx)

	select {
	case <-s.done:
	case <-time.After(firmLimit):
		return errors.Join(err, errors.New("embedded Postgres does not stop"))
	}

	return err
}

// signalled reports whether Stop was called.
func (s *Server) signalled() bool {
	select {
	case <-s.stopping:
		return true
	default:
		return false
	}
}
