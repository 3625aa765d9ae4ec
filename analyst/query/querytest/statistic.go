package querytest

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// twoSided is the two-sided p-value of Student's t.
func twoSided(t, df float64) float64 {
	return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Survival(math.Abs(t))
}

// ranks are the places of numbers from the lowest on; equal ones have the mean of their places.
func ranks(all []float64) []float64 {
	sorted := slices.Sorted(slices.Values(all))
	out := make([]float64, len(all))
	for i, x := range all {
		first, _ := slices.BinarySearch(sorted, x)
		last := first
		for last < len(sorted) && sorted[last] == x {
			last++
		}
		out[i] = float64(first+last+1) / 2
	}
	return out
}

// significance is the p-value of a correlation of n pairs.
func significance(r any, n float64) any {
	x, ok := r.(float64)
	switch {
	case !ok || n < 3:
		return nil
	case math.Abs(x) >= 1-1e-12:
		return 0.0
	}
	return twoSided(x*math.Sqrt((n-2)/(1-x*x)), n-2)
}

// welch is a part of Welch's test of two means, from the definition.
func welch(part string, a, b []float64) any {
	va, ok := statistic("var", a, 0).(float64)
	vb, ok2 := statistic("var", b, 0).(float64)
	if !ok || !ok2 || va+vb == 0 {
		return nil
	}
	na, nb := float64(len(a)), float64(len(b))
	t := (mean(a) - mean(b)) / math.Sqrt(va/na+vb/nb)
	ea, eb := va/na, vb/nb
	df := (ea + eb) * (ea + eb) / (ea*ea/(na-1) + eb*eb/(nb-1))
	switch part {
	case "t":
		return t
	case "df":
		return df
	}
	return twoSided(t, df)
}
