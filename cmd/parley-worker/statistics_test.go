package main

// The statistics of analyst/statistics over the real engine, compared with an independent computation over rows in memory.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"parley.dev/parley/analyst/statistics"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// sample is a table in memory. A missing number is NaN, and a missing group is "".
type sample struct {
	numbers map[string][]float64
	groups  map[string][]string
	days    []time.Time
	size    int
}

// names are the columns of numbers: b depends on a, c has ties, same is constant, large has digits that sums of squares
// lose.
func names() []string { return []string{"a", "b", "c", "same", "large"} }

func newSample(r *rand.Rand, size int) *sample {
	s := &sample{numbers: map[string][]float64{}, groups: map[string][]string{}, size: size}
	missing := func(x float64) float64 {
		if r.Float64() < 0.1 {
			return math.NaN()
		}
		return x
	}
	for i := range size {
		a := r.NormFloat64()*3 + 1
		for name, x := range map[string]float64{
			"a": a, "b": 2*a + r.NormFloat64(), "c": float64(r.IntN(6)), "same": 0.1, "large": 1e9 + r.Float64(),
		} {
			s.numbers[name] = append(s.numbers[name], missing(x))
		}
		g := []string{"x", "y", "z", ""}[r.IntN(4)]
		if i == 0 {
			g = "alone"
		}
		s.groups["g"] = append(s.groups["g"], g)
		s.groups["two"] = append(s.groups["two"], []string{"p", "q"}[r.IntN(2)])
		s.days = append(s.days, time.Date(2025, time.Month(1+r.IntN(5)*2), 1+r.IntN(28), 0, 0, 0, 0, time.UTC))
	}
	return s
}

func (s *sample) csv() string {
	var b strings.Builder
	b.WriteString("a,b,c,same,large,g,two,day\n")
	for i := range s.size {
		for _, name := range names() {
			if x := s.numbers[name][i]; !math.IsNaN(x) {
				b.WriteString(strconv.FormatFloat(x, 'f', -1, 64))
			}
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%s,%s,%s\n", s.groups["g"][i], s.groups["two"][i], s.days[i].Format(time.DateOnly))
	}
	return b.String()
}

// rows returns the values of columns in the rows in which none is missing, and that pass a test.
func (s *sample) rows(keep func(i int) bool, columns ...string) [][]float64 {
	out := make([][]float64, len(columns))
	for i := range s.size {
		if keep != nil && !keep(i) || slices.ContainsFunc(columns, func(c string) bool { return math.IsNaN(s.numbers[c][i]) }) {
			continue
		}
		for k, c := range columns {
			out[k] = append(out[k], s.numbers[c][i])
		}
	}
	return out
}

func (s *sample) in(column, group string) func(int) bool {
	return func(i int) bool { return s.groups[column][i] == group }
}

// laboratory asks the worker for statistics of a sample.
type laboratory struct {
	t *testing.T
	b *bundle
	s domain.DataSource
	*sample
}

func newLaboratory(t *testing.T, b *bundle, s *sample) *laboratory {
	t.Helper()
	source, _ := b.prepare(t, "sample.csv", s.csv())
	return &laboratory{t: t, b: b, s: source, sample: s}
}

// records asks for a statistic and returns its rows by the names of the columns. No figure may be infinite.
func (l *laboratory) records(q statistics.Request) []map[string]any {
	l.t.Helper()
	q.From, q.Known = sqltext.QuoteName(l.s.Resources[0].Table), l.s.Resources[0].Columns
	sql, err := q.SQL()
	require.NoError(l.t, err)
	found, err := l.b.bench.Query(l.t.Context(), []domain.DataSource{l.s}, sql)
	require.NoError(l.t, err, sql)
	require.False(l.t, found.Truncated)
	out := make([]map[string]any, len(found.Rows))
	for i, row := range found.Rows {
		out[i] = map[string]any{}
		for k, c := range found.Columns {
			out[i][c.Name] = row[k]
			if x, ok := row[k].(float64); ok {
				require.False(l.t, math.IsInf(x, 0) || math.IsNaN(x), c.Name)
			}
			if text, ok := row[k].(string); ok {
				require.NotContains(l.t, []string{"inf", "-inf", "nan", "Infinity", "NaN"}, text, c.Name)
			}
		}
	}
	return out
}

func (l *laboratory) one(q statistics.Request) map[string]any {
	l.t.Helper()
	out := l.records(q)
	require.Len(l.t, out, 1)
	return out[0]
}

// near requires a figure to be a number to 9 digits.
func (l *laboratory) near(want float64, got any, what ...any) {
	l.t.Helper()
	require.NotNil(l.t, got, what...)
	require.InDelta(l.t, want, toFloat(got), 1e-9*math.Max(1, math.Abs(want)), what...)
}

func toFloat(v any) float64 {
	switch n := v.(type) {
	case float64:
		return n
	case int64:
		return float64(n)
	}
	f, err := strconv.ParseFloat(fmt.Sprint(v), 64)
	if err != nil {
		return math.NaN()
	}
	return f
}

// quantile is the linear interpolation between order statistics (type 7 of Hyndman and Fan).
func quantile(x []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	at := p * float64(len(sorted)-1)
	low := int(at)
	if low+1 == len(sorted) {
		return sorted[low]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}

// midRanks ranks values by counting, which is slow and plain.
func midRanks(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		less, equal := 0, 0
		for _, w := range x {
			if w < v {
				less++
			} else if w == v {
				equal++
			}
		}
		out[i] = float64(less) + float64(equal+1)/2
	}
	return out
}

func twoSided(t, df float64) float64 {
	return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Survival(math.Abs(t))
}

func centred(x []float64, power float64) float64 {
	mean, sum := stat.Mean(x, nil), 0.0
	for _, v := range x {
		sum += math.Pow(v-mean, power)
	}
	return sum / float64(len(x))
}

// TestStatistics_Oracle compares each statistic on random samples of several sizes.
func TestStatistics_Oracle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for seed, size := range []int{40, 400, 3000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			l := newLaboratory(t, b, newSample(rand.New(rand.NewPCG(uint64(seed), 7)), size))
			l.testProfile()
			l.testNormality()
			l.testOutliers()
			l.testCorrelation()
			l.testRegression()
			l.testChange()
			l.testBins()
			l.testTwoGroups()
			l.testPaired()
			l.testAnova()
			l.testChiSquare()
		})
	}
}

// TestStatistics_NamesOfTables checks tables that have the name of a part of the statement.
func TestStatistics_NamesOfTables(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, name := range []string{"v", "m", "s", "b", "t", "k", "c0"} {
		s, _ := b.prepare(t, name+".csv", "x,y\n1,2\n2,3\n3,5\n1,4\n100,2\n")
		l := &laboratory{t: t, b: b, s: s}
		require.Equal(t, name, s.Resources[0].Table)
		l.near(100, l.one(statistics.Request{Kind: statistics.Profile, Columns: []string{"x"}})["max"])
		l.near(100, l.one(statistics.Request{Kind: statistics.Outliers, Columns: []string{"x"}, Method: "iqr", Rows: true})["x"])
		l.near(5, l.one(statistics.Request{Kind: statistics.Correlation, Columns: []string{"x", "y"}})["n"])
		l.near(5, l.records(statistics.Request{Kind: statistics.Regression, Columns: []string{"x", "y"}})[0]["n"])
	}
}

func (l *laboratory) testProfile() {
	l.t.Helper()
	got := l.records(statistics.Request{Kind: statistics.Profile, Columns: []string{"a", "large", "c", "g", "same"}})
	require.Len(l.t, got, 5)
	for i, name := range []string{"a", "large", "c"} {
		x := l.rows(nil, name)[0]
		g := got[i]
		l.near(float64(l.size-len(x)), g["missing"], name)
		l.near(float64(len(x)), g["numbers"], name)
		l.near(stat.Mean(x, nil), g["mean"], name)
		l.near(quantile(x, 0.25), g["q1"], name)
		l.near(quantile(x, 0.5), g["median"], name)
		l.near(quantile(x, 0.75), g["q3"], name)
		if name == "large" {
			// The subtraction is exact, and without it the oracle's own mean is too rough.
			for i := range x {
				x[i] -= 1e9
			}
		}
		l.near(stat.StdDev(x, nil), g["sd_sample"], name)
		l.near(stat.Skew(x, nil), g["skewness_sample"], name)
		l.near(stat.ExKurtosis(x, nil), g["excess_kurtosis_sample"], name)
		require.Nil(l.t, g["note"])
	}
	require.Nil(l.t, got[3]["mean"])
	require.Contains(l.t, got[3]["note"], "not a number")
	missing := 0
	for _, g := range l.groups["g"] {
		if g == "" {
			missing++
		}
	}
	l.near(float64(missing), got[3]["missing"])
	l.near(0, got[4]["sd_sample"])
	require.Nil(l.t, got[4]["skewness_sample"])
	require.Contains(l.t, got[4]["note"], "the same")

	byGroup := l.records(statistics.Request{Kind: statistics.Profile, Columns: []string{"a"}, By: "g"})
	require.Len(l.t, byGroup, 5, "three groups, one of one row, and the rows without a group")
	require.Equal(l.t, "alone", byGroup[0]["g"])
	require.Nil(l.t, byGroup[0]["sd_sample"])
	require.NotEmpty(l.t, byGroup[0]["note"])
	l.near(stat.Mean(l.rows(l.in("g", "x"), "a")[0], nil), byGroup[1]["mean"])
	require.Nil(l.t, byGroup[4]["g"])
	l.near(stat.Mean(l.rows(l.in("g", ""), "a")[0], nil), byGroup[4]["mean"])
}

func (l *laboratory) testNormality() {
	l.t.Helper()
	for _, name := range []string{"a", "c"} {
		x := l.rows(nil, name)[0]
		n := float64(len(x))
		skew := centred(x, 3) / math.Pow(centred(x, 2), 1.5)
		kurt := centred(x, 4)/math.Pow(centred(x, 2), 2) - 3
		jb := n / 6 * (skew*skew + kurt*kurt/4)
		got := l.one(statistics.Request{Kind: statistics.JarqueBera, Columns: []string{name}})
		l.near(jb, got["statistic"], name)
		l.near(distuv.ChiSquared{K: 2}.Survival(jb), got["p"], name)

		z1, z2 := skewDeviate(skew, n), kurtosisDeviate(kurt+3, n)
		got = l.one(statistics.Request{Kind: statistics.DAgostino, Columns: []string{name}})
		l.near(z1*z1+z2*z2, got["statistic"], name)
		l.near(math.Exp(-(z1*z1+z2*z2)/2), got["p"], name)
	}
	got := l.one(statistics.Request{Kind: statistics.JarqueBera, Columns: []string{"same"}})
	require.Nil(l.t, got["p"])
	require.Contains(l.t, got["note"], "the same")
	got = l.records(statistics.Request{Kind: statistics.DAgostino, Columns: []string{"a"}, By: "g"})[0]
	require.Nil(l.t, got["p"])
}

// skewDeviate and kurtosisDeviate follow the formulas of scipy.stats.skewtest and kurtosistest.
func skewDeviate(b2, n float64) float64 {
	y := b2 * math.Sqrt(((n+1)*(n+3))/(6*(n-2)))
	beta2 := 3 * (n*n + 27*n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
	w2 := -1 + math.Sqrt(2*(beta2-1))
	delta := 1 / math.Sqrt(0.5*math.Log(w2))
	alpha := math.Sqrt(2 / (w2 - 1))
	return delta * math.Log(y/alpha+math.Sqrt((y/alpha)*(y/alpha)+1))
}

func kurtosisDeviate(b2, n float64) float64 {
	e := 3 * (n - 1) / (n + 1)
	variance := 24 * n * (n - 2) * (n - 3) / ((n + 1) * (n + 1) * (n + 3) * (n + 5))
	x := (b2 - e) / math.Sqrt(variance)
	root := 6 * (n*n - 5*n + 2) / ((n + 7) * (n + 9)) * math.Sqrt((6*(n+3)*(n+5))/(n*(n-2)*(n-3)))
	a := 6 + 8/root*(2/root+math.Sqrt(1+4/(root*root)))
	denominator := 1 + x*math.Sqrt(2/(a-4))
	term := math.Copysign(math.Cbrt((1-2/a)/math.Abs(denominator)), denominator)
	return (1 - 2/(9*a) - term) / math.Sqrt(2/(9*a))
}

func (l *laboratory) testOutliers() {
	l.t.Helper()
	x := l.rows(nil, "a")[0]
	count := func(lower, upper float64) (n float64) {
		for _, v := range x {
			if v < lower || v > upper {
				n++
			}
		}
		return n
	}
	mean, sd := stat.MeanStdDev(x, nil)
	z := statistics.Request{Kind: statistics.Outliers, Columns: []string{"a"}, K: 1.5}
	got := l.one(z)
	l.near(mean-1.5*sd, got["lower_bound"])
	l.near(count(mean-1.5*sd, mean+1.5*sd), got["outliers"])
	l.near(float64(l.size-len(x)), got["left_out"])
	z.Rows = true
	require.Len(l.t, l.records(z), int(count(mean-1.5*sd, mean+1.5*sd)))

	q1, q3 := quantile(x, 0.25), quantile(x, 0.75)
	got = l.one(statistics.Request{Kind: statistics.Outliers, Columns: []string{"a"}, Method: "iqr"})
	l.near(q3+1.5*(q3-q1), got["upper_bound"])
	l.near(count(q1-1.5*(q3-q1), q3+1.5*(q3-q1)), got["outliers"])
	got = l.records(statistics.Request{Kind: statistics.Outliers, Columns: []string{"a"}, By: "g"})[0]
	l.near(0, got["outliers"])
	require.NotEmpty(l.t, got["note"], "a group of one row")
	require.Contains(l.t, l.one(statistics.Request{Kind: statistics.Outliers, Columns: []string{"same"}})["note"], "spread is zero")
}

func (l *laboratory) testCorrelation() {
	l.t.Helper()
	for _, method := range []string{"pearson", "spearman"} {
		got := l.records(statistics.Request{Kind: statistics.Correlation, Columns: []string{"c", "a", "b", "same"}, Method: method})
		require.Len(l.t, got, 6)
		require.Equal(l.t, []any{"a", "b"}, []any{got[0]["first"], got[0]["second"]}, "the strongest pair is first")
		for _, g := range got[:3] {
			pair := l.rows(nil, fmt.Sprint(g["first"]), fmt.Sprint(g["second"]))
			x, y := pair[0], pair[1]
			if method == "spearman" {
				x, y = midRanks(x), midRanks(y)
			}
			r, n := stat.Correlation(x, y, nil), float64(len(x))
			l.near(r, g[method+"_r"])
			l.near(n, g["n"])
			l.near(twoSided(r*math.Sqrt((n-2)/(1-r*r)), n-2), g["p"])
		}
		for _, g := range got[3:] {
			require.Nil(l.t, g["p"])
			require.Contains(l.t, g["note"], "one value only")
		}
	}
	byGroup := l.records(statistics.Request{Kind: statistics.Correlation, Columns: []string{"a", "b"}, By: "g"})
	require.Len(l.t, byGroup, 5)
	for _, g := range byGroup {
		if g["g"] == "alone" {
			require.Nil(l.t, g["pearson_r"])
			require.Contains(l.t, g["note"], "fewer than 3 rows")
		}
		if g["g"] == "y" {
			pair := l.rows(l.in("g", "y"), "a", "b")
			l.near(stat.Correlation(pair[0], pair[1], nil), g["pearson_r"])
		}
	}
}

func (l *laboratory) testRegression() {
	l.t.Helper()
	for _, columns := range [][]string{{"b", "a"}, {"b", "a", "c"}, {"b", "c", "a", "large"}} {
		want := leastSquares(l.rows(nil, columns...))
		got := l.records(statistics.Request{Kind: statistics.Regression, Columns: slices.Clone(columns)})
		require.Len(l.t, got, len(columns))
		require.Equal(l.t, "(intercept)", got[0]["term"])
		for i := 1; i < len(columns); i++ {
			require.Equal(l.t, columns[i], got[i]["term"])
			// The oracle solves by QR of the raw columns, and "large" costs it digits.
			require.InEpsilon(l.t, want.b[i], got[i]["coefficient"], 1e-5, columns[i])
			require.InEpsilon(l.t, want.se[i], got[i]["standard_error"], 1e-5, columns[i])
			require.InDelta(l.t, twoSided(want.b[i]/want.se[i], want.df), got[i]["p"], 1e-6, columns[i])
		}
		l.near(want.df, got[0]["df"])
		l.near(want.r2, got[0]["r2"])
		if len(columns) < 4 {
			l.near(want.b[0], got[0]["coefficient"])
			l.near(want.se[0], got[0]["standard_error"])
		}
	}
	for _, g := range l.records(statistics.Request{Kind: statistics.Regression, Columns: []string{"b", "a"}, By: "g"}) {
		if g["g"] == "alone" {
			require.Nil(l.t, g["coefficient"])
			require.NotEmpty(l.t, g["note"])
		}
		if g["g"] == "x" && g["term"] == "a" {
			l.near(leastSquares(l.rows(l.in("g", "x"), "b", "a")).b[1], g["coefficient"])
		}
	}
	got := l.records(statistics.Request{Kind: statistics.Regression, Columns: []string{"b", "a", "same"}})
	require.Nil(l.t, got[1]["coefficient"])
	require.Contains(l.t, got[1]["note"], "one value only")
}

type fit struct {
	b, se  []float64
	r2, df float64
}

// leastSquares fits the first column by the others.
func leastSquares(columns [][]float64) fit {
	n, k := len(columns[0]), len(columns)
	// Shifted predictors have the same slopes, and the oracle keeps its digits; the intercept is shifted back.
	shift := make([]float64, k)
	x := mat.NewDense(n, k, nil)
	for j := 1; j < k; j++ {
		shift[j] = stat.Mean(columns[j], nil)
	}
	for i := range n {
		x.Set(i, 0, 1)
		for j := 1; j < k; j++ {
			x.Set(i, j, columns[j][i]-shift[j])
		}
	}
	y := mat.NewVecDense(n, columns[0])
	var qr mat.QR
	qr.Factorize(x)
	var b mat.VecDense
	if err := qr.SolveVecTo(&b, false, y); err != nil {
		return fit{}
	}
	var fitted mat.VecDense
	fitted.MulVec(x, &b)
	rest, total, mean := 0.0, 0.0, stat.Mean(columns[0], nil)
	for i := range n {
		rest += math.Pow(columns[0][i]-fitted.AtVec(i), 2)
		d := columns[0][i] - mean
		total += d * d
	}
	var square, inverse mat.Dense
	square.Mul(x.T(), x)
	if err := inverse.Inverse(&square); err != nil {
		return fit{}
	}
	out := fit{r2: 1 - rest/total, df: float64(n - k), b: make([]float64, k), se: make([]float64, k)}
	toRaw := make([]float64, k)
	toRaw[0] = 1
	for j := 1; j < k; j++ {
		toRaw[j] = -shift[j]
	}
	for j := range k {
		out.b[j] = b.AtVec(j)
		out.se[j] = math.Sqrt(rest / out.df * inverse.At(j, j))
	}
	variance := 0.0
	for i := range k {
		for j := range k {
			variance += toRaw[i] * toRaw[j] * inverse.At(i, j)
		}
		if i > 0 {
			out.b[0] -= shift[i] * out.b[i]
		}
	}
	out.se[0] = math.Sqrt(rest / out.df * variance)
	return out
}

func (l *laboratory) testChange() {
	l.t.Helper()
	sums := map[time.Month]float64{}
	for i, d := range l.days {
		if x := l.numbers["c"][i]; !math.IsNaN(x) {
			sums[d.Month()] += x
		}
	}
	got := l.records(statistics.Request{Kind: statistics.Change, Columns: []string{"c", "day"}})
	require.Len(l.t, got, len(sums))
	require.Equal(l.t, "the first month", got[0]["note"])
	for _, g := range got[1:] {
		// Every second month has rows, so no month has one before it.
		require.Nil(l.t, g["percent_change"])
		require.Contains(l.t, g["note"], "the month before has no rows")
	}
	byQuarter := map[int]float64{}
	for m, x := range sums {
		byQuarter[(int(m)-1)/3] += x
	}
	got = l.records(statistics.Request{Kind: statistics.Change, Columns: []string{"c", "day"}, Step: "quarter"})
	for i, g := range got {
		l.near(byQuarter[i], g["value"])
		if i > 0 {
			l.near(100*(byQuarter[i]-byQuarter[i-1])/byQuarter[i-1], g["percent_change"])
		}
	}
}

func (l *laboratory) testBins() {
	l.t.Helper()
	x := l.rows(nil, "a")[0]
	for _, q := range []statistics.Request{
		{Kind: statistics.Bins, Columns: []string{"a"}, Count: 7},
		{Kind: statistics.Bins, Columns: []string{"a"}, Count: 4, Method: "quantile"},
		{Kind: statistics.Bins, Columns: []string{"a"}, Edges: []float64{-1, 0, 0.5, 3}},
	} {
		total := 0.0
		for _, g := range l.records(q) {
			lower, upper, n := math.Inf(-1), math.Inf(1), 0.0
			if g["from"] != nil {
				lower = toFloat(g["from"])
			}
			if g["to"] != nil {
				upper = toFloat(g["to"])
			}
			last := upper == slices.Max(x) || g["to"] != nil && upper == 3 && g["from"] != nil
			for _, v := range x {
				if v >= lower && (v < upper || last && v <= upper) && (g["to"] != nil || v > lower) {
					n++
				}
			}
			l.near(n, g["rows"], g)
			total += n
		}
		l.near(float64(len(x)), total)
	}
	got := l.records(statistics.Request{Kind: statistics.Bins, Columns: []string{"same"}, Count: 3})
	require.Len(l.t, got, 3)
	l.near(float64(len(l.rows(nil, "same")[0])), got[2]["rows"])
}

func (l *laboratory) testTwoGroups() {
	l.t.Helper()
	p, q := l.rows(l.in("two", "p"), "c")[0], l.rows(l.in("two", "q"), "c")[0]
	n, m := float64(len(p)), float64(len(q))
	v, w := stat.Variance(p, nil)/n, stat.Variance(q, nil)/m
	statistic := (stat.Mean(p, nil) - stat.Mean(q, nil)) / math.Sqrt(v+w)
	df := (v + w) * (v + w) / (v*v/(n-1) + w*w/(m-1))
	got := l.one(statistics.Request{Kind: statistics.WelchT, Columns: []string{"c"}, By: "two"})
	l.near(statistic, got["t"])
	l.near(df, got["df"])
	l.near(twoSided(statistic, df), got["p"])
	turned := l.one(statistics.Request{Kind: statistics.WelchT, Columns: []string{"c"}, By: "two", Groups: []string{"q", "p"}})
	l.near(-statistic, turned["t"])

	all := midRanks(slices.Concat(p, q))
	u := -n * (n + 1) / 2
	for _, r := range all[:len(p)] {
		u += r
	}
	ties, seen := 0.0, map[float64]float64{}
	for _, r := range all {
		seen[r]++
	}
	for _, c := range seen {
		ties += c*c*c - c
	}
	sigma := math.Sqrt(n * m / 12 * (n + m + 1 - ties/((n+m)*(n+m-1))))
	z := math.Max(math.Abs(u-n*m/2)-0.5, 0) / sigma
	got = l.one(statistics.Request{Kind: statistics.MannWhitney, Columns: []string{"c"}, By: "two"})
	l.near(u, got["first_u"])
	l.near(z, math.Abs(toFloat(got["z"])))
	l.near(2*distuv.UnitNormal.Survival(z), got["p"])

	for _, kind := range []statistics.Kind{statistics.WelchT, statistics.MannWhitney} {
		got = l.one(statistics.Request{Kind: kind, Columns: []string{"c"}, By: "g"})
		require.Nil(l.t, got["p"])
		require.Contains(l.t, got["note"], "more than two groups")
		got = l.one(statistics.Request{Kind: kind, Columns: []string{"same"}, By: "two"})
		require.Nil(l.t, got["p"])
		require.NotEmpty(l.t, got["note"])
		got = l.one(statistics.Request{Kind: kind, Columns: []string{"c"}, By: "g", Groups: []string{"x", "nobody"}})
		require.Contains(l.t, got["note"], "both of the named groups")
	}
}

func (l *laboratory) testPaired() {
	l.t.Helper()
	rows := l.rows(nil, "a", "b")
	d := make([]float64, len(rows[0]))
	for i := range d {
		d[i] = rows[0][i] - rows[1][i]
	}
	n := float64(len(d))
	statistic := stat.Mean(d, nil) / (stat.StdDev(d, nil) / math.Sqrt(n))
	got := l.one(statistics.Request{Kind: statistics.PairedT, Columns: []string{"a", "b"}})
	l.near(statistic, got["t"])
	l.near(twoSided(statistic, n-1), got["p"])
	l.near(float64(l.size)-n, got["left_out"])
}

func (l *laboratory) testAnova() {
	l.t.Helper()
	between, within, total, sum, groups := 0.0, 0.0, 0.0, 0.0, 0.0
	var parts [][]float64
	for _, g := range []string{"x", "y", "z", "alone"} {
		if x := l.rows(l.in("g", g), "c")[0]; len(x) > 0 {
			parts = append(parts, x)
			groups++
			for _, v := range x {
				total++
				sum += v
			}
		}
	}
	for _, x := range parts {
		mean := stat.Mean(x, nil)
		between += float64(len(x)) * (mean - sum/total) * (mean - sum/total)
		within += centred(x, 2) * float64(len(x))
	}
	f := between / (groups - 1) / (within / (total - groups))
	got := l.one(statistics.Request{Kind: statistics.Anova, Columns: []string{"c"}, By: "g"})
	l.near(groups, got["groups"])
	l.near(f, got["f"])
	l.near(distuv.F{D1: groups - 1, D2: total - groups}.Survival(f), got["p"])
	require.Contains(l.t, l.one(statistics.Request{Kind: statistics.Anova, Columns: []string{"same"}, By: "g"})["note"], "spread")
}

func (l *laboratory) testChiSquare() {
	l.t.Helper()
	cells, rows, columns, n := map[[2]string]float64{}, map[string]float64{}, map[string]float64{}, 0.0
	for i := range l.size {
		g, h := l.groups["g"][i], l.groups["two"][i]
		if g == "" {
			continue
		}
		cells[[2]string{g, h}]++
		rows[g]++
		columns[h]++
		n++
	}
	chi2 := 0.0
	for g, r := range rows {
		for h, c := range columns {
			e := r * c / n
			d := cells[[2]string{g, h}] - e
			chi2 += d * d / e
		}
	}
	df := float64((len(rows) - 1) * (len(columns) - 1))
	got := l.one(statistics.Request{Kind: statistics.ChiSquare, Columns: []string{"g", "two"}})
	l.near(chi2, got["chi2"])
	l.near(df, got["df"])
	l.near(distuv.ChiSquared{K: df}.Survival(chi2), got["p"])
	require.Contains(l.t, got["note"], "below 5", "a group of one row")
	require.Contains(l.t, l.one(statistics.Request{Kind: statistics.ChiSquare, Columns: []string{"same", "two"}})["note"], "one value only")
}
