// Package processtest helps tests that run the programs of this module as processes.
package processtest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Build compiles the program cmd/name into a folder, with additional flags of go build, and
// returns its path. Tests should build the query worker without flags: then it is linked only
// once for all of them.
func Build(tb testing.TB, dir, name string, flags ...string) string {
	tb.Helper()
	path := filepath.Join(dir, name)
	args := append(append([]string{"build", "-o", path}, flags...), "parley.dev/parley/cmd/"+name)
	out, err := exec.CommandContext(tb.Context(), "go", args...).CombinedOutput()
	require.NoError(tb, err, "%s", out)
	return path
}

// FreeAddress returns a loopback address on which nothing listens. Its port is below the
// range from which the system assigns ports, so that the system does not assign it to another
// process before the server opens it.
func FreeAddress(tb testing.TB) string {
	tb.Helper()
	var listen net.ListenConfig
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", 12_000+rand.IntN(20_000)) //nolint:gosec // any port will do
		if l, err := listen.Listen(tb.Context(), "tcp", address); err == nil {
			require.NoError(tb, l.Close())
			return address
		}
	}
	tb.Fatal("no address is free")
	return ""
}

// HAProxy finds HAProxy: the one that HAPROXY names, on the PATH, or where scripts/doctor puts it. Without it the
// test is skipped with a message. The test's package must be two folders below that of the module.
func HAProxy(tb testing.TB) string {
	tb.Helper()
	if name := os.Getenv("HAPROXY"); name != "" {
		return name
	}
	if name, err := exec.LookPath("haproxy"); err == nil {
		return name
	}
	fetched, err := filepath.Abs(filepath.Join("..", "..", "tmp", "haproxy", "haproxy"))
	require.NoError(tb, err)
	if _, err := os.Stat(fetched); err != nil {
		tb.Skip("NOT TRIED: HAProxy is not installed (apt-get install haproxy, or name it in HAPROXY)")
	}
	return fetched
}
