package embedded

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/startstop/startstoptest"
	"parley.dev/parley/internal/throwaway"
)

// childDataDir makes the test binary run as the parent process that is killed.
const childDataDir = "PARLEY_EMBEDDED_TEST_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDataDir); dir != "" {
		writeForEver(Config{DataDir: dir, FallbackDir: os.Getenv(childDataDir + "_FALLBACK")})
	}

	os.Exit(m.Run())
}

// writeForEver starts a server, commits numbers one by one and prints each
// after it is committed, until it is killed.
func writeForEver(cfg Config) {
	ctx := context.Background()
	fail := func(err error) {
		if err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
	}

	server, err := Start(ctx, cfg)
	fail(err)

	connection, err := pgx.Connect(ctx, server.URL())
	fail(err)

	_, err = connection.Exec(ctx, "CREATE TABLE IF NOT EXISTS acknowledged (n int PRIMARY KEY)")
	fail(err)

	for n := 1; ; n++ {
		_, err = connection.Exec(ctx, "INSERT INTO acknowledged VALUES ($1)", n)
		fail(err)
		fmt.Println(n)
	}
}

// testConfig returns a config with a separate folder. Temporary folders are closed to other
// users, so tests that run as root also use the fallback folder.
func testConfig(t *testing.T) Config {
	t.Helper()

	fallback, err := throwaway.Folder("/tmp", "parley-embedded-test-") // the test's own folder is closed to other users
	require.NoError(t, err)
	require.NoError(t, os.Chmod(fallback, 0o755))
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(fallback)) })

	return Config{
		DataDir:     filepath.Join(t.TempDir(), "data"),
		FallbackDir: fallback,
		Logger:      slog.New(slog.NewTextHandler(testWriter{t}, nil)),
	}
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(line []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(line)))
	return len(line), nil
}

func mustStart(t *testing.T, cfg Config) *Server {
	t.Helper()

	server, err := Start(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop(context.WithoutCancel(t.Context()))) })

	return server
}

// awaitServer waits until a server that was killed accepts connections again.
func awaitServer(t *testing.T, server *Server) {
	t.Helper()
	require.NoError(t, waitUntil(t.Context(), 5*time.Minute, func() (bool, error) {
		again, err := pgx.Connect(t.Context(), server.URL())
		if err != nil {
			return false, nil //nolint:nilerr // it has not started yet
		}

		return true, again.Close(t.Context())
	}))
}

func mustConnect(t *testing.T, url string) *pgx.Conn {
	t.Helper()

	connection, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close(context.WithoutCancel(t.Context())) })

	return connection
}

func count(t *testing.T, url, query string) int {
	t.Helper()

	var n int
	require.NoError(t, mustConnect(t, url).QueryRow(t.Context(), query).Scan(&n))

	return n
}

func TestStart(t *testing.T) {
	t.Parallel()

	t.Run("OK", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		server := mustStart(t, cfg)
		connection := mustConnect(t, server.URL())

		for setting, want := range map[string]string{
			"synchronous_commit": "on", "fsync": "on", "listen_addresses": "", "max_connections": "200",
			"server_encoding": "UTF8", "lc_collate": "C", "TimeZone": "UTC",
		} {
			if setting == "lc_collate" && server.Release() >= 16 {
				continue
			}

			var got string
			require.NoError(t, connection.QueryRow(t.Context(), "SELECT current_setting($1)", setting).Scan(&got))
			require.Equal(t, want, got, setting)
		}

		require.Equal(t, 1, count(t, server.URL(), "SELECT count(*) FROM (SELECT 'Über Ärzte, ΣΟΦΙΑ, Ёлка' AS name) t WHERE name ILIKE '%üBER "+
			"ärzte, σοφια, ёЛКА%'"),
			"a search ignores the case of letters in all scripts")
	})

	t.Run("RoleIsNoSuperuser", func(t *testing.T) {
		t.Parallel()

		server := mustStart(t, testConfig(t))

		connection := mustConnect(t, server.URL())

		var super, bypass bool
		require.NoError(t, connection.QueryRow(t.Context(),
			"SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user").Scan(&super, &bypass))
		require.False(t, super)
		require.False(t, bypass)

		_, err := connection.Exec(t.Context(), "CREATE ROLE pool NOLOGIN; GRANT pool TO parley; SET ROLE pool")
		require.NoError(t, err, "migrations create roles for the pools")
		require.Equal(t, 1, count(t, server.AdminURL("parley"), "SELECT count(*) FROM pg_roles WHERE rolname = current_user AND rolsuper"))
	})

	t.Run("SecondStartKeepsTheData", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		first, err := Start(t.Context(), cfg)
		require.NoError(t, err)

		_, err = mustConnect(t, first.URL()).Exec(t.Context(), "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n")
		require.NoError(t, err)
		require.NoError(t, first.Stop(t.Context()))
		require.NoError(t, first.Stop(t.Context()), "stopping twice is safe")
		require.NoError(t, first.Err())

		second := mustStart(t, cfg)
		require.Equal(t, 1000, count(t, second.URL(), "SELECT count(*) FROM kept"))
	})

	t.Run("ErrDataFolderInUse", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		mustStart(t, cfg)

		_, err := Start(t.Context(), cfg)
		require.EqualError(t, err, fmt.Sprintf("embedded Postgres: the data folder is in use by process %d", os.Getpid()))
	})

	t.Run("ErrDataFolderUnwritable", func(t *testing.T) {
		t.Parallel()

		file := filepath.Join(t.TempDir(), "file")
		require.NoError(t, os.WriteFile(file, nil, 0o600))

		_, err := Start(t.Context(), Config{DataDir: filepath.Join(file, "data")})
		require.ErrorContains(t, err, "cannot make the data folder "+file)
		require.NotContains(t, err.Error(), "\n")
	})

	t.Run("ErrNoBinaries", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		cfg.path, cfg.systemGlob = t.TempDir(), filepath.Join(t.TempDir(), "*")

		_, err := Start(t.Context(), cfg)
		require.EqualError(t, err, "embedded Postgres: no binaries of PostgreSQL 15 or newer: none found; "+
			"install them, set PG_BIN to their folder, or set DATABASE_URL to a server")
	})

	t.Run("ErrReleaseOfDataMissing", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		server, err := Start(t.Context(), cfg)
		require.NoError(t, err)
		require.NoError(t, server.Stop(t.Context()))
		require.NoError(t, os.WriteFile(filepath.Join(server.place.cluster, "PG_VERSION"), []byte("12\n"), 0o600))

		_, err = Start(t.Context(), cfg)
		require.ErrorContains(t, err, "no binaries of PostgreSQL 12, which the existing data needs: found only ")
	})

	t.Run("HalfMadeClusterIsMadeAgain", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		require.NoError(t, os.MkdirAll(cfg.DataDir, 0o711))

		p, err := newPlace(cfg.withDefaults())
		require.NoError(t, err)

		if p.moved() {
			require.NoError(t, p.link(t.Context(), cfg.withDefaults()))
		}

		require.NoError(t, os.MkdirAll(filepath.Join(p.cluster+".new", "base"), 0o700))

		mustStart(t, cfg)
		require.NoDirExists(t, p.cluster+".new")
	})
}

func TestStart_ClosedFolder(t *testing.T) {
	t.Parallel()

	if os.Geteuid() != 0 {
		t.Skip("an ordinary user runs Postgres as itself")
	}

	t.Run("EmptiedDataFolderStartsAgain", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		server, err := Start(t.Context(), cfg)
		require.NoError(t, err)
		require.True(t, server.place.moved())

		_, err = mustConnect(t, server.URL()).Exec(t.Context(), "CREATE TABLE kept (n int)")
		require.NoError(t, err)
		require.NoError(t, server.Stop(t.Context()))
		require.NoError(t, os.RemoveAll(cfg.DataDir))

		require.Zero(t, count(t, mustStart(t, cfg).URL(), "SELECT count(*) FROM pg_tables WHERE tablename = 'kept'"))
	})

	t.Run("ErrEmptiedUnderARunningServer", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		server := mustStart(t, cfg)
		require.NoError(t, os.RemoveAll(cfg.DataDir))

		_, err := Start(t.Context(), cfg)
		require.ErrorContains(t, err, "is in use by another process")
		require.Equal(t, 1, count(t, server.URL(), "SELECT 1"), "the running server continues")
	})

	t.Run("FolderThatWasClosedLaterKeepsItsData", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		parent := filepath.Join(cfg.FallbackDir, "parent")
		require.NoError(t, os.Mkdir(parent, 0o755))

		cfg.DataDir = filepath.Join(parent, "data")
		server, err := Start(t.Context(), cfg)
		require.NoError(t, err)
		require.False(t, server.place.moved())

		_, err = mustConnect(t, server.URL()).Exec(t.Context(), "CREATE TABLE kept AS SELECT 7 AS n")
		require.NoError(t, err)
		require.NoError(t, server.Stop(t.Context()))
		require.NoError(t, os.Chmod(parent, 0o700))

		again := mustStart(t, cfg)
		require.True(t, again.place.moved())
		require.Equal(t, 7, count(t, again.URL(), "SELECT n FROM kept"))
	})
}

func TestStart_AfterKill(t *testing.T) {
	t.Parallel()

	t.Run("ParentKilledLosesNothing", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		last := 0

		for range 3 {
			last = max(last, killWriter(t, cfg, 200))

			server, err := Start(t.Context(), cfg)
			require.NoError(t, err)
			require.GreaterOrEqual(t, count(t, server.URL(), "SELECT count(*) FROM acknowledged"), last)

			_, err = mustConnect(t, server.URL()).Exec(t.Context(), "TRUNCATE acknowledged")
			require.NoError(t, err)
			require.NoError(t, server.Stop(t.Context()))

			last = 0
		}
	})

	t.Run("ServerKilledComesBack", func(t *testing.T) {
		t.Parallel()

		server := mustStart(t, testConfig(t))
		connection := mustConnect(t, server.URL())
		_, err := connection.Exec(t.Context(), "CREATE TABLE kept AS SELECT 1 AS n")
		require.NoError(t, err)

		// A busy child detects late that its parent has ended.
		busy := make(chan error, 1)
		go func() {
			_, err := connection.Exec(context.WithoutCancel(t.Context()), "SELECT count(*) FROM generate_series(1, 100000000)")
			busy <- err
		}()

		server.mu.Lock()
		pid := server.current.pid
		server.mu.Unlock()
		require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
		require.Error(t, <-busy)

		awaitServer(t, server)
		require.Equal(t, 1, count(t, server.URL(), "SELECT n FROM kept"))
	})

	t.Run("ServerKilledWhileItComesBack", func(t *testing.T) {
		t.Parallel()

		server := mustStart(t, testConfig(t))
		_, err := mustConnect(t, server.URL()).Exec(t.Context(), "CREATE TABLE kept AS SELECT 1 AS n")
		require.NoError(t, err)

		pidFile := filepath.Join(server.place.cluster, "postmaster.pid")
		postmaster := func() int {
			raw, _ := os.ReadFile(pidFile) // it may be missing for a moment
			first, _, _ := strings.Cut(string(raw), "\n")
			pid, _ := strconv.Atoi(first)

			return pid
		}
		killed := postmaster()
		require.NoError(t, syscall.Kill(killed, syscall.SIGKILL))

		// The next one is killed as soon as it exists, before the watch knows it as started.
		var next int

		require.NoError(t, waitUntil(t.Context(), time.Minute, func() (bool, error) {
			next = postmaster()
			return next > 1 && next != killed, nil
		}))
		require.NoError(t, syscall.Kill(next, syscall.SIGKILL))

		awaitServer(t, server)
		require.Equal(t, 1, count(t, server.URL(), "SELECT n FROM kept"))
		require.NoError(t, server.Err())
	})

	t.Run("LeftOverServerIsStopped", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		first, err := Start(t.Context(), cfg)
		require.NoError(t, err)
		require.NoError(t, first.Stop(t.Context()))

		_, err = makeSocketDir(first.place)
		require.NoError(t, err)

		// This server is not notified of its parent's end, as on systems other than Linux.
		args := commandLine(first.binaries.dir, first.place.cluster, first.socketDir, first.place.name, false, nil)
		left := exec.Command(args[0], args[1:]...)
		left.Env, left.Dir, left.SysProcAttr = environment(first.binaries.dir), "/", first.place.owner.attributes()
		require.NoError(t, left.Start())

		ended := make(chan error, 1)
		go func() { ended <- left.Wait() }()

		pidFile := filepath.Join(first.place.cluster, "postmaster.pid")
		require.NoError(t, waitUntil(t.Context(), 5*time.Minute, func() (bool, error) {
			raw, _ := os.ReadFile(pidFile)
			return strings.Contains(string(raw), "ready"), nil
		}))

		mustStart(t, cfg)
		require.NoError(t, <-ended, "it was an orderly shutdown")
	})

	t.Run("RecycledProcessNumberIsNoServer", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		first, err := Start(t.Context(), cfg)
		require.NoError(t, err)

		pidFile := filepath.Join(first.place.cluster, "postmaster.pid")
		raw, err := os.ReadFile(pidFile)
		require.NoError(t, err)
		require.NoError(t, first.Stop(t.Context()))

		// The number now belongs to a process of the same account.
		other := exec.Command("sleep", "600")
		other.SysProcAttr = first.place.owner.attributes()
		require.NoError(t, other.Start())
		t.Cleanup(func() { require.NoError(t, other.Process.Kill()); _ = other.Wait() })

		_, rest, _ := strings.Cut(string(raw), "\n")
		require.NoError(t, os.WriteFile(pidFile, []byte(strconv.Itoa(other.Process.Pid)+"\n"+rest), 0o600))
		require.NoError(t, first.place.owner.give(pidFile))

		mustStart(t, cfg)
		require.NoError(t, other.Process.Signal(syscall.Signal(0)), "the other process was left alone")
	})

	t.Run("DamagedPIDFile", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		first, err := Start(t.Context(), cfg)
		require.NoError(t, err)
		require.NoError(t, first.Stop(t.Context()))

		pidFile := filepath.Join(first.place.cluster, "postmaster.pid")
		require.NoError(t, os.WriteFile(pidFile, nil, 0o600))
		require.NoError(t, first.place.owner.give(pidFile))
		mustStart(t, cfg)
	})
}

// killWriter runs a parent that commits rows, kills it once it has printed
// enough of them, and returns the last number it printed.
func killWriter(t *testing.T, cfg Config, enough int) int {
	t.Helper()

	program, err := os.Executable()
	require.NoError(t, err)

	command := exec.Command(program)
	command.Env = append(os.Environ(), childDataDir+"="+cfg.DataDir, childDataDir+"_FALLBACK="+cfg.FallbackDir)
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())

	last := 0

	for lines := bufio.NewScanner(out); lines.Scan(); {
		n, err := strconv.Atoi(lines.Text())
		require.NoError(t, err, lines.Text())

		last = n
		if n == enough {
			require.NoError(t, command.Process.Kill())
		}
	}

	_, _ = io.Copy(io.Discard, out)
	require.Error(t, command.Wait(), "it was killed")
	require.GreaterOrEqual(t, last, enough)

	return last
}

// A server runs as soon as Start has returned it. Whichever Stop returns first, the folder is
// free for the next server.
func TestServer_Stop(t *testing.T) {
	t.Parallel()

	cfg := testConfig(t)
	cfg.Throwaway = true
	startstoptest.Stress(t, 2, func(tb testing.TB) startstoptest.Subject {
		tb.Helper()

		server, err := Start(tb.Context(), cfg)
		require.NoError(tb, err)

		return startstoptest.Subject{
			Stop: func() error { return server.Stop(context.Background()) },
			Ended: func(tb testing.TB) {
				tb.Helper()

				select {
				case <-server.Done():
					require.NoError(tb, server.Err())
				default:
					require.Fail(tb, "the server runs")
				}
			},
		}
	})
}
