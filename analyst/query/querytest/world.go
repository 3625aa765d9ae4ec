package querytest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/sqltext"
)

// Row has a value for each column: nil, float64, string, bool or time.Time.
type Row map[string]any

// Table is a table of a world.
type Table struct {
	Name string
	// Columns and Types are names and types in SQL: BIGINT, VARCHAR, BOOLEAN, DATE.
	Columns, Types []string
	Rows           []Row
}

// Link leads from a column of a table to the row of another one that has its value.
type Link struct{ From, FromColumn, To, ToColumn string }

// World is tables with their meaning.
type World struct {
	Tables  map[string]*Table
	Order   []string
	Links   []Link
	Meaning *meaning.Meaning
	// Shared are the entities without a table: the column of each table that names them.
	Shared map[string]map[string]string
}

// maker fills a world with random values.
type maker struct {
	*rand.Rand
	w *World
}

func (r *maker) maybe(of int) bool { return r.IntN(of) == 0 }

func (r *maker) number(low, high int) any {
	if r.maybe(9) {
		return nil
	}
	return float64(low + r.IntN(high-low+1))
}

func (r *maker) word(words ...string) any {
	if r.maybe(9) {
		return nil
	}
	return words[r.IntN(len(words))]
}

func (r *maker) id(n int) any {
	if r.maybe(10) {
		return nil
	}
	return float64(1 + r.IntN(n))
}

func (r *maker) date() any {
	if r.maybe(12) {
		return nil
	}
	return time.Date(2024, 1, 1+r.IntN(430), 0, 0, 0, 0, time.UTC)
}

func (r *maker) yesNo() any {
	if r.maybe(8) {
		return nil
	}
	return r.maybe(2)
}

func (r *maker) table(name string, columns ...string) *Table {
	t := &Table{Name: name}
	for _, c := range columns {
		n, typ, _ := strings.Cut(c, " ")
		t.Columns, t.Types = append(t.Columns, n), append(t.Types, typ)
	}
	r.w.Tables[name] = t
	r.w.Order = append(r.w.Order, name)
	return t
}

func (t *Table) add(values ...any) {
	row := Row{}
	for i, c := range t.Columns {
		row[c] = values[i]
	}
	t.Rows = append(t.Rows, row)
}

// New makes a world from a seed.
func New(seed uint64) *World {
	chance := rand.New(rand.NewPCG(seed, 5)) //nolint:gosec // the tables of a test must be the same again
	r := &maker{chance, &World{Tables: map[string]*Table{}, Shared: map[string]map[string]string{}}}
	customers, products := 3+r.IntN(6), 2+r.IntN(4)
	t := r.table("customers", "id BIGINT", "name VARCHAR", "country VARCHAR", "vip BOOLEAN", "credit BIGINT")
	for i := range customers {
		t.add(float64(i+1), fmt.Sprintf("Name %c", 'A'+i%4), r.word("Germany", "France", "Peru"), r.yesNo(), r.number(0, 500))
	}
	t = r.table("products", "product_id BIGINT", "category VARCHAR", "price BIGINT")
	for i := range products {
		t.add(float64(i+1), r.word("Lamp", "Table", "it's \"x\""), r.number(1, 40))
	}
	orders := 4 + r.IntN(25)
	t = r.table("orders", "order_id BIGINT", "customer_id BIGINT", "ordered DATE", "shipped DATE", "channel VARCHAR",
		"fee BIGINT", "rating BIGINT", "express VARCHAR")
	for i := range orders {
		// A customer that is not there is an orphan.
		t.add(float64(i+1), r.id(customers+1), r.date(), r.date(), r.word("web", "shop", "phone"),
			r.number(-5, 30), r.number(1, 5), r.word("Y", "N"))
	}
	t = r.table("items", "item_id BIGINT", "order_id BIGINT", "product_id BIGINT", "quantity BIGINT", "score BIGINT",
		"money BIGINT", "currency VARCHAR")
	for i := range orders * 2 {
		t.add(float64(i+1), r.id(orders), r.id(products), r.number(1, 9), r.number(0, 10), r.number(1, 99), r.word("EUR", "USD"))
	}
	t = r.table("payments", "order_id BIGINT", "paid BIGINT", "method VARCHAR")
	for range orders {
		t.add(r.id(orders), r.number(0, 4), r.word("card", "cash"))
	}
	r.snapshots(customers)
	r.cases()
	r.w.Links = []Link{
		{"orders", "customer_id", "customers", "id"},
		{"items", "order_id", "orders", "order_id"},
		{"items", "product_id", "products", "product_id"},
		{"payments", "order_id", "orders", "order_id"},
		{"revenue", "account_id", "customers", "id"},
	}
	r.w.Meaning = r.meaning()
	return r.w
}

// snapshots are a table with a row for each account in each month while it lives, and one of readings at odd days.
func (r *maker) snapshots(customers int) {
	t := r.table("revenue", "account_id BIGINT", "month DATE", "mrr BIGINT", "seats BIGINT", "tickets BIGINT", "churned BOOLEAN", "since DATE")
	for i := range customers {
		from, until := r.IntN(5), 3+r.IntN(6)
		for m := from; m < until; m++ {
			at := time.Date(2024, time.Month(9+m), 1, 0, 0, 0, 0, time.UTC)
			t.add(float64(i+1), at, r.number(10, 90), r.number(1, 9), r.number(0, 3), m == until-1 && until < 8,
				time.Date(2024, time.Month(9+from), 1, 0, 0, 0, 0, time.UTC))
		}
	}
	t = r.table("meters", "meter VARCHAR", "read_on DATE", "reading BIGINT", "place VARCHAR")
	for i := range 2 + r.IntN(4) {
		day := r.IntN(40)
		for range 1 + r.IntN(6) {
			t.add(fmt.Sprintf("m%d", i), time.Date(2024, 11, 1+day, 0, 0, 0, 0, time.UTC), r.number(0, 100), r.word("north", "south"))
			day += 1 + r.IntN(40)
		}
	}
}

// cases are two tables that name the same cases, which have no table of their own.
func (r *maker) cases() {
	calls := r.table("calls", "call_id BIGINT", "case_id BIGINT", "minutes BIGINT", "team VARCHAR")
	visits := r.table("visits", "visit_id BIGINT", "case_id BIGINT", "cost BIGINT", "city VARCHAR", "worker VARCHAR")
	cities := map[any]any{}
	for i := range 4 + r.IntN(10) {
		calls.add(float64(i+1), r.id(6), r.number(1, 60), r.word("a", "b"))
		id := r.id(6)
		if _, ok := cities[id]; !ok {
			cities[id] = r.word("Rome", "Oslo")
		}
		city := cities[id]
		if id == nil {
			city = "Nowhere"
		}
		visits.add(float64(i+1), id, r.number(5, 50), city, r.word("x", "y", "z"))
	}
	r.w.Shared["case"] = map[string]string{"calls": "case_id", "visits": "case_id"}
}

// SQL writes the statements that make the tables in a schema, which ends with a dot or is empty.
func (w *World) SQL(schema string) []string {
	var out []string
	for _, name := range w.Order {
		t := w.Tables[name]
		var columns, rows []string
		for i, c := range t.Columns {
			columns = append(columns, c+" "+t.Types[i])
		}
		out = append(out, "CREATE TABLE "+schema+name+" ("+strings.Join(columns, ", ")+")")
		for _, r := range t.Rows {
			var values []string
			for _, c := range t.Columns {
				values = append(values, literal(r[c]))
			}
			rows = append(rows, "("+strings.Join(values, ", ")+")")
		}
		out = append(out, "INSERT INTO "+schema+name+" VALUES "+strings.Join(rows, ", "))
	}
	return out
}

func literal(v any) string {
	switch x := v.(type) {
	case float64:
		return fmt.Sprint(int64(x))
	case string:
		return sqltext.QuoteText(x)
	case bool:
		return fmt.Sprint(x)
	case time.Time:
		return "DATE '" + x.Format(time.DateOnly) + "'"
	}
	return "NULL"
}
