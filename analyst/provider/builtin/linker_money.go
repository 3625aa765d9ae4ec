package builtin

import (
	"slices"
)

// There are many words for money. If a table has it in a column with a plain name, or in separate
// columns for income and expenses, these words are linked to those columns.

// addMoney links the usual words for money to the main amount of a table: the total of an order is what
// was sold, if no other column has such a name.
func (ix *index) addMoney() {
	base := ix.view.base
	c := primary(base)
	if c == nil || !c.strong() || c.rate() || base.spentAndEarned() != nil {
		return
	}
	plain := !slices.ContainsFunc(coreOf(c.words), func(w string) bool {
		return !isOne(w, "total", "amount", stem("value"), "sum", "gross", "net", stem("price"), "order", stem("invoice"), stem("sale"), "bill",
			"payment", stem("charge"), "transaction", stem("purchase"), stem("donation"), "fee")
	})
	if !plain || slices.ContainsFunc(base.columns, func(o *column) bool {
		return o != c && o.isNumber() && slices.ContainsFunc(o.words, func(w string) bool {
			return isOne(w, stem("revenue"), "sales", "sale", stem("turnover"), stem("income"), "cost", "spend", "profit", "salary")
		})
	}) {
		return
	}
	for _, w := range []string{"revenue", "sales", "turnover", "spend", "spending", "spent"} {
		ix.add([]string{stem(w)}, link{column: c, quality: 0.7})
	}
	for _, w := range []string{"amount", "value"} {
		ix.add([]string{stem(w)}, link{column: c, quality: 0.8})
	}
}

// flows are the columns of a ledger with separate columns for expenses and income.
type flows struct{ out, in *column }

// spentAndEarned finds these columns; nil if the table does not have both.
func (t *table) spentAndEarned() *flows {
	var f flows
	for _, c := range t.columns {
		if core := coreOf(c.words); !c.isNumber() || len(core) == 0 || len(core) > 2 {
			continue
		}
		switch core := coreOf(c.words)[0]; {
		case isOne(core, "debit", "withdrawal", "outflow", stem("expense"), "outgoing", stem("spent")) && f.out == nil:
			f.out = c
		case isOne(core, "credit", "deposit", "inflow", stem("income"), "incoming", stem("received")) && f.in == nil:
			f.in = c
		}
	}
	if f.out == nil || f.in == nil {
		return nil
	}
	return &f
}

// addFlows links the words of spending and earning to these columns.
func (ix *index) addFlows() {
	f := ix.view.base.spentAndEarned()
	if f == nil {
		return
	}
	for _, w := range []string{"spend", "spending", "spent", "expense", "expenditure", "outgoing", "paid", "withdrawal", "debit"} {
		ix.add([]string{stem(w)}, link{column: f.out, quality: 0.8, over: true})
	}
	for _, w := range []string{"income", "earned", "earnings", "deposit", "received", "credit"} {
		ix.add([]string{stem(w)}, link{column: f.in, quality: 0.8, over: true})
	}
}

// whichFlow refuses to count bookings if the question asks for their amount, which may be in either of
// the two columns: the salary of each month.
func (p *parser) whichFlow() {
	f := p.form
	two := f.view.base.spentAndEarned()
	if two == nil || f.mode != modeGroups || len(f.measures) != 1 || !f.measures[0].assumed || f.measures[0].agg != aggCount ||
		f.measures[0].col != nil || p.tableNamed() || p.counting || f.shareOf != nil || f.share {
		return
	}
	if len(f.where) > 0 {
		f.unsure = "I could not tell whether " + quoteName(two.out) + " or " + quoteName(two.in) + " is meant."
	}
}

// fillsNumber reports whether a word only says that something is a number: energy usage.
func fillsNumber(w string) bool {
	return isOne(w, "usage", "use", "used", "consumption", "consumed", "level", "levels", "output", "amounts", "amount", "numbers",
		"reading", "readings", "measurement", "measurements")
}

// scale is the factor for each number of a column: 1000 for a value in thousands. It is 1 for most columns.
func (c *column) scale() float64 {
	if m := c.meant(); c.isNumber() && m != nil && m.Number != nil && m.Number.Scale > 0 {
		return m.Number.Scale
	}
	return 1
}

// inScale converts numbers of the question to the scale of the column: 80 million become 80 if the
// column is in millions.
func (c *column) inScale(nums []float64) []float64 {
	s := c.scale()
	if s == 1 || !slices.ContainsFunc(nums, func(n float64) bool { return n >= s }) {
		return nums
	}
	out := make([]float64, len(nums))
	for i, n := range nums {
		out[i] = n / s
	}
	return out
}

// scaledUp returns the column whose values include a number once its scale is applied, or nil.
func (p *parser) scaledUp(n float64) *column {
	for _, c := range p.form.view.base.columns {
		if c.scale() > 1 && n >= c.scale() && within(c, n/c.scale()) {
			return c
		}
	}
	return nil
}
