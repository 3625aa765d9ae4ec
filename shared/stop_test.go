package shared_test

import (
	"log/slog"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/startstop/startstoptest"
	"parley.dev/parley/shared"
)

// A space works as soon as it is open. Close releases what it held and may be called any
// number of times.
func TestSpace_StopsAtOnce(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(t *testing.T) (url string){
		"InTheProcess": func(*testing.T) string { return "" },
		"OverRedis":    func(t *testing.T) string { t.Helper(); return "redis://" + miniredis.RunT(t).Addr() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := open(t)
			startstoptest.Stress(t, 10, func(tb testing.TB) startstoptest.Subject {
				tb.Helper()
				s, err := shared.Open(tb.Context(), shared.Config{URL: url, CallTime: patience, Logger: slog.New(slog.DiscardHandler)})
				require.NoError(tb, err)
				return startstoptest.Subject{
					Stop:  func() error { s.Close(); return nil },
					Ended: func(tb testing.TB) { tb.Helper(); require.True(tb, s.Ended()) },
				}
			})
		})
	}
}
