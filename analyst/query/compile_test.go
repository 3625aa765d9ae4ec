package query_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/query"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/sqltext"
)

// TestCompile shows the statements of usual questions as they are.
func TestCompile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	budget, salary := query.Total(b.amount("departments", "budget")), query.Total(b.amount("employees", "salary"))
	mrr := ok[query.Measure](t)(query.At(b.level("revenue", "mrr"), query.LastPeriod))
	for name, c := range map[string]struct {
		ask query.Ask
		sql string
	}{
		"one fact": {
			ok[query.Groups](t)(b.Groups(b.rows("employees", query.Not(b.is("employees", "sex", "it's"))),
				[]query.By{b.dim("departments", "department_name")}, []query.Measure{salary})),
			`SELECT "departments"."department_name" AS "department_name", sum("employees"."salary") AS "total_salary"
FROM "employees" AS "employees"
LEFT JOIN "departments" AS "departments" ON "employees"."department_id" = "departments"."department_id"
WHERE "employees"."sex" IS DISTINCT FROM 'it''s'
GROUP BY 1
ORDER BY 1 NULLS LAST`,
		},
		"two facts": {
			ok[query.Groups](t)(b.Groups(b.rows("departments"), []query.By{b.dim("departments", "department_name")}, []query.Measure{budget, salary},
				ok[query.Part](t)(query.OrderBy(budget, "desc")))),
			`WITH "fact" AS (
SELECT "departments"."department_name" AS "d1", sum("departments"."budget") AS "m1"
FROM "departments" AS "departments"
GROUP BY 1
),
"fact_2" AS (
SELECT "departments_2"."department_name" AS "d1", sum("employees"."salary") AS "m2"
FROM "employees" AS "employees"
LEFT JOIN "departments" AS "departments_2" ON "employees"."department_id" = "departments_2"."department_id"
GROUP BY 1
),
"facts" AS (
SELECT coalesce("fact"."d1", "fact_2"."d1") AS "d1", "m1", "m2"
FROM "fact"
FULL JOIN "fact_2" ON "fact"."d1" IS NOT DISTINCT FROM "fact_2"."d1"
)
SELECT "d1" AS "department_name", "m1" AS "total_budget", "m2" AS "total_salary"
FROM "facts"
ORDER BY 2 DESC NULLS LAST, 1 NULLS LAST`,
		},
		"a level": {
			ok[query.Groups](t)(b.Groups(b.rows("revenue"), nil, []query.Measure{mrr})),
			`SELECT sum("revenue"."mrr") AS "mrr"
FROM "revenue" AS "revenue"
WHERE "revenue"."month" IN (SELECT max("revenue_2"."month") FROM "revenue" AS "revenue_2"
WHERE "revenue_2"."month" <= DATE '2026-10-01')`,
		},
		"groups that overlap": {
			ok[query.Groups](t)(b.Groups(b.rows("orders"), []query.By{b.Overlap(b.col("items", "product"))},
				[]query.Measure{query.Total(b.amount("orders", "shipping_fee"))})),
			`SELECT "pairs"."d1" AS "product", sum("orders"."shipping_fee") AS "total_shipping_fee"
FROM "orders" AS "orders"
LEFT JOIN (SELECT DISTINCT "items"."order_id" AS "k1", "items"."product" AS "d1" FROM "items" AS "items") AS "pairs" ` +
				`ON "orders"."order_id" = "pairs"."k1"
GROUP BY 1
ORDER BY 1 NULLS LAST`,
		},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.sql, b.sql(c.ask)) })
	}
}

func TestCompile_Postgres(t *testing.T) {
	t.Parallel()
	b := setup(t)
	age := b.rate("employees", "age")
	p := ok[query.Measure](t)(query.Significance(age, b.amount("employees", "salary")))
	_, err := query.Compile(ok[query.Groups](t)(b.Groups(b.rows("employees"), nil, []query.Measure{p})), query.Postgres())
	require.EqualError(t, err, "The data is in PostgreSQL, which has no p-values.")
	sex := []query.By{b.dim("employees", "sex")}
	s, err := query.Compile(ok[query.Groups](t)(b.Groups(b.rows("employees"), sex, []query.Measure{query.Mean(age)},
		ok[query.Part](t)(query.TopOf(query.Mean(age), "desc", 1, 1)))), query.Postgres())
	require.NoError(t, err)
	require.NotContains(t, s.SQL, "QUALIFY")
}

func TestCompileSet(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s, err := query.CompileSet(b.rows("employees", b.is("employees", "sex", "f")),
		[]query.Column{{Name: "x", Is: b.rate("employees", "age")}, {Name: "g", Is: b.col("departments", "department_name")}}, query.DuckDB())
	require.NoError(t, err)
	require.Equal(t, []string{"x", "g"}, s.Columns)
	require.Equal(t, `SELECT "employees"."age" AS "x", "departments"."department_name" AS "g"
FROM "employees" AS "employees"
LEFT JOIN "departments" AS "departments" ON "employees"."department_id" = "departments"."department_id"
WHERE "employees"."sex" = 'f'`, s.SQL)
}

// hostile asks with texts and names that a person chose.
func hostile(tb testing.TB, table, column, value, name string) (query.Ask, error) {
	tb.Helper()
	m, err := query.NewModel(&meaning.Meaning{Tables: []meaning.Table{{Name: table, Columns: []meaning.Column{
		{Name: column, Role: meaning.Text}, {Name: column + "2", Role: meaning.Measure, Number: &meaning.Number{Adds: meaning.Amount}},
	}}}})
	if err != nil {
		return nil, err
	}
	b := &bundle{m, tb}
	text := ok[query.Text](tb)(m.Text(b.col(table, column)))
	match, err := query.Match(text, "contains", value)
	if err != nil {
		return nil, err
	}
	show, err := query.Named(name, query.Total(b.amount(table, column+"2")))
	if err != nil {
		return nil, err
	}
	of, err := m.Set(b.table(table), ok[query.Pred](tb)(query.Or(match, b.is(table, column, value))))
	if err != nil {
		return nil, err
	}
	return m.Groups(of, []query.By{b.dim(table, column)}, []query.Measure{show})
}

// FuzzCompile: no text and no name leaves its quotes. A statement with any of them has the tokens of one with harmless ones, and
// each token holds the text that was given.
func FuzzCompile(f *testing.F) {
	f.Add("t", "c", "v", "n")
	f.Add(`a"; DROP TABLE x --`, `c" FROM y`, `'; DELETE FROM z; --`, `n" /* `)
	f.Add("fact", "d1", `\'`, "pairs")
	f.Add("$$", "e'", "\n''", "Größe")
	f.Fuzz(func(t *testing.T, table, column, value, name string) {
		plain, err := hostile(t, "t", "c", "v", "n")
		require.NoError(t, err)
		ask, err := hostile(t, table, column, value, name)
		if err != nil {
			return
		}
		for _, d := range []query.Dialect{query.DuckDB(), query.Postgres()} {
			s, err := query.Compile(ask, d)
			if err != nil {
				require.ErrorAs(t, err, new(*query.Error))
				continue
			}
			p, err := query.Compile(plain, d)
			require.NoError(t, err)
			kinds := func(sql string) (kinds []sqltext.Kind, texts []string) {
				for token := range sqltext.Tokens(sql) {
					kinds, texts = append(kinds, token.Kind), append(texts, token.Text)
				}
				return kinds, texts
			}
			want, _ := kinds(p.SQL)
			got, texts := kinds(s.SQL)
			require.Equal(t, want, got, s.SQL)
			require.Contains(t, texts, strings.ToLower(table))
			require.Contains(t, texts, value)
			require.Contains(t, texts, strings.ToLower(name))
		}
	})
}

func BenchmarkCompile(bench *testing.B) {
	b := setup(bench)
	a := question(b).Asks()[0]
	bench.ReportAllocs()
	for bench.Loop() {
		if _, err := query.Compile(a, query.DuckDB()); err != nil {
			bench.Fatal(err)
		}
	}
}

func BenchmarkSay(bench *testing.B) {
	b := setup(bench)
	a := question(b).Asks()[0]
	bench.ReportAllocs()
	for bench.Loop() {
		query.Say(a)
	}
}
