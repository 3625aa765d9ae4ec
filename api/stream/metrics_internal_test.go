package stream

import (
	"strconv"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// A client that closes with a code of its own must not make a series of it: there are thousands.
func TestMetrics_LabelOf(t *testing.T) {
	t.Parallel()
	m := newMetrics(prometheus.NewRegistry())
	for _, code := range []int{domain.DisconnectSlow.Code, domain.DisconnectDraining.Code, 1000, 1001, closeGone} {
		require.Equal(t, strconv.Itoa(code), m.labelOf(code))
	}
	for _, code := range []int{1005, 3000, 4000, 4999} {
		require.Equal(t, "other", m.labelOf(code))
	}
}
