// Package leaktest looks for goroutines that the tests of a package left behind.
package leaktest

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"parley.dev/parley/internal/clock"
)

// patience is how long what ends by itself may take. Goleak's own half a second
// is over before a busy machine has closed a connection.
const patience = time.Minute

// Main runs the tests of a package and ends the process, with a failure when a
// goroutine stays. It is all that a TestMain does.
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
