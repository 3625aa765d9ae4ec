package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/persistence/persistencetest"
)

// TestBench brings up the node that the benchmark measures, as far as its people, whom
// an empty database does not have.
func TestBench(t *testing.T) {
	t.Parallel()
	t.Run("ErrNobody", func(t *testing.T) {
		t.Parallel()
		values := map[string]string{
			"DATABASE_URL": persistencetest.URL(t), "PARLEY_NODE": "bench", "PARLEY_DATA": t.TempDir(), "PARLEY_WORKER": queryWorker(t),
			"PARLEY_ADDR": freeAddress(t), "PARLEY_OPERATOR_ADDR": freeAddress(t), "PARLEY_CLUSTER_ADDR": "127.0.0.1:0",
		}
		var out, progress bytes.Buffer
		p := &program{stdout: &out, stderr: &progress, getenv: func(name string) string { return values[name] }}
		err := p.main(context.WithoutCancel(t.Context()), strings.Fields("bench --rounds 1 --seconds 1"))
		require.ErrorContains(t, err, "the answer is 403", "%s", &progress)
		require.Empty(t, out.String())
	})
}
