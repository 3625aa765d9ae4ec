package query

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// The facts of tests. Each is built in layers: the rows that count, with the values that the test is about; what windows add to each
// row; and one row for each group with all parts of the result. Windows repeat no rows, and means and variances are used where a sum
// of squares would lose the digits of large values that differ little.

// layers is a SELECT that grows from the inside.
type layers struct {
	sql  string
	dims []string
}

// over writes a window within the groups of the answer, and within further columns.
func (l *layers) over(columns ...string) string {
	all := l.dims
	if len(columns) > 0 {
		all = append(slices.Clone(l.dims), columns...)
	}
	if len(all) == 0 {
		return " OVER ()"
	}
	return " OVER (PARTITION BY " + strings.Join(all, ", ") + ")"
}

// add adds columns to each row. What is used again is a layer of its own, because a column of the same layer would be written out at
// each use, and the plan of the statement would grow with each step.
func (l *layers) add(columns ...string) {
	l.sql = "SELECT *, " + strings.Join(columns, ", ") + l.from()
}

// replace computes columns of each row again.
func (l *layers) replace(columns ...string) {
	l.sql = "SELECT * REPLACE (" + strings.Join(columns, ", ") + ")" + l.from()
}

// sum makes one row of each group. A column can use those before it.
func (l *layers) sum(columns ...string) {
	by := ""
	if len(l.dims) > 0 {
		by = "\nGROUP BY " + strings.Join(l.dims, ", ")
	}
	l.sql = "SELECT " + strings.Join(append(slices.Clone(l.dims), columns...), ", ") + l.from() + by
}

func (l *layers) from() string { return "\nFROM (" + l.sql + ")" }

// tested is the fact of a test, with all of its parts.
func (f *facts) tested(l leaf) *fact {
	s := f.c.scope(l.home)
	dims := f.dims(s)
	values, conditions := f.c.tests(s, l.n)
	columns, _ := named(dims)
	for i, v := range values {
		columns = append(columns, v+" AS "+rowColumns(l.n)[i])
	}
	where := s.where(slices.Concat(f.where, l.when))
	for _, c := range conditions {
		where = and(where, c)
	}
	rows := &layers{sql: "SELECT " + strings.Join(columns, ", ") + " FROM " + s.from.String() + where}
	for i := range dims {
		rows.dims = append(rows.dims, fmt.Sprintf(`"d%d"`, i+1))
	}
	p := func(function string, arguments ...string) string { return f.c.must(f.c.d.P(function, arguments...)) }
	switch l.n.Op {
	case opAnova:
		rows.anova(p)
	case opChi2:
		rows.chi2(p)
	case opMann:
		rows.mannWhitney(p)
	case opNormality:
		rows.normality(p)
	case opPaired:
		rows.paired(p)
	case opFit:
		rows.fit(len(l.n.Kids)-1, p)
	}
	alias := f.c.fresh("test")
	out := f.over(l.home, alias, "("+rows.sql+")", len(dims), overTest(alias, l.n))
	out.alias = alias
	return out
}

// overTest reads a part of a test. A group has one row of parts, so its highest value is the part itself.
func overTest(alias string, n *node) string {
	name := n.word(0)
	if n.Op == opFit && n.Numbers[0] > 0 {
		name += number(n.Numbers[0])
	}
	return "max(" + sqltext.QuoteName(alias) + "." + sqltext.QuoteName(name) + ")"
}

// rowColumns names the values of a row that a test is about.
func rowColumns(n *node) []string {
	switch n.Op {
	case opAnova:
		return []string{"x", "g"}
	case opChi2:
		return []string{"a", "b"}
	case opMann:
		return []string{"x", "side"}
	case opNormality:
		return []string{"x"}
	case opPaired:
		return []string{"y", "x"}
	}
	out := []string{"y"}
	for i := range n.Kids[1:] {
		out = append(out, fmt.Sprintf("x%d", i+1))
	}
	return out
}

// tests writes the values of a row that a test is about, and the conditions that all of them are known.
func (c *compiler) tests(s *scope, n *node) (values, conditions []string) {
	for i, k := range n.Kids {
		switch {
		case n.Op == opMann && i == 1:
			one, other := s.pred(n.Kids[1]), s.pred(n.Kids[2])
			values = append(values, "CASE WHEN "+one+" THEN 1 ELSE 2 END")
			return values, append(conditions, "(("+one+") OR ("+other+"))")
		case n.Op == opChi2 || n.Op == opAnova && i == 1:
			values = append(values, s.scalar(k))
		default:
			values = append(values, "CAST("+s.column(k)+" AS DOUBLE PRECISION)")
		}
		conditions = append(conditions, s.scalar(k)+" IS NOT NULL")
	}
	return values, conditions
}

// casesOf counts the rows of a group as a DOUBLE, so that products of counts do not overflow.
const casesOf = "CAST(count(*) AS DOUBLE) AS n"

// anova compares the variance of the means, of which each row has that of its group, with that of the distances from them. The mean
// of equal values is their value: a rounded one would give a group without a spread a small one.
func (l *layers) anova(p func(string, ...string) string) {
	g := l.over("g")
	l.add(fmt.Sprintf("CASE WHEN max(x)%[1]s = min(x)%[1]s THEN min(x)%[1]s ELSE avg(x)%[1]s END AS m", g))
	l.sum(casesOf, "CAST(count(DISTINCT g) AS DOUBLE) AS k", "CASE WHEN k > 1 THEN k - 1 END AS df_between",
		"CASE WHEN n > k THEN n - k END AS df_within",
		"(var_pop(m) / df_between) / nullif(var_pop(x - m) / df_within, 0) AS f", p("p_f", "f", "df_between", "df_within")+" AS p")
}

// chi2 is n·(Σ o²/(r·c) − 1) over the cells, where o is the count of a cell and r and c are those of its row and its column. A cell
// without rows adds nothing to that sum.
func (l *layers) chi2(p func(string, ...string) string) {
	cell := strings.Join(append(slices.Clone(l.dims), "a", "b"), ", ")
	l.sql = "SELECT " + cell + ", CAST(count(*) AS DOUBLE) AS o" + l.from() + "\nGROUP BY " + cell
	l.add("sum(o)"+l.over("a")+" AS r", "sum(o)"+l.over("b")+" AS c")
	l.sum("sum(o) AS n", "CAST(count(DISTINCT a) AS DOUBLE) AS ka", "CAST(count(DISTINCT b) AS DOUBLE) AS kb", "sum(o * o / (r * c)) AS cells",
		"min(r) * min(c) AS lowest")
	l.add("CASE WHEN ka > 1 AND kb > 1 THEN (ka - 1) * (kb - 1) END AS df", "lowest / n AS least")
	l.add("CASE WHEN df > 0 THEN greatest(0, n * (cells - 1)) END AS chi2")
	l.add(p("p_chi2", "chi2", "df")+" AS p", "sqrt(chi2 / (n * (least(ka, kb) - 1))) AS v")
}

// mannWhitney ranks the values of both sides, where equal values share the mean of their ranks. The variance of the ranks has the
// correction for ties in it.
func (l *layers) mannWhitney(p func(string, ...string) string) {
	within := ""
	if len(l.dims) > 0 {
		within = "PARTITION BY " + strings.Join(l.dims, ", ") + " "
	}
	l.add("CAST(rank() OVER (" + within + "ORDER BY x) + (count(*)" + l.over("x") + " - 1) / 2.0 AS DOUBLE) AS r")
	l.sum("CAST(count(*) FILTER (WHERE side = 1) AS DOUBLE) AS nx", "CAST(count(*) FILTER (WHERE side = 2) AS DOUBLE) AS ny",
		"avg(r) FILTER (WHERE side = 1) AS rank", "var_pop(r) AS spread")
	l.add("CASE WHEN nx > 0 AND ny > 0 THEN nx * (rank - (nx + 1) / 2) END AS u",
		"sqrt(nx * ny * spread / nullif(nx + ny - 1, 0)) AS sigma")
	l.add("sign(u - nx * ny / 2) * greatest(abs(u - nx * ny / 2) - 0.5, 0) / nullif(sigma, 0) AS z")
	l.add(p("p_normal", "z") + " AS p")
}

// normality is the test of D'Agostino, Belanger and D'Agostino Jr. (1990): the deviates of the skewness (D'Agostino 1970) and of the
// kurtosis (Anscombe and Glynn 1983), squared and added up. The values are centred twice, because the first mean is rounded.
func (l *layers) normality(p func(string, ...string) string) {
	for range 2 {
		l.add("avg(x)" + l.over() + " AS m")
		l.sql = "SELECT * EXCLUDE (m) REPLACE (x - m AS x)" + l.from()
	}
	l.sum(casesOf, "CASE WHEN n >= 8 AND max(x) > min(x) THEN n END AS c", "avg(x * x) AS m2", "avg(x * x * x) AS m3",
		"avg(x * x * x * x) AS m4")
	l.add("m3 / nullif(m2 * sqrt(m2), 0) AS skew", "m4 / nullif(m2 * m2, 0) AS kurt",
		"-1 + sqrt(2 * (3 * (c * c + 27 * c - 70) * (c + 1) * (c + 3) / ((c - 2) * (c + 5) * (c + 7) * (c + 9)) - 1)) AS w2",
		"6 * (c * c - 5 * c + 2) / ((c + 7) * (c + 9)) * sqrt(6 * (c + 3) * (c + 5) / (c * (c - 2) * (c - 3))) AS b")
	l.add("skew * sqrt((c + 1) * (c + 3) / (6 * (c - 2))) AS y",
		"(kurt - 3 * (c - 1) / (c + 1)) / sqrt(24 * c * (c - 2) * (c - 3) / ((c + 1) * (c + 1) * (c + 3) * (c + 5))) AS u",
		"6 + 8 / b * (2 / b + sqrt(1 + 4 / (b * b))) AS a")
	l.add("asinh(y / sqrt(2 / (w2 - 1))) / sqrt(0.5 * ln(w2)) AS z1", "1 + u * sqrt(2 / (a - 4)) AS e")
	l.add("(1 - 2 / (9 * a) - sign(e) * cbrt((1 - 2 / a) / nullif(abs(e), 0))) / sqrt(2 / (9 * a)) AS z2")
	l.add("z1 * z1 + z2 * z2 AS k2")
	l.add(p("p_chi2", "k2", "2") + " AS p")
}

// paired is Student's t of the differences of a row.
func (l *layers) paired(p func(string, ...string) string) {
	l.sum(casesOf, "CASE WHEN n > 1 THEN n - 1 END AS df",
		"CASE WHEN max(y - x) > min(y - x) THEN avg(y - x) / (stddev_samp(y - x) / sqrt(n)) END AS t", p("p_t", "t", "df")+" AS p")
}
