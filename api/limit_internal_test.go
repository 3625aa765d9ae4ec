package api

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

func TestLimiter(t *testing.T) {
	t.Parallel()
	c := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	l := newLimiter(c, 2, time.Minute, "wait")
	require.NoError(t, l.take(1))
	require.NoError(t, l.take(1))
	err := l.take(1)
	var d *domain.Error
	require.ErrorAs(t, err, &d)
	require.Equal(t, domain.CodeTooMany, d.Code)
	require.Equal(t, 30, d.RetryAfter)
	require.NoError(t, l.take(2), "another person is not affected")
	c.Advance(30 * time.Second)
	require.NoError(t, l.take(1))
	require.Error(t, l.take(1))
	c.Advance(-time.Hour)
	require.Error(t, l.take(1), "a clock that goes back fills nothing")

	for user := range int64(bucketsMax) {
		require.NoError(t, l.take(user+10))
	}
	c.Advance(3 * time.Hour)
	require.NoError(t, l.take(1))
	require.Len(t, l.buckets, bucketsMax+2)
	require.NoError(t, l.take(5))
	require.Len(t, l.buckets, 2, "full buckets say nothing and are forgotten")

	unlimited := newLimiter(c, -1, time.Minute, "")
	for range 1000 {
		require.NoError(t, unlimited.take(1))
	}
}
