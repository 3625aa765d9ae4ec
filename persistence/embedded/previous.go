package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// politeLimit is how long a left-over server may take for an orderly shutdown. It
	// writes everything to disk first, so that the next start has nothing to recover.
	politeLimit = 20 * time.Second

	// firmLimit is how long it may take to stop at once. The next start recovers
	// from the log.
	firmLimit = 10 * time.Second
)

// endPrevious makes sure that no process uses the cluster any more. It is called with the
// lock held, so any process that still runs has lost its parent. It stops servers with the
// signals that Postgres provides for it, never with SIGKILL, which would leave their
// children running.
func endPrevious(ctx context.Context, logger *slog.Logger, name, cluster string) error {
	pidFile := filepath.Join(cluster, "postmaster.pid")

	raw, err := os.ReadFile(pidFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}

	if err != nil {
		return fmt.Errorf("read %s: %w", pidFile, err)
	}

	if err := stopServer(ctx, logger, cluster); err != nil {
		return err
	}

	if err := stopOrphans(ctx, logger, name); err != nil {
		return err
	}

	return removeStalePID(ctx, logger, pidFile, raw)
}

// stopServer stops the server of a cluster if it runs.
func stopServer(ctx context.Context, logger *slog.Logger, cluster string) error {
	list, err := processes(ctx)
	if err != nil {
		return err
	}

	for _, p := range list {
		if !p.serves(cluster) {
			continue
		}

		logger.LogAttrs(ctx, slog.LevelInfo, "waiting for the database server of an earlier process to end", slog.Int("pid", p.pid))

		if err := stopForeign(ctx, p.pid); err != nil {
			return fmt.Errorf("a database server of an earlier process (pid %d) still runs on %s: %w", p.pid, cluster, err)
		}
	}

	return nil
}

// stopForeign asks a server to stop, first politely and then firmly. On Linux
// it has been asked already, by the kernel, when its parent died; asking again
// does no harm.
func stopForeign(ctx context.Context, pid int) error {
	gone := func() (bool, error) { return !alive(pid), nil }

	for _, step := range []struct {
		signal syscall.Signal
		limit  time.Duration
	}{{syscall.SIGINT, politeLimit}, {syscall.SIGQUIT, firmLimit}} {
		if err := syscall.Kill(pid, step.signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("stop it: %w", err)
		}

		err := waitUntil(ctx, step.limit, gone)
		if err == nil {
			return nil
		}

		if ctx.Err() != nil {
			return fmt.Errorf("wait for its end: %w", err)
		}
	}

	return errors.New("it does not stop")
}

// stopOrphans ends the children of a server that was killed. They also end by themselves
// when they next check whether their server still runs, which a long query may delay; until
// then no new server may use the files.
func stopOrphans(ctx context.Context, logger *slog.Logger, name string) error {
	asked := map[int]bool{}

	err := waitUntil(ctx, firmLimit, func() (bool, error) {
		list, err := processes(ctx)
		if err != nil {
			return false, err
		}

		left := 0

		for _, p := range list {
			if !p.worksFor(name) {
				continue
			}

			left++

			if asked[p.pid] {
				continue
			}

			asked[p.pid] = true

			logger.LogAttrs(ctx, slog.LevelInfo, "ending a child of a killed database server", slog.Int("pid", p.pid))

			if err := syscall.Kill(p.pid, syscall.SIGQUIT); err != nil && !errors.Is(err, syscall.ESRCH) {
				return false, fmt.Errorf("end child %d of a killed database server: %w", p.pid, err)
			}
		}

		return left == 0, nil
	})
	if err != nil {
		return fmt.Errorf("children of a killed database server still run: %w", err)
	}

	return nil
}

// removeStalePID removes a pid file that cannot be read, or whose number now belongs to an
// unrelated process: Postgres would take that process for a server and refuse to start. In
// every other case the file stays, because Postgres reads from it which shared memory to
// check before it starts.
func removeStalePID(ctx context.Context, logger *slog.Logger, pidFile string, raw []byte) error {
	first, _, _ := strings.Cut(string(raw), "\n")

	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err == nil && (pid <= 1 || !alive(pid)) {
		return nil
	}

	// A full disk or a power cut leaves an unreadable file, with which Postgres refuses to
	// start as well. No server uses the cluster: the caller has checked that.
	logger.LogAttrs(ctx, slog.LevelInfo, "removing the stale pid file of a killed database server", slog.String("file", pidFile))

	if err := os.Remove(pidFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove stale %s: %w", pidFile, err)
	}

	return nil
}
