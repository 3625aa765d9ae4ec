package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// joining is a table that may be joined to another by a column.
type joining struct{ from, to, by string }

// joinings lists how the tables belong together, and ways in which they do not.
func joinings() []joining {
	return []joining{
		{"departments", "employees", "department_id"},
		{"orders", "customers", "customer_id"},
		{"orders", "clients", "customer_id"},
		{"orders", "order_items", "order_id"},
		{"orders", "payments", "order_id"},
		{"order_items", "payments", "order_id"},
		{"order_items", "products", "product_id"},
		{"order_items", "price_list", "product_id"},
		{"customers", "clients", "customer_id"},
	}
}

// sentence makes statements by chance.
type sentence struct {
	*rand.Rand
	// tables has the joined tables by their aliases, and columns the columns by which a result may be grouped.
	from    string
	aliases map[string]string
	columns []string
	count   int
}

// measures are the columns that are added up, by their table.
func measures() map[string][]string {
	return map[string][]string{
		"departments": {"budget"}, "employees": {"salary"}, "orders": {"order_total", "shipping_fee"}, "clients": {"credit_limit"},
		"order_items": {"line_amount", "quantity"}, "payments": {"paid_amount"},
	}
}

// parts are columns to group by.
func parts() map[string][]string {
	return map[string][]string{
		"departments": {"city", "department_id"}, "employees": {"job_title", "employee_id", "department_id"},
		"orders":    {"customer_id", "order_id"},
		"customers": {"region", "tier"}, "clients": {"region"}, "order_items": {"product_id", "order_id"}, "payments": {"method"},
		"products": {"product_group", "product_name"}, "price_list": {"product_id"},
	}
}

func pick[T any](s *sentence, list []T) T { return list[s.IntN(len(list))] }

// table writes a table, or a subquery that keeps or repeats its rows.
func (s *sentence) table(name, by string) string {
	all := append([]string{by}, parts()[name]...)
	switch s.IntN(8) {
	case 0:
		return fmt.Sprintf("(SELECT * FROM %s WHERE %s %% 3 <> 1)", name, by)
	case 1:
		return fmt.Sprintf("(SELECT DISTINCT ON (%s) * FROM %s ORDER BY ALL)", by, name)
	case 2:
		return fmt.Sprintf("(SELECT * FROM %s QUALIFY row_number() OVER (PARTITION BY %s ORDER BY %s) = 1)", name, by, all[1])
	case 3:
		m := measures()[name]
		if len(m) == 0 {
			return name
		}
		keep := pick(s, all)
		sums := make([]string, 0, len(m))
		for _, c := range m {
			sums = append(sums, fmt.Sprintf("%s(%s) AS %s", pick(s, []string{"sum", "sum", "max", "any_value"}), c, c))
		}
		others := ""
		if keep != by {
			others = ", " + keep
		}
		return fmt.Sprintf("(SELECT %s%s, %s FROM %s GROUP BY ALL)", by, others, strings.Join(sums, ", "), name)
	}
	return name
}

// newSentence joins two to four tables.
func newSentence(r *rand.Rand) *sentence {
	s := &sentence{Rand: r, aliases: map[string]string{}}
	first := pick(s, joinings())
	s.add(first.from, s.table(first.from, first.by), "")
	for range 1 + s.IntN(3) {
		var possible []joining
		for _, j := range joinings() {
			for _, j := range []joining{j, {j.to, j.from, j.by}} {
				if s.aliases[j.from] != "" && s.aliases[j.to] == "" {
					possible = append(possible, j)
				}
			}
		}
		if len(possible) == 0 {
			break
		}
		j := pick(s, possible)
		at := s.aliases[j.from]
		kind := pick(s, []string{"JOIN", "JOIN", "LEFT JOIN", "SEMI JOIN", "RIGHT JOIN"})
		s.add(j.to, s.table(j.to, j.by), kind)
		alias := s.aliases[j.to]
		s.from += fmt.Sprintf(" ON %s.%s = %s.%s", at, j.by, alias, j.by)
		if kind == "SEMI JOIN" {
			delete(s.aliases, j.to)
			s.columns = s.columns[:len(s.columns)-1]
		}
	}
	return s
}

func (s *sentence) add(name, written, kind string) {
	s.count++
	alias := fmt.Sprintf("t%d", s.count)
	s.aliases[name] = alias
	s.columns = append(s.columns, name)
	s.from += fmt.Sprintf(" %s %s AS %s", kind, written, alias)
}

// total returns a statement that adds up a measure, and what its oracle needs.
func (s *sentence) total() (sql string, oracle []string, ok bool) {
	var tables []string
	for _, name := range s.columns {
		if len(measures()[name]) > 0 {
			tables = append(tables, name)
		}
	}
	if len(tables) == 0 {
		return "", nil, false
	}
	of := pick(s, tables)
	measure := pick(s, measures()[of])
	by := ""
	if s.IntN(3) > 0 {
		name := pick(s, s.columns)
		by = s.aliases[name] + "." + pick(s, parts()[name])
	}
	aggregate := pick(s, []string{"sum", "sum", "avg"})
	sql = fmt.Sprintf("SELECT %s(%s.%s) AS t FROM%s", aggregate, s.aliases[of], measure, s.from)
	if by != "" {
		sql = fmt.Sprintf("SELECT %s AS g, %s(%s.%s) AS t FROM%s GROUP BY 1", by, aggregate, s.aliases[of], measure, s.from)
	}
	return sql, []string{aggregate, of + "." + measure}, true
}

// TestTotals_Random makes statements by chance. None whose total counts a row twice may pass. A total that is right by
// chance may be withheld: all rows of a small table are repeated equally often, or a filter leaves one of each.
func TestTotals_Random(t *testing.T) {
	t.Parallel()
	x := newTotals(t)
	verdicts := map[string]int{}
	withheld := 0
	for seed := range uint64(randomStatements) {
		s := newSentence(rand.New(rand.NewPCG(seed, 17)))
		sql, oracle, ok := s.total()
		if !ok {
			continue
		}
		if _, err := x.db.rows("SELECT COLUMNS(*)::VARCHAR FROM (" + sql + ")"); err != nil {
			// A subquery may not keep the column that a join or the group names.
			t.Logf("%v", err)
			continue
		}
		table, column, _ := strings.Cut(oracle[1], ".")
		weights := x.weights(t, table, column, sql)
		verdict, v := x.judged(t, sql)
		verdicts[verdict]++
		right := true
		for _, cell := range weights {
			right = right && x.fair(t, &statement{oracle: oracle}, table, cell)
		}
		if !right {
			require.NotEqual(t, "right", verdict, "seed %d: a wrong total passes: %s", seed, sql)
		} else if verdict != "right" && verdict != "unchecked" {
			withheld++
			t.Logf("right and withheld, seed %d: %s\n%s", seed, sql, v.Faults[0].Model)
		}
	}
	t.Logf("%v; right by chance and withheld: %d", verdicts, withheld)
	require.Greater(t, verdicts["right"], 20)
	require.Greater(t, verdicts["repeated"], 20)
	require.Less(t, withheld, 10)
}

// randomStatements is the number of statements that are tried.
const randomStatements = 150
