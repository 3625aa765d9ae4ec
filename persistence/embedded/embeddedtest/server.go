package embeddedtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"parley.dev/parley/persistence/embedded"
)

// maxFolders is more than the number of test binaries that ever run at once on
// one machine.
const maxFolders = 256

// keptFolders is how many clusters are kept for later runs. Clusters beyond that number are
// deleted when they are not used.
const keptFolders = 8

// shared is the server of this test binary. It lives as long as the process, like a
// variable of the package.
var shared = sync.OnceValues(startShared) //nolint:gochecknoglobals // see above

// Server returns the server that all tests of this binary share. Tests that
// stop or kill a server start their own server with embedded.Start.
func Server(tb testing.TB) *embedded.Server {
	tb.Helper()

	server, err := shared()
	if err != nil {
		tb.Fatalf("embeddedtest: %v", err)
	}

	return server
}

// LeakOptions name the goroutines that belong to the shared server, for test
// binaries that look for leaks with goleak.
func LeakOptions() []goleak.Option {
	return []goleak.Option{
		goleak.IgnoreAnyFunction("parley.dev/parley/persistence/embedded.(*Server).run"),
		goleak.IgnoreAnyFunction("parley.dev/parley/persistence/embedded.(*Server).watch"),
	}
}

func startShared() (*embedded.Server, error) {
	ctx := context.Background()

	// Not the temporary folder of the test, which is closed to the account
	// that Postgres runs under when tests run as root.
	base := "/tmp/parley-embeddedtest-" + strconv.Itoa(os.Getuid())

	folder, err := takeFolder(base)
	if err != nil {
		return nil, err
	}

	if err := clearFolders(base); err != nil {
		return nil, err
	}

	cfg := embedded.Config{DataDir: filepath.Join(folder, "data"), BinDir: os.Getenv("PG_BIN"), Throwaway: true}
	if root, err := repositoryRoot(); err == nil {
		cfg.ModulesDir = filepath.Join(root, "web")
	}

	server, err := embedded.Start(ctx, cfg)
	if err == nil {
		if err = sweep(ctx, server); err == nil {
			return server, nil
		}

		err = errors.Join(err, server.Stop(ctx))
	}

	// A cluster that never waited for the disk does not survive a power cut.
	// Its content is not worth repairing: it is created again.
	if removeErr := os.RemoveAll(cfg.DataDir); removeErr != nil {
		return nil, errors.Join(err, removeErr)
	}

	server, again := embedded.Start(ctx, cfg)
	if again != nil {
		return nil, fmt.Errorf("twice: %w", errors.Join(err, again))
	}

	return server, nil
}

// takeFolder locks the first free folder for as long as this process lives.
func takeFolder(base string) (string, error) {
	if err := os.MkdirAll(base, 0o711); err != nil { //nolint:gosec // as above
		return "", fmt.Errorf("make the folder of test servers: %w", err)
	}

	for n := range maxFolders {
		folder := filepath.Join(base, strconv.Itoa(n))
		if err := os.MkdirAll(folder, 0o711); err != nil { //nolint:gosec // as above
			return "", fmt.Errorf("make the folder of a test server: %w", err)
		}

		// The descriptor stays open on purpose: the lock ends when it is closed.
		_, taken, err := take(folder, syscall.O_CREAT)
		if err != nil {
			return "", fmt.Errorf("lock the folder of a test server: %w", err)
		}

		if taken {
			return folder, nil
		}
	}

	return "", fmt.Errorf("all %d test servers in %s are taken", maxFolders, base)
}

// take locks a folder for as long as its descriptor is open; taken reports whether the
// folder was free.
func take(folder string, create int) (fd int, taken bool, err error) {
	fd, err = syscall.Open(filepath.Join(folder, "taken"), create|syscall.O_RDWR|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return 0, false, err //nolint:wrapcheck // the callers add the context
	}

	err = syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return fd, true, nil
	}

	if closeErr := syscall.Close(fd); closeErr != nil || !errors.Is(err, syscall.EWOULDBLOCK) {
		return 0, false, errors.Join(err, closeErr)
	}

	return 0, false, nil
}

// clearFolders deletes surplus clusters of a time when many binaries ran at once. A process
// that is about to use one has locked it, or finds it locked and uses the next.
func clearFolders(base string) error {
	for n := keptFolders; n < maxFolders; n++ {
		folder := filepath.Join(base, strconv.Itoa(n))

		fd, taken, err := take(folder, 0)
		if errors.Is(err, syscall.ENOENT) || err == nil && !taken {
			continue
		}

		if err == nil {
			// The folder and its lock file stay: another process may have opened the lock file already.
			err = errors.Join(os.RemoveAll(filepath.Join(folder, "data")), syscall.Close(fd))
		}

		if err != nil {
			return fmt.Errorf("clear the folder of a test server: %w", err)
		}
	}

	return nil
}

// repositoryRoot is the folder of go.mod above the tested package.
func repositoryRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the repository: %w", err)
	}

	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}

		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("find the repository: no go.mod above the test")
		}

		dir = parent
	}
}
