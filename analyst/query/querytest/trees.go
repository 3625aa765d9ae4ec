package querytest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"parley.dev/parley/analyst/query"
)

// Trees makes random questions about a world with the public constructors. What a constructor refuses is counted, and another
// part is tried.
type Trees struct {
	*rand.Rand
	m *query.Model
	w *World
	// Refused are the sentences of the constructors.
	Refused map[string]int
}

// NewTrees makes a generator for a world.
func NewTrees(seed uint64, w *World) (*Trees, error) {
	m, err := query.NewModel(w.Meaning)
	chance := rand.New(rand.NewPCG(seed, 11)) //nolint:gosec // the questions of a test must be the same again
	return &Trees{Rand: chance, m: m, w: w, Refused: map[string]int{}}, err
}

// pick returns one of the values.
func pick[T any](r *Trees, values ...T) T { return values[r.IntN(len(values))] }

// try makes parts until a constructor takes one.
func try[T any](r *Trees, makes func() (T, error)) T {
	for range 400 {
		x, err := makes()
		if err == nil {
			return x
		}
		r.Refused[err.Error()]++
	}
	panic(fmt.Sprintf("nothing can be built: %v", r.Refused))
}

// attempt tries some times to make a part, and reports whether a constructor took one.
func attempt[T any](r *Trees, times int, makes func() (T, error)) (T, bool) {
	for range times {
		x, err := makes()
		if err == nil {
			return x, true
		}
		r.Refused[err.Error()]++
	}
	var none T
	return none, false
}

func (r *Trees) table() query.Table {
	return try(r, func() (query.Table, error) { return r.m.Table(pick(r, r.w.Order...)) })
}

func (r *Trees) col(t query.Table) query.Col {
	return try(r, func() (query.Col, error) { return t.Col(pick(r, t.Columns()...)) })
}

// near is a column of a table or, often, of one that it leads to.
func (r *Trees) near(t query.Table) query.Col {
	if r.IntN(2) == 0 {
		return r.col(t)
	}
	return try(r, func() (query.Col, error) {
		c := r.col(r.table())
		_, err := r.m.Set(t, query.Missing(c))
		return c, err
	})
}

func (r *Trees) number(t query.Table) query.Number {
	return try(r, func() (query.Number, error) { return r.m.Number(r.col(t)) })
}

func (r *Trees) time(t query.Table) (query.Time, error) {
	if r.IntN(4) == 0 {
		return r.m.Calendar(), nil
	}
	for _, name := range r.permuted(t.Columns()) {
		c, err := t.Col(name)
		if err != nil {
			return query.Time{}, err
		}
		if x, err := r.m.Time(c); err == nil {
			return x, nil
		}
	}
	return query.Time{}, fmt.Errorf("no time")
}

func (r *Trees) permuted(all []string) []string {
	out := slices.Clone(all)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func (r *Trees) span() query.Span {
	return try(r, func() (query.Span, error) {
		days := []string{"2024-02-01", "2024-06-15", "2024-10-01", "2024-12-01", "2025-01-01", "2025-03-01", "2025-06-01", "2025-02-01T11:30:00"}
		return query.NewSpan(pick(r, days...), pick(r, days...))
	})
}

// scalar is a number of a row.
func (r *Trees) scalar(t query.Table, depth int) (query.Scalar, error) {
	if depth <= 0 || r.IntN(2) == 0 {
		return asScalar(r.number(t)), nil
	}
	switch r.IntN(10) {
	case 9:
		x, ok := attempt(r, 20, func() (query.Text, error) { return r.m.Text(r.near(t)) })
		switch {
		case !ok:
			return nil, fmt.Errorf("no text")
		case r.IntN(2) == 0:
			return query.Clock(x), nil
		}
		return query.Length(x), nil
	case 0:
		return query.Const(float64(r.IntN(20)) / 2)
	case 1, 2:
		a, err := r.scalar(t, depth-1)
		if err != nil {
			return nil, err
		}
		b, err := r.scalar(t, depth-1)
		if err != nil {
			return nil, err
		}
		return r.m.Arith(a, pick(r, "+", "-", "*", "/"), b)
	case 3:
		a, err := r.scalar(t, depth-1)
		if err != nil {
			return nil, err
		}
		return r.m.Func(pick(r, "ln", "log10", "sqrt", "abs", "floor", "ceil", "round"), a, 1)
	case 4:
		s, ok := attempt(r, 20, func() (query.Scalar, error) { return r.m.Of(t, r.measure(depth-1)) })
		if !ok {
			return nil, fmt.Errorf("no figure of it")
		}
		return s, nil
	case 5:
		set, err := r.set(depth - 1)
		if err != nil {
			return nil, err
		}
		return r.m.Overall(r.measure(depth-1), set)
	case 6:
		return r.m.ZScore(r.number(t), r.some(t)...)
	case 7:
		return r.m.Scaled(r.number(t))
	}
	a, err := r.time(t)
	if err != nil {
		return nil, err
	}
	b, err := r.time(t)
	if err != nil {
		return nil, err
	}
	return r.m.Between(a, b, pick(r, "days", "hours"))
}

func asScalar(n query.Number) query.Scalar {
	switch x := n.(type) {
	case query.Amount:
		return x
	case query.Level:
		return x
	case query.Rate:
		return x
	case query.Plain:
		return x
	}
	return nil
}

// some are no column or one to group by.
func (r *Trees) some(t query.Table) []query.Col {
	if r.IntN(2) == 0 {
		return nil
	}
	return []query.Col{r.col(t)}
}

// pred is a condition that rows of a table can have.
func (r *Trees) pred(t query.Table, depth int) query.Pred {
	p, ok := attempt(r, 40, func() (query.Pred, error) {
		p, err := r.onePred(t, depth)
		if err != nil {
			return nil, err
		}
		_, err = r.m.Set(t, p)
		return p, err
	})
	if !ok {
		return query.All()
	}
	return p
}

func (r *Trees) onePred(t query.Table, depth int) (query.Pred, error) {
	if depth > 0 && r.IntN(3) == 0 {
		a := r.pred(t, depth-1)
		b := r.pred(t, depth-1)
		switch r.IntN(3) {
		case 0:
			return query.And(a, b)
		case 1:
			return query.Or(a, b)
		}
		return query.Not(a), nil
	}
	if depth > 0 && r.IntN(3) == 0 {
		return r.thing(t, depth)
	}
	kind := r.IntN(8)
	if _, err := r.m.Snapshot(t); err == nil && r.IntN(2) == 0 {
		kind = 6
	}
	switch kind {
	case 0:
		return query.Missing(r.near(t)), nil
	case 1:
		return r.value(r.near(t))
	case 2:
		x, err := r.time(t)
		if err != nil {
			return nil, err
		}
		if r.IntN(2) == 0 {
			return query.Recurs(x, pick(r, "weekday", "month", "quarter"), 1+r.IntN(4), 1+r.IntN(7))
		}
		return query.During(x, r.span())
	case 3:
		f, err := r.m.Flag(r.near(t))
		if err != nil {
			return nil, err
		}
		return query.Yes(f), nil
	case 4:
		x, err := r.m.Text(r.near(t))
		if err != nil {
			return nil, err
		}
		if r.IntN(4) == 0 {
			return query.Blank(x), nil
		}
		return query.Match(x, pick(r, "contains", "starts", "ends", "is"), pick(r, "a", "E", "name ", "name a", "\"X", "'"))
	case 5:
		return r.m.Outlier(r.number(t), pick(r, "z", "iqr"), pick(r, 0.53, 1.01, 1.47), r.some(t)...)
	case 6:
		if r.IntN(2) == 0 {
			return r.dated(t)
		}
		return r.life(t)
	}
	a, err := r.scalar(t, depth)
	if err != nil {
		return nil, err
	}
	b, err := query.Const(float64(r.IntN(40)))
	if err != nil {
		return nil, err
	}
	return r.m.Cmp(a, pick(r, "=", "<", "<=", ">", ">="), b)
}

// dated compares a time with a day.
func (r *Trees) dated(t query.Table) (query.Pred, error) {
	x, err := r.time(t)
	if err != nil {
		return nil, err
	}
	day, err := query.Day(pick(r, "2024-11-01", "2025-01-01"))
	if err != nil {
		return nil, err
	}
	return r.m.Cmp(x, pick(r, "=", "<", ">="), day)
}

func (r *Trees) life(t query.Table) (query.Pred, error) {
	s, err := r.m.Snapshot(t)
	if err != nil {
		return nil, err
	}
	switch r.IntN(3) {
	case 0:
		return query.Alive(s, pick(r, "2025-01-01", "2025-02-01", ""))
	case 1:
		return query.Born(s, r.span())
	}
	return query.Gone(s, r.span())
}

// value compares a column with values that it has, or one that it does not have.
func (r *Trees) value(c query.Col) (query.Pred, error) {
	values := map[string][]string{
		"name": {"Name A", "Name C"}, "country": {"Peru", "France"}, "category": {"Lamp", "it's \"x\""}, "channel": {"web", "none' OR 1=1 --"},
		"currency": {"EUR"}, "method": {"card"}, "team": {"a"}, "city": {"Rome", "Oslo"}, "worker": {"x", "y"}, "place": {"north"},
		"quantity": {"3", "4"},
		"id":       {"1", "2"}, "order_id": {"1", "3"}, "case_id": {"2"}, "month": {"2025-01-01", "2025-02-01"}, "meter": {"m1"},
	}
	for name, v := range values {
		if p, err := r.m.In(c, v...); err == nil && c.Name() == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no values")
}

// thing is a condition on the thing that a row belongs to.
func (r *Trees) thing(t query.Table, depth int) (query.Pred, error) {
	thing := r.things()
	if r.IntN(2) == 0 {
		thing = t
	}
	if r.IntN(5) == 0 {
		return r.m.Rank(thing, r.exact(), pick(r, "desc", "asc"), 1+r.IntN(3))
	}
	set, ok := attempt(r, 20, func() (query.Set, error) {
		set, err := r.set(depth - 1)
		if err != nil {
			return set, err
		}
		_, err = r.m.Some(thing, set)
		return set, err
	})
	if !ok {
		return nil, fmt.Errorf("nothing belongs to it")
	}
	makes := pick(r,
		func() (query.Pred, error) { return r.m.Some(thing, set) },
		func() (query.Pred, error) { return r.m.Every(thing, set, r.pred(r.table(), depth-1)) },
		func() (query.Pred, error) { return r.m.CountOf(thing, set, nil, pick(r, "=", "<", ">="), r.IntN(4)) },
		func() (query.Pred, error) {
			return r.m.CountOf(thing, set, r.near(r.table()), pick(r, "=", "<", ">="), r.IntN(4))
		},
		func() (query.Pred, error) { return r.m.AllOf(thing, set, r.near(r.table())) },
	)
	p, ok := attempt(r, 30, makes)
	if !ok {
		return nil, fmt.Errorf("no such rows")
	}
	return p, nil
}

func (r *Trees) things() query.Table {
	t := r.table()
	if x, err := t.Things("case"); err == nil && r.IntN(2) == 0 {
		return x
	}
	return t
}

// set is the rows of a table under a condition.
func (r *Trees) set(depth int) (query.Set, error) {
	t := r.table()
	if depth <= 0 || r.IntN(3) == 0 {
		return r.m.Set(t, nil)
	}
	p := r.pred(t, depth-1)
	return r.m.Set(t, p)
}

// measure is a measure of any table.
func (r *Trees) measure(depth int) query.Measure {
	return try(r, func() (query.Measure, error) { return r.oneMeasure(depth) })
}

func (r *Trees) oneMeasure(depth int) (query.Measure, error) {
	if depth > 0 && r.IntN(3) == 0 {
		return r.compound(depth)
	}
	t := r.table()
	switch r.IntN(7) {
	case 0:
		s, err := r.set(depth)
		return query.Count(s), err
	case 1:
		return query.Distinct(r.col(t)), nil
	case 6:
		return r.test(t, r.number(t), r.number(t))
	case 2:
		a, b := r.number(t), r.number(t)
		if a == b {
			// Its correlation is 1, but for the last bit of the number.
			return nil, fmt.Errorf("one number twice")
		}
		switch r.IntN(8) {
		case 4:
			return query.Spearman(a, b)
		case 5:
			return query.SpearmanSignificance(a, b)
		case 6:
			return r.welch(t, a)
		case 7:
			return query.Significance(a, b)
		case 0:
			return query.Corr(a, b)
		case 1:
			return query.Slope(a, b)
		case 2:
			return query.Intercept(a, b)
		}
		return query.R2(a, b)
	case 3:
		return r.statistic(t)
	}
	switch n := r.number(t).(type) {
	case query.Amount:
		return query.Total(n), nil
	case query.Level:
		return query.At(n, pick(r, query.LastPeriod, query.LastPerEntity, query.MeanOfPeriods, query.Each))
	case query.Rate:
		return query.Mean(n), nil
	case query.Plain:
		return query.Total(n.AsAmount()), nil
	}
	return nil, fmt.Errorf("no number")
}

// exact is a measure of whole numbers. Rankings are made of it, for a mean can differ in its last bit.
func (r *Trees) exact() query.Measure {
	return try(r, func() (query.Measure, error) {
		t := r.table()
		switch r.IntN(4) {
		case 0:
			s, err := r.set(1)
			return query.Count(s), err
		case 1:
			return query.Distinct(r.col(t)), nil
		case 2:
			return query.Max(r.number(t)), nil
		}
		switch n := r.number(t).(type) {
		case query.Amount:
			return query.Total(n), nil
		case query.Level:
			return query.At(n, pick(r, query.LastPeriod, query.LastPerEntity))
		case query.Plain, query.Rate:
		}
		return nil, fmt.Errorf("no amount")
	})
}

func (r *Trees) statistic(t query.Table) (query.Measure, error) {
	if c := r.col(t); r.IntN(6) == 0 {
		if _, err := r.m.Time(c); err != nil {
			return nil, err
		}
		return pick(r, query.Lowest, query.Highest)(c), nil
	}
	n := r.number(t)
	all := []func(query.Number) query.Measure{
		query.Mean, query.Median, query.Min, query.Max, query.Range, query.IQR,
		func(n query.Number) query.Measure { return query.Std(n, false) }, func(n query.Number) query.Measure { return query.Std(n, true) },
		func(n query.Number) query.Measure { return query.Var(n, false) }, func(n query.Number) query.Measure { return query.Var(n, true) },
	}
	all = append(all, query.MAD, query.Skew, query.Kurtosis)
	if r.IntN(8) == 0 {
		return query.Quantile(n, pick(r, 0, 0.1, 0.9, 1))
	}
	return pick(r, all...)(n), nil
}

// welch is a test of a number in two sets of rows of its table.
func (r *Trees) welch(t query.Table, n query.Number) (query.Measure, error) {
	p, ok := r.side(t)
	if !ok {
		return nil, fmt.Errorf("no two sets of rows")
	}
	return r.m.Welch(pick(r, "t", "df", "p"), n, p, query.Not(p))
}

// side is a condition that separates the rows of a table into two sets; ok is false if none was found.
func (r *Trees) side(t query.Table) (p query.Pred, ok bool) {
	return attempt(r, 20, func() (query.Pred, error) {
		if p, err := r.value(r.near(t)); err == nil {
			return p, nil
		}
		f, err := r.m.Flag(r.near(t))
		if err != nil {
			return nil, err
		}
		return query.Yes(f), nil
	})
}

// compound is a measure of other measures.
func (r *Trees) compound(depth int) (query.Measure, error) {
	a, b := r.measure(depth-1), r.measure(depth-1)
	switch r.IntN(7) {
	case 0:
		return query.Ratio(a, b), nil
	case 1:
		return query.Diff(a, b), nil
	case 2:
		return query.Percent(a, b), nil
	case 3:
		return query.Per(a, r.col(r.table())), nil
	case 4:
		t, err := r.time(r.table())
		if err != nil {
			return nil, err
		}
		if r.IntN(3) == 0 {
			return r.m.EachOf(a, r.near(r.table()), pick(r, "mean", "median", "max", "count"))
		}
		return r.m.EachPeriod(a, t, pick(r, "month", "week", "quarter"), pick(r, "mean", "median", "min", "max", "count"))
	case 5:
		p := r.pred(r.table(), depth-1)
		return r.m.Share(a, p)
	}
	p := r.pred(r.table(), depth-1)
	return r.m.When(a, p)
}
