package persistence

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"parley.dev/parley/internal/throwaway"
	"parley.dev/parley/persistence/embedded"
)

// overTCP starts a server of its own that listens on the loopback interface, and returns its URL. The
// servers of other tests listen on socket files, which have no timers.
func overTCP(t *testing.T) string {
	t.Helper()
	folder, err := throwaway.Folder("/tmp", "parley-tcp-test-") // the test's own folder is closed to other users
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	require.NoError(t, os.Chmod(folder, 0o755)) // the server runs as another user
	access := filepath.Join(folder, "access")
	require.NoError(t, os.WriteFile(access, []byte("local all all trust\nhost all all 127.0.0.0/8 trust\n"), 0o644))
	// The port also names the server's socket file, so it stays, and each run has an address of its own.
	host := fmt.Sprintf("127.%d.%d.%d", 1+rand.IntN(254), rand.IntN(256), 1+rand.IntN(254))
	server, err := embedded.Start(t.Context(), embedded.Config{
		DataDir: filepath.Join(folder, "data"), BinDir: os.Getenv("PG_BIN"), ModulesDir: "../web", Throwaway: true,
		Further: [][2]string{{"listen_addresses", host}, {"hba_file", access}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop(context.WithoutCancel(t.Context()))) })
	return "postgres://parley@" + host + "/parley?sslmode=disable"
}

// die makes a connection one whose other machine has lost its power: its kernel drops what comes and
// acknowledges nothing, and no end of the connection is sent.
func die(t *testing.T, conn net.Conn) {
	t.Helper()
	raw, err := conn.(*net.TCPConn).SyscallConn()
	require.NoError(t, err)
	drop := []unix.SockFilter{{Code: unix.BPF_RET | unix.BPF_K, K: 0}}
	var failed error
	require.NoError(t, raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: 1, Filter: &drop[0]})
	}))
	require.NoError(t, failed)
}

// A node's machine fails in the middle of a write: it has locked a row, and has sent a part of the next
// group. The server then waits for the rest of the group, for which Postgres has no timeout. The settings
// of each connection end it within the lease of a node.
func TestPool_DeadConnectionKeepsNoLocks(t *testing.T) { // G7
	t.Parallel()
	url := overTCP(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	pool, err := openPool(ctx, url, "parley", 2, byKeyOnly)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	_, err = pool.Exec(ctx, "CREATE TABLE thing AS SELECT 1 AS id")
	require.NoError(t, err)
	var idle, seconds, probes, unacknowledged string
	require.NoError(t, pool.QueryRow(ctx, `SELECT current_setting('tcp_keepalives_idle'), current_setting('tcp_keepalives_interval'),
		current_setting('tcp_keepalives_count'), current_setting('tcp_user_timeout')`).Scan(&idle, &seconds, &probes, &unacknowledged))
	require.Equal(t, []string{"3", "1", "2", "5000"}, []string{idle, seconds, probes, unacknowledged}, "what the kernel says")

	lost, err := pool.Acquire(ctx)
	require.NoError(t, err)
	conn := lost.Hijack()
	_, err = conn.Exec(ctx, "BEGIN")
	require.NoError(t, err)
	_, err = conn.Exec(ctx, "SELECT * FROM thing FOR UPDATE")
	require.NoError(t, err)
	// A group whose Sync does not come any more.
	group, err := (&pgproto3.Parse{Query: "SELECT 1"}).Encode(nil)
	require.NoError(t, err)
	_, err = conn.PgConn().Conn().Write(group)
	require.NoError(t, err)
	pid := strconv.FormatUint(uint64(conn.PgConn().PID()), 10)
	require.Eventually(t, func() bool {
		var state string
		err := pool.QueryRow(ctx, "SELECT state || ' ' || coalesce(wait_event, '') FROM pg_stat_activity WHERE pid = "+pid).Scan(&state)
		require.NoError(t, err)
		return state == "active ClientRead"
	}, time.Minute, time.Millisecond, "the server waits for the rest of the group")
	die(t, conn.PgConn().Conn())

	// Five seconds, and some more on a busy machine. Without the settings it takes as long as the test.
	free, end := context.WithTimeout(ctx, 20*time.Second)
	defer end()
	var id int
	require.NoError(t, pool.QueryRow(free, "SELECT id FROM thing FOR UPDATE").Scan(&id), "the lock is still held")
	_ = conn.PgConn().Conn().Close()
}
