package query_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/query"
	"parley.dev/parley/domain/meaning"
)

// shop is the meaning of a small shop: departments with employees, orders with lines and products, revenue by account and month.
func shop() *meaning.Meaning {
	number := func(name string, adds meaning.Adds, barriers ...meaning.Barrier) meaning.Column {
		return meaning.Column{Name: name, Role: meaning.Measure, Number: &meaning.Number{Adds: adds, Scale: 1, Barriers: barriers}}
	}
	column := func(name string, role meaning.Role) meaning.Column { return meaning.Column{Name: name, Role: role} }
	budget := number("budget", meaning.Amount)
	budget.Number.Unit = meaning.Unit{Kind: meaning.Money, Symbol: "USD"}
	money := number("amount", meaning.Amount, meaning.Barrier{Column: "currency", Resolve: meaning.FixOrGroup, Of: "currencies"})
	yes := column("churned", meaning.Flag)
	yes.Yes = "true"
	link := func(from, column, to, key, part string) meaning.Link {
		return meaning.Link{
			From: meaning.Ends{Table: from, Columns: []string{column}}, To: meaning.Ends{Table: to, Columns: []string{key}},
			Cardinality: meaning.ManyToOne, Part: part,
		}
	}
	return &meaning.Meaning{
		Hash: "shop",
		Tables: []meaning.Table{
			{Name: "departments", Row: "department", Plural: "departments", Keys: [][]string{{"department_id"}}, Columns: []meaning.Column{
				column("department_id", meaning.Key), column("department_name", meaning.Dimension), budget,
			}},
			{Name: "employees", Row: "employee", Plural: "employees", Keys: [][]string{{"employee_id"}}, Time: "hired", Columns: []meaning.Column{
				column("employee_id", meaning.Key), column("department_id", meaning.Foreign), number("salary", meaning.Amount),
				number("age", meaning.Rate), number("points", meaning.Unknown), column("sex", meaning.Dimension), column("hired", meaning.Time),
				column("home_city", meaning.Foreign), column("work_city", meaning.Foreign), column("note", meaning.Text),
			}},
			{Name: "cities", Row: "city", Plural: "cities", Keys: [][]string{{"city"}}, Columns: []meaning.Column{
				column("city", meaning.Key), column("state", meaning.Geo),
			}},
			{Name: "orders", Row: "order", Plural: "orders", Keys: [][]string{{"order_id"}}, Time: "ordered", Columns: []meaning.Column{
				column("order_id", meaning.Key), column("ordered", meaning.Time), number("shipping_fee", meaning.Amount), money,
				column("currency", meaning.Dimension),
			}},
			{Name: "items", Row: "order line", Plural: "order lines", Keys: [][]string{{"item_id"}}, Columns: []meaning.Column{
				column("item_id", meaning.Key), column("order_id", meaning.Foreign), column("product", meaning.Dimension),
			}},
			{
				Name: "revenue", Row: "account in a month", Plural: "account months", Keys: [][]string{{"account_id", "month"}}, Time: "month",
				Snapshot: &meaning.Snapshot{
					Entity: []string{"account_id"}, Period: "month", Step: meaning.Month, Regular: true, Last: "2026-10-01", Exit: "churned",
				}, Columns: []meaning.Column{
					column("account_id", meaning.Foreign), column("month", meaning.Time), number("mrr", meaning.Level), yes,
					column("country", meaning.Geo),
				},
			},
		},
		Links: []meaning.Link{
			link("employees", "department_id", "departments", "department_id", ""), link("items", "order_id", "orders", "order_id", ""),
			link("employees", "home_city", "cities", "city", "home"), link("employees", "work_city", "cities", "city", "work"),
		},
	}
}

// bundle is the model of the shop, with handles that fail the test.
type bundle struct {
	*query.Model
	tb testing.TB
}

func setup(tb testing.TB) *bundle {
	tb.Helper()
	m, err := query.NewModel(shop())
	require.NoError(tb, err)
	return &bundle{m, tb}
}

// ok fails the test if a constructor refuses.
func ok[T any](tb testing.TB) func(T, error) T {
	tb.Helper()
	return func(x T, err error) T {
		tb.Helper()
		require.NoError(tb, err)
		return x
	}
}

func (b *bundle) table(name string) query.Table { return ok[query.Table](b.tb)(b.Table(name)) }

func (b *bundle) col(table, name string) query.Col { return ok[query.Col](b.tb)(b.Col(table, name)) }

func (b *bundle) rows(table string, where ...query.Pred) query.Set {
	return ok[query.Set](b.tb)(b.Set(b.table(table), ok[query.Pred](b.tb)(query.And(where...))))
}

func (b *bundle) amount(table, name string) query.Amount {
	n, is := ok[query.Number](b.tb)(b.Number(b.col(table, name))).(query.Amount)
	require.True(b.tb, is)
	return n
}

func (b *bundle) level(table, name string) query.Level {
	n, is := ok[query.Number](b.tb)(b.Number(b.col(table, name))).(query.Level)
	require.True(b.tb, is)
	return n
}

func (b *bundle) rate(table, name string) query.Rate {
	n, is := ok[query.Number](b.tb)(b.Number(b.col(table, name))).(query.Rate)
	require.True(b.tb, is)
	return n
}

func (b *bundle) dim(table, name string) query.Dim { return b.Dim(b.col(table, name)) }

func (b *bundle) by(table, name, grain string) query.TimeDim {
	t := ok[query.Time](b.tb)(b.Time(b.col(table, name)))
	return ok[query.TimeDim](b.tb)(t.By(grain))
}

func (b *bundle) is(table, name string, values ...string) query.Pred {
	return ok[query.Pred](b.tb)(b.In(b.col(table, name), values...))
}

func (b *bundle) sql(a query.Ask) string {
	b.tb.Helper()
	return ok[query.Statement](b.tb)(query.Compile(a, query.DuckDB())).SQL
}
