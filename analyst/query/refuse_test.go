package query_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/query"
)

// TestCannotBeBuilt has the table of what cannot be built, one case or more for each line. What Go's types refuse is in
// ExampleModel_Number.
func TestCannotBeBuilt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	mrr := func(p query.Pick) query.Measure { return ok[query.Measure](t)(query.At(b.level("revenue", "mrr"), p)) }
	fee := query.Total(b.amount("orders", "shipping_fee"))
	age := query.Mean(b.rate("employees", "age"))
	groups := func(of query.Set, by []query.By, show query.Measure, parts ...query.Part) error {
		_, err := b.Groups(of, by, []query.Measure{show}, parts...)
		return err
	}
	only := func(_ any, err error) error { return err }
	month := b.by("revenue", "month", "month")
	cases := []struct {
		name, says string
		err        error
	}{
		{"a sum of a level by an unknown pick", "it must be said at which periods", only(query.At(b.level("revenue", "mrr"), "sum"))},
		{"each period of a level without periods", "needs an answer grouped by month", groups(b.rows("revenue"), nil, mrr(query.Each))},
		{
			"each period of a level by years", "needs an answer grouped by month",
			groups(b.rows("revenue"), []query.By{b.by("revenue", "month", "year")}, mrr(query.Each)),
		},
		{"a running total of a level", "does not add up over time", only(b.Running(mrr(query.LastPeriod), month))},
		{"a moving sum of a level", "does not add up over time", only(b.Moving(mrr(query.LastPeriod), 3, "sum", month))},
		{"parts of a level over months", "does not add up over time", groups(b.rows("revenue"), []query.By{month}, mrr(query.LastPeriod),
			query.Over(ok[query.Window](t)(b.PartOfTotal(mrr(query.LastPeriod)))))},
		{"mixed currencies", "mixes currencies", groups(b.rows("orders"), nil, query.Total(b.amount("orders", "amount")))},
		{"mixed currencies in a mean", "mixes currencies", groups(b.rows("orders"), nil, query.Mean(b.amount("orders", "amount")))},
		{
			"two currencies", "mixes currencies",
			groups(b.rows("orders", b.is("orders", "currency", "EUR", "USD")), nil, query.Total(b.amount("orders", "amount"))),
		},
		{"an outlier among several currencies", "mixes currencies", only(b.Outlier(b.amount("orders", "amount"), "z", 2))},
		{
			"a mean of several currencies in place of missing ones", "mixes currencies",
			query.NewScript(b.Model).Fill(b.amount("orders", "amount"), "mean"),
		},
		{
			"a measure grouped by what its rows have many of", "A department has many employees",
			groups(b.rows("departments"), []query.By{b.dim("employees", "sex")}, query.Total(b.amount("departments", "budget"))),
		},
		{
			"a measure limited by what its rows have many of", "A department has many employees",
			groups(b.rows("employees", b.is("employees", "sex", "f")), nil, query.Total(b.amount("departments", "budget"))),
		},
		{
			"a dimension that nothing links", "nothing links orders with departments",
			groups(b.rows("orders"), []query.By{b.dim("departments", "department_name")}, query.Count(b.rows("orders"))),
		},
		{"a share of a mean", "has no parts that add up", only(b.Share(age, b.is("employees", "sex", "f")))},
		{"the part of a mean", "has no parts that add up", only(b.PartOfTotal(age))},
		{"the part of overlapping groups", "overlap", groups(b.rows("orders"), []query.By{b.Overlap(b.col("items", "product"))},
			fee, query.Over(ok[query.Window](t)(b.PartOfTotal(fee))))},
		{"contributions to a mean", "has no parts that add up", only(b.Change(b.rows("employees"), age, b.Calendar(),
			ok[query.Span](t)(query.NewSpan("2024-01-01", "2025-01-01")), ok[query.Span](t)(query.NewSpan("2025-01-01", "2026-01-01")),
			b.dim("employees", "sex")))},
		{"growth along a time that is not grouped by", "not grouped by month", groups(b.rows("revenue"), nil, mrr(query.LastPeriod),
			query.Over(ok[query.Window](t)(query.Growth(mrr(query.LastPeriod), 1, true, month))))},
		{"two rankings", "one ranking", groups(b.rows("employees"), []query.By{b.dim("employees", "sex")}, age,
			ok[query.Part](t)(query.TopOf(age, "desc", 3, 1)), ok[query.Part](t)(query.TopOf(age, "desc", 1, 2)))},
		{"an order by what is not there", "not grouped by", groups(b.rows("employees"), nil, age,
			ok[query.Part](t)(query.OrderByDim(b.dim("employees", "sex"), "asc")))},
		{"a number from a text", "nothing to calculate with", only(b.Number(b.col("employees", "note")))},
		{"a column by two ways", "Which one is meant", groups(b.rows("employees"), []query.By{b.dim("cities", "state")}, age)},
		{"a correlation across tables", "no row has both", only(query.Corr(b.amount("employees", "salary"), b.amount("departments", "budget")))},
		{"a time that is empty", "is empty", only(query.NewSpan("2025-01-01", "2025-01-01"))},
		{"above 4 and below 4", "can never both hold", only(query.And(
			ok[query.Pred](t)(b.Cmp(b.amount("employees", "salary"), ">", ok[query.Scalar](t)(query.Const(4)))),
			ok[query.Pred](t)(b.Cmp(b.amount("employees", "salary"), "<", ok[query.Scalar](t)(query.Const(4))))))},
		{"two values of one column", "cannot have several values", only(query.And(b.is("employees", "sex", "f"), b.is("employees", "sex", "m")))},
		{"members of a set that has none", "has no orders", only(b.Some(b.table("employees"), b.rows("orders")))},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.ErrorContains(t, c.err, c.says)
			require.ErrorAs(t, c.err, new(*query.Error), "the error is a sentence for people")
		})
	}
}

// TestScript_Let_ForeignAmount: an amount of a department is repeated in each row of its employees, so a column of it is a rate there.
func TestScript_Let_ForeignAmount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := query.NewScript(b.Model)
	c, err := s.Let(b.table("employees"), "their budget", b.amount("departments", "budget"))
	require.NoError(t, err)
	n, err := s.Model().Number(c)
	require.NoError(t, err)
	require.IsType(t, query.Rate{}, n)
	salary := b.amount("employees", "salary")
	own, err := s.Let(b.table("employees"), "double", ok[query.Scalar](t)(s.Model().Arith(salary, "+", salary)))
	require.NoError(t, err)
	n, err = s.Model().Number(own)
	require.NoError(t, err)
	require.IsType(t, query.Amount{}, n)
}

// The type that Model.Number returns says what can be made of a number. query.Total(level) and query.Total(rate) do not compile,
// and neither does query.At(amount, pick).
func ExampleModel_Number() {
	m, err := query.NewModel(shop())
	if err != nil {
		panic(err)
	}
	for _, name := range [][2]string{{"departments", "budget"}, {"revenue", "mrr"}, {"employees", "age"}, {"employees", "points"}} {
		c, err := m.Col(name[0], name[1])
		if err != nil {
			panic(err)
		}
		n, err := m.Number(c)
		if err != nil {
			panic(err)
		}
		switch n := n.(type) {
		case query.Amount:
			_ = query.Total(n)
			fmt.Println(name[1], "may be added up")
		case query.Level:
			_, err := query.At(n, query.LastPeriod)
			fmt.Println(name[1], "is added up in its last period", err == nil)
		case query.Rate:
			_ = query.Mean(n)
			fmt.Println(name[1], "has a mean")
		case query.Plain:
			_ = query.Total(n.AsAmount())
			fmt.Println(name[1], "is what a person says it is")
		}
	}
	// Output:
	// budget may be added up
	// mrr is added up in its last period true
	// age has a mean
	// points is what a person says it is
}
