// Package leaktest finds goroutines that the tests of a package have left behind.
package leaktest

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"parley.dev/parley/internal/clock"
)

// patience is how long goroutines may take to end. Goleak's default of half a second is too
// short for a busy machine, on which closing a connection can take longer.
const patience = time.Minute

// Main runs the tests of a package and ends the process. It reports a failure if a
// goroutine is still running. TestMain should do nothing else.
func Main(m *testing.M, options ...goleak.Option) {
	code := m.Run()
	if code == 0 {
		var now clock.System
		until := now.Now().Add(patience)
		err := goleak.Find(options...)
		for err != nil && now.Now().Before(until) {
			err = goleak.Find(options...)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "goleak: %v\n", err)
			code = 1
		}
	}
	os.Exit(code)
}
