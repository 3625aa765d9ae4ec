package persistence_test

import (
	"testing"

	"go.uber.org/goleak"

	"parley.dev/parley/persistence/embedded/embeddedtest"
)

// TestMain looks for goroutines that a store or a journal left behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m, embeddedtest.LeakOptions()...) }
