// Package processtest helps tests that run the programs of this module as processes.
package processtest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Build compiles the program cmd/name into a folder, with further flags of go build, and
// gives its path. Build the query worker without flags in all tests: then it is linked
// once for all of them.
func Build(tb testing.TB, dir, name string, flags ...string) string {
	tb.Helper()
	path := filepath.Join(dir, name)
	args := append(append([]string{"build", "-o", path}, flags...), "parley.dev/parley/cmd/"+name)
	out, err := exec.CommandContext(tb.Context(), "go", args...).CombinedOutput()
	require.NoError(tb, err, "%s", out)
	return path
}

// FreeAddress is one of the loopback that nothing listens on. It lies below those that
// the system gives to others who ask for any: a server opens it only after a while.
func FreeAddress(tb testing.TB) string {
	tb.Helper()
	var listen net.ListenConfig
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", 12_000+rand.IntN(20_000)) //nolint:gosec // any will do
		if l, err := listen.Listen(tb.Context(), "tcp", address); err == nil {
			require.NoError(tb, l.Close())
			return address
		}
	}
	tb.Fatal("no address is free")
	return ""
}
