package querytest

import (
	"fmt"
	"math"
	"math/big"

	"gonum.org/v1/gonum/stat/distuv"

	"parley.dev/parley/analyst/query"
)

// The tests of the oracle, from their definitions: sums over the cells, the groups and the pairs, and normal equations that are
// solved with fractions.

func isTest(n *Node) bool {
	switch n.Op {
	case "anova", "chi2", "mannwhit", "normality", "paired", "regression":
		return true
	}
	return false
}

// tested are the values of a row that a test is about; ok is false if the row does not count.
func (o *oracle) tested(r at, n *Node) (values []any, ok bool) {
	for i, k := range n.Of {
		if n.Op == "mannwhit" && i == 1 {
			one, other := o.holds(r, n.Of[1]), o.holds(r, n.Of[2])
			return append(values, one), one || other
		}
		v := o.scalar(r, k)
		if v == nil {
			return nil, false
		}
		values = append(values, v)
	}
	return values, true
}

func (o *oracle) test(n *Node, rows []at) any {
	var all [][]any
	for _, r := range rows {
		if v, ok := o.tested(r, n); ok {
			all = append(all, v)
		}
	}
	numbers := func(i int) []float64 {
		var out []float64
		for _, v := range all {
			x, ok := v[i].(float64)
			if !ok {
				panic("a test of what is no number")
			}
			out = append(out, x)
		}
		return out
	}
	parts := map[string]float64{}
	switch n.Op {
	case "anova":
		parts = anova(numbers(0), all)
	case "chi2":
		parts = chiSquare(all)
	case "mannwhit":
		parts = mannWhitney(numbers(0), all)
	case "normality":
		parts = normality(numbers(0))
	case "paired":
		parts = paired(numbers(0), numbers(1))
	case "regression":
		columns := make([][]float64, len(n.Of))
		for i := range columns {
			columns[i] = numbers(i)
		}
		parts = regression(columns, int(n.Numbers[0]))
	}
	x, ok := parts[n.Words[0]]
	if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return x
}

func anova(x []float64, rows [][]any) map[string]float64 {
	groups := map[any][]float64{}
	for i, r := range rows {
		groups[r[1]] = append(groups[r[1]], x[i])
	}
	n, k, between, within := float64(len(x)), float64(len(groups)), 0.0, 0.0
	for _, g := range groups {
		between += float64(len(g)) * math.Pow(mean(g)-mean(x), 2)
		for _, v := range g {
			if moment(g, 2) > 1e-24*(1+math.Abs(v)) {
				within += (v - mean(g)) * (v - mean(g))
			}
		}
	}
	out := map[string]float64{}
	if k > 1 {
		out["df_between"] = k - 1
	}
	if n > k {
		out["df_within"] = n - k
	}
	if k > 1 && n > k && within > 0 {
		out["f"] = between / (k - 1) / (within / (n - k))
		out["p"] = distuv.F{D1: k - 1, D2: n - k}.Survival(out["f"])
	}
	return out
}

func chiSquare(rows [][]any) map[string]float64 {
	cells, of, by := map[[2]any]float64{}, map[any]float64{}, map[any]float64{}
	for _, r := range rows {
		cells[[2]any{r[0], r[1]}]++
		of[r[0]]++
		by[r[1]]++
	}
	n, chi2, least := float64(len(rows)), 0.0, math.Inf(1)
	for a, na := range of {
		for b, nb := range by {
			expected := na * nb / n
			least = min(least, expected)
			off := cells[[2]any{a, b}] - expected
			chi2 += off * off / expected
		}
	}
	out := map[string]float64{"least": least}
	if len(of) > 1 && len(by) > 1 {
		df := float64((len(of) - 1) * (len(by) - 1))
		out["df"], out["chi2"], out["p"] = df, chi2, distuv.ChiSquared{K: df}.Survival(chi2)
		out["v"] = math.Sqrt(chi2 / (n * float64(min(len(of), len(by))-1)))
	}
	return out
}

// mannWhitney counts the pairs of both sides in which the first value is higher.
func mannWhitney(x []float64, rows [][]any) map[string]float64 {
	var a, b []float64
	for i, r := range rows {
		if r[1] == true {
			a = append(a, x[i])
		} else {
			b = append(b, x[i])
		}
	}
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	u := 0.0
	for _, v := range a {
		for _, w := range b {
			switch {
			case v > w:
				u++
			case v == w:
				u += 0.5
			}
		}
	}
	ties := map[float64]float64{}
	for _, v := range x {
		ties[v]++
	}
	tied := 0.0
	for _, t := range ties {
		tied += t*t*t - t
	}
	na, nb, n := float64(len(a)), float64(len(b)), float64(len(x))
	out := map[string]float64{"u": u}
	if sigma := math.Sqrt(na * nb / 12 * (n + 1 - tied/(n*(n-1)))); sigma > 1e-9 {
		far := u - na*nb/2
		out["z"] = math.Copysign(max(math.Abs(far)-0.5, 0), far) / sigma
		out["p"] = math.Erfc(math.Abs(out["z"]) / math.Sqrt2)
	}
	return out
}

// normality is the test of D'Agostino, Belanger and D'Agostino Jr. (1990), as in its section "A suggestion".
func normality(x []float64) map[string]float64 {
	n := float64(len(x))
	if n < 8 || moment(x, 2) < 1e-24 {
		return nil
	}
	g1, b2 := moment(x, 3)/math.Pow(moment(x, 2), 1.5), moment(x, 4)/math.Pow(moment(x, 2), 2)
	y := g1 * math.Sqrt((n+1)*(n+3)/(6*(n-2)))
	beta := 3 * (n*n + 27*n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
	w2 := -1 + math.Sqrt(2*(beta-1))
	z1 := math.Asinh(y/math.Sqrt(2/(w2-1))) / math.Sqrt(math.Log(math.Sqrt(w2)))
	variance := 24 * n * (n - 2) * (n - 3) / ((n + 1) * (n + 1) * (n + 3) * (n + 5))
	standard := (b2 - 3*(n-1)/(n+1)) / math.Sqrt(variance)
	root := 6 * (n*n - 5*n + 2) / ((n + 7) * (n + 9)) * math.Sqrt(6*(n+3)*(n+5)/(n*(n-2)*(n-3)))
	a := 6 + 8/root*(2/root+math.Sqrt(1+4/(root*root)))
	z2 := (1 - 2/(9*a) - math.Cbrt((1-2/a)/(1+standard*math.Sqrt(2/(a-4))))) / math.Sqrt(2/(9*a))
	k2 := z1*z1 + z2*z2
	return map[string]float64{"k2": k2, "p": math.Exp(-k2 / 2)}
}

func paired(y, x []float64) map[string]float64 {
	var d []float64
	for i := range y {
		d = append(d, y[i]-x[i])
	}
	if len(d) < 2 {
		return nil
	}
	n := float64(len(d))
	out := map[string]float64{"df": n - 1}
	if s := math.Sqrt(moment(d, 2) * n / (n - 1)); s > 1e-12 {
		out["t"] = mean(d) / (s / math.Sqrt(n))
		out["p"] = twoSided(out["t"], n-1)
	}
	return out
}

// regression solves the normal equations of the centred columns, the first of which is y, with fractions: they lose no digits. term
// is the predictor whose parts are wanted.
func regression(columns [][]float64, term int) map[string]float64 {
	k, n := len(columns)-1, len(columns[0])
	if n < k+2 {
		return nil
	}
	means := make([]*big.Rat, k+1)
	centred := make([][]*big.Rat, k+1)
	for i, c := range columns {
		means[i] = new(big.Rat)
		for _, x := range c {
			means[i].Add(means[i], new(big.Rat).SetFloat64(x))
		}
		means[i].Quo(means[i], big.NewRat(int64(n), 1))
		for _, x := range c {
			centred[i] = append(centred[i], new(big.Rat).Sub(new(big.Rat).SetFloat64(x), means[i]))
		}
	}
	product := func(a, b []*big.Rat) *big.Rat {
		sum := new(big.Rat)
		for i := range a {
			sum.Add(sum, new(big.Rat).Mul(a[i], b[i]))
		}
		return sum
	}
	// Each row is one of X'X, of the unit matrix and of X'y; elimination leaves the inverse and the coefficients.
	rows := make([][]*big.Rat, k)
	for i := range rows {
		for j := range k {
			rows[i] = append(rows[i], product(centred[i+1], centred[j+1]))
		}
		for j := range k {
			rows[i] = append(rows[i], big.NewRat(map[bool]int64{true: 1}[i == j], 1))
		}
		rows[i] = append(rows[i], product(centred[i+1], centred[0]))
	}
	for i := range rows {
		own, _ := product(centred[i+1], centred[i+1]).Float64()
		left, _ := rows[i][i].Float64()
		if left <= 1e-12*own {
			return nil
		}
		pivot := new(big.Rat).Set(rows[i][i])
		for j := range rows[i] {
			rows[i][j] = new(big.Rat).Quo(rows[i][j], pivot)
		}
		for o := range rows {
			if o == i {
				continue
			}
			times := new(big.Rat).Set(rows[o][i])
			for j := range rows[o] {
				rows[o][j] = new(big.Rat).Sub(rows[o][j], new(big.Rat).Mul(times, rows[i][j]))
			}
		}
	}
	float := func(x *big.Rat) float64 { f, _ := x.Float64(); return f }
	intercept, rest := new(big.Rat).Set(means[0]), product(centred[0], centred[0])
	total := float(rest)
	for i := range rows {
		b := rows[i][2*k]
		intercept.Sub(intercept, new(big.Rat).Mul(b, means[i+1]))
		rest.Sub(rest, new(big.Rat).Mul(b, product(centred[i+1], centred[0])))
	}
	left, df := float(rest), float64(n-k-1)
	if left <= 1e-28*total {
		left = 0
	}
	out := map[string]float64{"intercept": float(intercept), "df": df}
	if total > 0 {
		out["r2"] = 1 - left/total
		out["adjusted_r2"] = 1 - left/total*float64(n-1)/df
	}
	if left > 0 {
		out["f"] = (total - left) / float64(k) / (left / df)
		out["p_of_f"] = distuv.F{D1: float64(k), D2: df}.Survival(out["f"])
	}
	if term > 0 {
		b, se := float(rows[term-1][2*k]), math.Sqrt(left/df*float(rows[term-1][k+term-1]))
		out["coefficient"], out["se"] = b, se
		if se > 0 {
			out["t"] = b / se
			out["p"] = twoSided(out["t"], df)
		}
	}
	return out
}

// test is a test of the numbers of a table, or of other values of its rows.
func (r *Trees) test(t query.Table, a, b query.Number) (query.Measure, error) {
	switch r.IntN(6) {
	case 0:
		return r.m.Anova(pick(r, "f", "df_between", "df_within", "p"), a, r.near(t))
	case 1:
		return r.m.Independence(pick(r, "chi2", "df", "p", "least", "v"), t, r.near(t), r.near(t))
	case 2:
		p, ok := r.side(t)
		if !ok {
			return nil, fmt.Errorf("no two sets of rows")
		}
		return r.m.MannWhitney(pick(r, "u", "z", "p"), a, p, query.Not(p))
	case 3:
		return r.m.Normality(pick(r, "k2", "p"), a)
	case 4:
		return r.m.Paired(pick(r, "t", "df", "p"), a, b)
	}
	xs := []query.Number{b}
	if r.IntN(2) == 0 {
		xs = append(xs, r.number(t))
	}
	if r.IntN(2) == 0 {
		return r.m.Fit(pick(r, "coefficient", "se", "t", "p"), 1+r.IntN(len(xs)), a, xs...)
	}
	return r.m.Fit(pick(r, "intercept", "r2", "adjusted_r2", "f", "df", "p_of_f"), 0, a, xs...)
}
