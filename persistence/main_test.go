package persistence_test

import (
	"testing"

	"parley.dev/parley/internal/leaktest"
	"parley.dev/parley/persistence/embedded/embeddedtest"
)

// TestMain looks for goroutines that a store or a journal has left running.
func TestMain(m *testing.M) { leaktest.Main(m, embeddedtest.LeakOptions()...) }
