package query_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/query"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	age := b.rate("employees", "age")
	text := ok[query.Text](t)(b.Text(b.col("employees", "note")))
	edges := make([]float64, 101)
	for i := range edges {
		edges[i] = float64(i)
	}
	only := func(_ any, err error) error { return err }
	deep := strings.Repeat(`{"op":"not","of":[`, 61) + `{"op":"all"}` + strings.Repeat("]}", 61)
	for name, c := range map[string]struct {
		err  error
		says string
	}{
		"bins":               {only(b.Bins(age, edges, nil)), "1 to 100 edges"},
		"no bins":            {only(b.Bins(age, nil, nil)), "1 to 100 edges"},
		"falling bins":       {only(b.Bins(age, []float64{2, 1}, nil)), "must rise"},
		"names of bins":      {only(b.Bins(age, []float64{2}, []string{"a"})), "1 names are given"},
		"values":             {only(b.In(b.col("employees", "sex"), make([]string, 10_001)...)), "1 to 10000 others"},
		"no values":          {only(b.In(b.col("employees", "sex"))), "1 to 10000 others"},
		"no number":          {only(b.In(age, "NaN")), "is no number"},
		"places":             {only(query.TopOf(query.Mean(age), "desc", 1_000_001, 1)), "1 to 1000000 places"},
		"from no place":      {only(query.TopOf(query.Mean(age), "desc", 1, 0)), "1 to 1000000 places"},
		"places of rows":     {only(query.TopRows(age, "desc", 0, 1)), "1 to 1000000 places"},
		"periods":            {only(b.Moving(query.Mean(age), 1, "mean", b.by("employees", "hired", "year"))), "2 to 10000 periods"},
		"growth":             {only(query.Growth(query.Mean(age), 0, true, b.by("employees", "hired", "year"))), "1 to 10000 periods"},
		"a long name":        {only(query.Named(strings.Repeat("x", 121), query.Mean(age))), "1 to 120 characters"},
		"a long pattern":     {only(query.Extract(text, strings.Repeat("x", 201))), "no regular expression"},
		"an idle pattern":    {only(query.Extract(text, "x*")), "matches nothing"},
		"digits":             {only(b.Func("round", age, 16)), "0 to 15 digits"},
		"an infinite number": {only(query.Const(math.Inf(1))), "must be finite"},
		"a factor":           {only(b.Outlier(age, "z", 0)), "above 0"},
		"a quantile":         {only(query.Quantile(age, 1.1)), "between 0 and 1"},
		"bytes":              {only(query.Read(b.Model, make([]byte, 1<<20+1))), "longer than"},
		"depth":              {only(query.Read(b.Model, []byte(deep))), "too deep"},
	} {
		t.Run(name, func(t *testing.T) { require.ErrorContains(t, c.err, c.says) })
	}
}

func TestNewModel(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(m *meaning.Meaning)
		says   string
	}{
		"a table twice":  {func(m *meaning.Meaning) { m.Tables[1].Name = m.Tables[0].Name }, "two tables"},
		"a column twice": {func(m *meaning.Meaning) { m.Tables[0].Columns[1].Name = m.Tables[0].Columns[0].Name }, "a column twice"},
		"a yes that is no literal": {func(m *meaning.Meaning) {
			m.Tables[0].Columns[1].Role, m.Tables[0].Columns[1].Yes = meaning.Flag, "'x' OR 'a' = 'a'"
		}, "is no literal"},
		"a link to nothing": {func(m *meaning.Meaning) { m.Links[0].To.Table = "x" }, "does not name tables"},
		"a link by nothing": {func(m *meaning.Meaning) { m.Links[0].To.Columns = []string{"x"} }, "does not have"},
	} {
		t.Run(name, func(t *testing.T) {
			m := shop()
			c.change(m)
			_, err := query.NewModel(m)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestWithTypes(t *testing.T) {
	t.Parallel()
	m, err := query.NewModel(shop(), query.WithTypes(func(_ int64, table, _ string) domain.ColumnType {
		return map[bool]domain.ColumnType{true: domain.ColumnText, false: domain.ColumnDate}[table == "orders"]
	}))
	require.NoError(t, err)
	b := &bundle{m, t}
	_, err = m.Time(b.col("orders", "ordered"))
	require.ErrorContains(t, err, "not stored as a date")
	_, err = m.Time(b.col("employees", "hired"))
	require.NoError(t, err)
}

// TestCol_By: of two links to one table, one is named by the part that it plays, or preferred.
func TestCol_By(t *testing.T) {
	t.Parallel()
	b := setup(t)
	count := []query.Measure{query.Count(b.rows("employees"))}
	home := b.Dim(b.col("cities", "state").By("home"))
	byHome := b.sql(ok[query.Groups](t)(b.Groups(b.rows("employees"), []query.By{home}, count)))
	require.Contains(t, byHome, `"employees"."home_city" = "cities"."city"`)

	m := shop()
	m.Links[3].Preferred = true
	preferred := &bundle{ok[*query.Model](t)(query.NewModel(m)), t}
	by := []query.By{preferred.dim("cities", "state")}
	sql := preferred.sql(ok[query.Groups](t)(preferred.Groups(preferred.rows("employees"), by, count)))
	require.Contains(t, sql, `"employees"."work_city" = "cities"."city"`)
}

// TestModel_Hops: a path of four links is found, and one of five is not.
func TestModel_Hops(t *testing.T) {
	t.Parallel()
	chain := &meaning.Meaning{}
	for i := range 6 {
		chain.Tables = append(chain.Tables, meaning.Table{Name: fmt.Sprintf("t%d", i), Columns: []meaning.Column{
			{Name: "id", Role: meaning.Key}, {Name: "next", Role: meaning.Foreign},
		}})
		if i > 0 {
			chain.Links = append(chain.Links, meaning.Link{
				From: meaning.Ends{Table: fmt.Sprintf("t%d", i-1), Columns: []string{"next"}},
				To:   meaning.Ends{Table: fmt.Sprintf("t%d", i), Columns: []string{"id"}}, Cardinality: meaning.ManyToOne,
			})
		}
	}
	b := &bundle{ok[*query.Model](t)(query.NewModel(chain)), t}
	_, err := b.Set(b.table("t0"), query.Missing(b.col("t4", "next")))
	require.NoError(t, err)
	_, err = b.Set(b.table("t0"), query.Missing(b.col("t5", "next")))
	require.ErrorContains(t, err, "nothing links t0 with t5")
}
