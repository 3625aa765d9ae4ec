package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	judging "parley.dev/parley/analyst/guard"
	"parley.dev/parley/domain"
)

// shop is a remote database: customers, their orders in the schema sales, and the lines of the orders. Two schemas have a
// table named notes.
func shop() domain.DataSource {
	number := func(name string) domain.Column { return domain.Column{Name: name, Type: domain.ColumnInteger} }
	repeated := func(c domain.Column) domain.Column {
		c.Repeats = true
		return c
	}
	text := func(name string) domain.Column { return repeated(domain.Column{Name: name, Type: domain.ColumnText}) }
	key := func(schema string, columns ...string) domain.Declared {
		return domain.Declared{Schema: schema, Keys: [][]string{columns}}
	}
	out := domain.DataSource{ID: 7, Name: "Shop", Type: domain.DataSourcePostgres, Params: domain.DataSourceParams{"host": "db"}}
	out.Resources = []domain.DataResource{
		{Table: "customers", Columns: []domain.Column{number("id"), text("region"), repeated(number("credit"))}, Declared: key("public", "id")},
		{Table: "notes", Columns: []domain.Column{number("id"), repeated(number("words"))}, Declared: key("public", "id")},
		{
			Table: "orders", Declared: key("sales", "id"), Columns: []domain.Column{
				number("id"), repeated(number("customer_id")), repeated(number("total")),
				repeated(domain.Column{Name: "placed", Type: domain.ColumnTime}),
			},
		},
		{
			Table: "lines", Declared: key("sales", "order_id", "line"),
			Columns: []domain.Column{repeated(number("order_id")), repeated(number("line")), repeated(number("amount"))},
		},
		{Table: "codes", Columns: []domain.Column{number("order_id"), text("code")}, Declared: domain.Declared{Schema: "sales"}},
		{
			Table: "sales.notes", Columns: []domain.Column{repeated(number("order_id")), number("words")},
			Declared: domain.Declared{Schema: "sales"},
		},
	}
	return out
}

// TestPlanned_Judged checks that a statement that a remote database runs is judged by the constraints of its tables.
func TestPlanned_Judged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, c := range map[string]struct {
		sql       string
		faults    []judging.Kind
		unchecked string
	}{
		"TotalsOfTheLines": {
			sql: "SELECT c.region, sum(l.amount) FROM lines l JOIN orders o ON o.id = l.order_id JOIN customers c ON " +
				"c.id = o.customer_id GROUP BY 1",
		},
		"OrdersForEachLine": {
			sql:    "SELECT sum(o.total) FROM orders o JOIN lines l ON l.order_id = o.id",
			faults: []judging.Kind{judging.Repeated},
		},
		"CreditForEachOrder": {
			sql: "SELECT c.region, sum(c.credit) FROM customers c JOIN sales.orders o ON o.customer_id = c.id GROUP " +
				"BY c.region",
			faults: []judging.Kind{judging.Repeated},
		},
		"WithTheirSource": {
			sql:    "SELECT sum(o.total) FROM s7.orders o JOIN \"s7\".lines l ON l.order_id = o.id",
			faults: []judging.Kind{judging.Repeated},
		},
		"WithSchemas": {
			sql:    "SELECT sum(o.total) FROM sales.orders o JOIN sales.lines l ON l.order_id = o.id",
			faults: []judging.Kind{judging.Repeated},
		},
		"CustomersOfMonths": {
			sql: "SELECT to_char(o.placed, 'YYYY-MM') AS month, count(DISTINCT o.customer_id) FROM orders o JOIN " +
				"customers c ON c.id = o.customer_id GROUP BY 1 ORDER BY 1",
		},
		"TotalBeforeTheJoin": {
			sql: "WITH l AS (SELECT order_id, sum(amount) AS amount FROM lines GROUP BY 1) SELECT sum(o.total), " +
				"sum(l.amount) FROM orders o JOIN l ON l.order_id = o.id",
		},
		"ANameOfTwoSchemas": {
			sql:    "SELECT sum(o.total) FROM orders o JOIN sales.notes n ON n.order_id = o.id",
			faults: []judging.Kind{judging.Repeated},
		},
		"TheFirstOfTwo": {sql: "SELECT sum(n.words) FROM notes n JOIN orders o ON o.id = n.id"},
		"NothingSaysWhether": {
			sql:       "SELECT sum(o.total) FROM orders o JOIN codes c ON c.order_id = o.id",
			unchecked: "the keys of codes are not declared",
		},
		"TwoColumnsThatMayBe": {
			sql:       "SELECT sum(o.total) FROM orders o JOIN lines l ON l.order_id = o.id AND l.amount = o.total",
			unchecked: "the keys of lines are not declared",
		},
		"AnotherDialect": {
			sql: "SELECT sum(o.total) FROM orders o JOIN lines l ON l.order_id = o.id WHERE o.total::text SIMILAR TO " +
				"'%(b|d)%' AND pg_catalog.obj_description(1) IS NULL",
			unchecked: "the engine made no plan",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := shop()
			plan, err := b.bench.Plan(t.Context(), &source, c.sql)
			require.NoError(t, err)
			if plan.Missing != "" {
				require.Equal(t, c.unchecked, plan.Missing)
				return
			}
			schema := judging.NewSchema()
			schema.AddDeclared("s7", source.Resources, nil)
			verdict := judging.Judge(plan.JSON, schema)
			var kinds []judging.Kind
			for i := range verdict.Faults {
				kinds = append(kinds, verdict.Faults[i].Kind)
			}
			require.Equal(t, c.faults, kinds, "%+v", verdict)
			if c.unchecked == "" {
				require.Empty(t, verdict.Unchecked)
			} else {
				require.Equal(t, []string{c.unchecked}, verdict.Unchecked)
			}
		})
	}
}

// TestPlanned_Control checks that the true total of a database is asked of the right table.
func TestPlanned_Control(t *testing.T) {
	t.Parallel()
	b, source, schema := setup(t), shop(), judging.NewSchema()
	schema.AddDeclared("s7", source.Resources, nil)
	for sql, want := range map[string]string{
		"SELECT sum(o.total) FROM orders o JOIN lines l ON l.order_id = o.id":  `SELECT sum("total") FROM "s7"."orders"`,
		"SELECT sum(n.words) FROM sales.notes n JOIN lines l USING (order_id)": `SELECT sum("words") FROM "s7"."sales"."notes"`,
	} {
		plan, err := b.bench.Plan(t.Context(), &source, sql)
		require.NoError(t, err)
		verdict := judging.Judge(plan.JSON, schema)
		require.Len(t, verdict.Faults, 1, "%s: %+v", sql, verdict)
		require.Equal(t, want, verdict.Faults[0].Control.SQL)
	}
}

// TestPlanned_Refused checks that what this engine cannot plan has a reason, and that nothing of the statement is run.
func TestPlanned_Refused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, c := range map[string]struct {
		sql, missing string
		change       func(*domain.DataSource)
	}{
		"AFile":         {sql: "SELECT * FROM read_text('/etc/passwd')", missing: "it cannot be read here"},
		"NoSelect":      {sql: "DELETE FROM orders", missing: "it cannot be read here"},
		"TwoStatements": {sql: "SELECT 1; SELECT sum(total) FROM orders", missing: "it cannot be read here"},
		"NoTable":       {sql: "SELECT sum(a) FROM elsewhere", missing: "the engine made no plan"},
		"NamesThatDifferInCase": {
			sql: "SELECT sum(total) FROM orders", missing: "its tables cannot be copied here",
			change: func(d *domain.DataSource) {
				d.Resources[0].Columns = append(d.Resources[0].Columns, domain.Column{Name: "ID", Type: domain.ColumnText})
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := shop()
			if c.change != nil {
				c.change(&source)
			}
			plan, err := b.bench.Plan(t.Context(), &source, c.sql)
			require.NoError(t, err)
			require.Equal(t, c.missing, plan.Missing)
			require.Empty(t, plan.JSON)
		})
	}
}
