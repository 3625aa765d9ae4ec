package domain_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestSumCredits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		amounts []float64
		want    float64
	}{
		"nothing":                      {nil, 0},
		"what is stored as it is":      {[]float64{1.25}, 1.25},
		"a millionth at most":          {[]float64{0.12345678}, 0.123457},
		"half a millionth goes up":     {[]float64{0.0000005}, 0.000001},
		"less than that is nothing":    {[]float64{0.0000004}, 0},
		"sums of decimals are decimal": {[]float64{0.1, 0.2}, 0.3},
		"no number counts as nothing":  {[]float64{math.NaN(), 2, math.Inf(1), math.Inf(-1), math.MaxFloat64}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			//nolint:testifylint // the very number is wanted: it is compared with what is stored
			require.Equal(t, c.want, domain.SumCredits(c.amounts...))
		})
	}
}
