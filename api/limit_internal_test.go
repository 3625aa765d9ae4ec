package api

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestLimiter_take(t *testing.T) {
	t.Parallel()
	counter := &fixedRates{wait: 1500 * time.Millisecond}
	l := &limiter{rates: counter, what: "send", most: 2, per: time.Minute, message: "wait"}
	require.NoError(t, l.allow(t.Context(), 7))
	require.Equal(t, []domain.Window{{Key: "send/7", Most: 2, Per: time.Minute}}, counter.asked)
	counter.full = true
	var d *domain.Error
	require.ErrorAs(t, l.allow(t.Context(), 7), &d)
	require.Equal(t, domain.CodeTooMany, d.Code)
	require.Equal(t, 2, d.RetryAfter, "whole seconds, and not too early")
	l.most = -1
	require.NoError(t, l.allow(t.Context(), 7), "without a limit nothing is counted")
}

// fixedRates returns fixed answers.
type fixedRates struct {
	wait  time.Duration
	full  bool
	asked []domain.Window
}

func (f *fixedRates) Count(_ context.Context, windows ...domain.Window) (time.Duration, bool) {
	f.asked = windows
	if f.full {
		return f.wait, false
	}
	return 0, true
}
