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
		"no amounts":                      {nil, 0},
		"one amount is unchanged":         {[]float64{1.25}, 1.25},
		"rounded to millionths":           {[]float64{0.12345678}, 0.123457},
		"half a millionth is rounded up":  {[]float64{0.0000005}, 0.000001},
		"less than half a millionth is 0": {[]float64{0.0000004}, 0},
		"no error from binary fractions":  {[]float64{0.1, 0.2}, 0.3},
		"invalid amounts count as 0":      {[]float64{math.NaN(), 2, math.Inf(1), math.Inf(-1), math.MaxFloat64}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			//nolint:testifylint // the exact number is required, because it is compared with the stored one
			require.Equal(t, c.want, domain.SumCredits(c.amounts...))
		})
	}
}
