package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain"
)

// formula says how a made column is computed from two columns of the tables, row by row: revenue minus
// cost, the days from an order to its delivery.
type formula struct {
	op   formulaOp
	a, b *column
	unit grain // of a duration
}

// formulaOp is the operation of a formula.
type formulaOp string

const (
	opMinus    formulaOp = "minus"
	opPlus     formulaOp = "plus"
	opTimes    formulaOp = "times"
	opDuration formulaOp = "to"
)

// column returns the column of a formula. It can be used like a column of the table: in a measure, a
// filter, an order.
func (f formula) column() *column {
	name := f.a.inName() + "_" + string(f.op) + "_" + f.b.inName()
	if f.op == opDuration {
		name = string(f.unit) + "s_from_" + f.a.inName() + "_to_" + f.b.inName()
	}
	name = snake(name)
	c := &column{
		Column: &domain.Column{Name: name, Type: domain.ColumnNumber, Distinct: 1000}, table: f.a.table,
		words: stems(splitName(name)), made: &f,
	}
	if f.op == opMinus || f.op == opDuration {
		// The difference may be negative.
		c.Min, c.Max = "-1e300", "1e300"
	}
	return c
}

// inName returns the column's name for use inside names of a query: without the letter that SQL needs
// in front of a heading such as 2023.
func (c *column) inName() string {
	if header, _ := columns.Header(c.Column); columns.BeginsWithDigit(header) {
		return snake(c.title())
	}
	return c.Name
}

// rate reports whether the mean of the result is meaningful, and its sum is not.
func (f *formula) rate() bool {
	switch f.op {
	case opDuration:
		return true
	case opTimes:
		return false
	default:
		return f.a.rate() && f.b.rate()
	}
}

// phrase returns the formula in words.
func (f *formula) phrase() string {
	if f.op == opDuration {
		return fmt.Sprintf("%ss from %s to %s", f.unit, quoteName(f.a), quoteName(f.b))
	}
	return fmt.Sprintf("%s %s %s", quoteName(f.a), f.op, quoteName(f.b))
}

// profit returns the formula revenue minus cost for a table without a profit of its own, or nil if
// either column is missing.
func (t *table) profit() *column {
	if slices.ContainsFunc(t.columns, func(c *column) bool {
		return slices.ContainsFunc(c.words, func(w string) bool { return isOne(w, "profit", "margin", "gain") })
	}) {
		return nil
	}
	var revenue, cost *column
	for _, c := range t.columns {
		if !c.isNumber() || len(c.words) > 3 {
			continue
		}
		core := strings.Join(coreOf(c.words), " ")
		switch {
		case isOne(core, stem("revenue"), "sales", stem("turnover"), "umsatz") && revenue == nil:
			revenue = c
		case isOne(strings.TrimPrefix(strings.TrimPrefix(core, "ad "), "marketing "), "cost", stem("costs"), stem("expense"), "kosten", "cogs",
			"spend", stem("spending")) && cost == nil:
			cost = c
		}
	}
	if revenue == nil || cost == nil {
		return nil
	}
	return formula{op: opMinus, a: revenue, b: cost}.column()
}
