package semantic

// What adding up a column means. A sum over time needs a reason: said, documented, proven, or a word for a flow; it is never
// the default.

import (
	"slices"
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/english"
)

const (
	// A cumulative number falls in at most one step in a hundred, which may be a correction, and rises in one in ten.
	fallingMost, risingLeast = 100, 10
	// holdingLeast is the share of the steps, in per cent, in which a level is equal to the period before.
	holdingLeast = 80
	// opinionMost is the number of answers on a scale: 0 to 10.
	opinionMost = 11
)

// numbers decides what each measure is.
func (t *table) numbers() {
	for _, c := range t.columns {
		if c.m.Role == meaning.Measure {
			c.number()
		}
	}
	for _, c := range t.columns {
		if c.m.Number != nil {
			c.barriers()
		}
	}
}

// number decides what a column of numbers is.
func (c *column) number() {
	n := &meaning.Number{}
	c.m.Number = n
	var why meaning.Reason
	if n.Unit, why = c.unit(); why.State != "" {
		c.m.Reasons["unit"] = why
	}
	if n.Scale, why = c.scale(); why.State != "" {
		c.m.Reasons["scale"] = why
	}
	n.Adds, why = c.adds(n.Unit)
	c.m.Reasons["adds"] = why
	n.Default, why = c.aggregate(n)
	c.m.Reasons["default"] = why
	if w := c.weight(); w != nil && n.Adds == meaning.Rate {
		n.Weight, c.m.Reasons["weight"] = w.Name, inferred("It is a price of one piece, and %s counts the pieces.", w.Name)
	}
}

// adds decides whether a column is an amount, a level or a rate.
func (c *column) adds(unit meaning.Unit) (meaning.Adds, meaning.Reason) {
	moved, why := c.movement()
	if c.note.Adds != "" && c.note.Adds != moved {
		return c.note.Adds, meaning.Reason{State: meaning.Documented, Evidence: shortened(c.note.adds)}
	}
	if moved != "" {
		return moved, why
	}
	if why := c.rate(unit); why != "" {
		return meaning.Rate, inferred("%s", why)
	}
	if s := c.series(); s != nil && s.Steps > 0 && s.Equal*100 >= holdingLeast*s.Steps && s.Zero*2 < s.Values && !c.changes() {
		return meaning.Level, inferred("It is as in the period before in %d of %d steps.", s.Equal, s.Steps)
	}
	switch {
	case c.lasts(unit):
		return meaning.Unknown, inferred("It is how long one case took: a sum is possible, and the mean is what is usually meant.")
	case c.earns():
		return meaning.Amount, inferred("It is the income of a person; without another word the mean is meant.")
	case c.changes():
		return meaning.Amount, inferred("Its name says that it is a change or what happened in a time.")
	case c.uncertainPrice():
		return meaning.Unknown, inferred("It is the price of one thing: a sum is possible, and the mean is what is usually meant.")
	case anyIn(c.words, "levels") && !c.flowsLast():
		if c.table.m.Kind == meaning.Event && (!anyIn(c.words, "stocks") || c.isOpenPart()) {
			return meaning.Amount, inferred("In a table of what happened it is counted for each row.")
		}
		return meaning.Level, inferred("Its name says how much there is at a time.")
	case c.flows(), unit.Kind == meaning.Money:
		return meaning.Amount, inferred("Its name says what happened or was paid.")
	case unit.Kind == meaning.Physical && c.table.facts != nil && c.table.facts.Panel == nil && !anyIn(c.words, "rates"):
		return meaning.Amount, inferred("It is a quantity with a unit.")
	}
	return meaning.Unknown, inferred("Nothing says whether it can be added up.")
}

// movement decides by the measured movement of a column along the periods of its entities.
func (c *column) movement() (meaning.Adds, meaning.Reason) {
	if s := c.running(); s != nil {
		r := c.table.facts.Running
		return meaning.Level, measured("It never falls along the %s of one %s, in %d steps: it is a running total.",
			r.Time, listed(r.Entity), s.Steps)
	}
	if c.table.facts == nil || c.table.facts.Panel == nil {
		return "", meaning.Reason{}
	}
	p := c.table.facts.Panel
	for _, s := range p.Series {
		if s.ChangeColumn == c.Name {
			return meaning.Amount, measured("It is the change of %s in all rows.", s.Column)
		}
	}
	switch s := c.series(); {
	case s == nil || s.Steps == 0:
	case s.ChangeColumn != "":
		return meaning.Level, measured("%s minus the %s before is %s in all rows.", c.Name, stepWord(c.table, p.Period), s.ChangeColumn)
	case s.Rising*risingLeast > s.Steps && s.Falling*fallingMost <= s.Steps && !anyIn(c.words, "rates"):
		if c.isSampled(s) {
			return meaning.Level, inferred("It falls in %d of %d steps of a sample of %d, and rises in %d: it is taken for a running total.",
				s.Falling, s.Steps, s.SampledEntities, s.Rising)
		}
		return meaning.Level, measured("It falls in %d of %d steps and rises in %d: it is a running total.", s.Falling, s.Steps, s.Rising)
	}
	return "", meaning.Reason{}
}

// isOpenPart reports whether a column is what is still open of an amount of its own row, such as the open balance of an invoice. Each row
// has its own, so they add up, while the balance after each booking of an account does not. It is never more than the amounts, unlike what
// is still outstanding of a loan after each payment.
func (c *column) isOpenPart() bool {
	if !slices.ContainsFunc(c.words, func(w string) bool { return slices.Contains([]string{"open", "outstanding", "unpaid"}, w) }) {
		return false
	}
	_, most, known := c.ends()
	own := known && slices.ContainsFunc(c.table.m.Keys, func(k []string) bool { return len(k) == 1 })
	return own && slices.ContainsFunc(c.table.columns, func(o *column) bool {
		_, whole, ok := o.ends()
		return o != c && o.isNumber() && ok && most <= whole && slices.ContainsFunc(o.words, func(w string) bool {
			return slices.Contains([]string{"amount", "amounts", "total", "invoiced", "billed"}, w)
		})
	})
}

// isSampled reports whether a movement was not measured over all values of the column.
func (c *column) isSampled(s *domain.SeriesFacts) bool {
	return c.facts == nil || s.Values < c.table.facts.Rows-c.facts.Missing
}

// stepWord is the word for a period of a table: month; period if its step is not known.
func stepWord(t *table, period string) string {
	if c := t.column(period); c != nil {
		if step := c.step(); step != "" {
			return string(step)
		}
	}
	return "period"
}

// series returns the movement of a column; nil if it was not followed.
func (c *column) series() *domain.SeriesFacts {
	if c.table.facts == nil || c.table.facts.Panel == nil {
		return nil
	}
	return seriesOf(c.table.facts.Panel.Series, c.Name)
}

// seriesOf returns the series of a column; nil if there is none.
func seriesOf(all []domain.SeriesFacts, column string) *domain.SeriesFacts {
	if i := slices.IndexFunc(all, func(s domain.SeriesFacts) bool { return s.Column == column }); i >= 0 {
		return &all[i]
	}
	return nil
}

// rate says why a number must not be added up; empty if nothing says so.
func (c *column) rate(unit meaning.Unit) string {
	switch {
	case unit.Kind == meaning.Percent:
		return "It is a percentage."
	case isTemperature(unit.Symbol):
		return "It is a temperature."
	case strings.Contains(unit.Symbol, "/"):
		return "Its unit is a quotient."
	case c.isOpinion():
		return "It is an answer on a scale."
	case c.isFraction():
		return "Its values are shares of one."
	}
	if c.words[0] == "unit" && unit.Kind == meaning.Money {
		return "It is money for one unit."
	}
	if in(c.last(), "sums") || slices.Contains(c.words, "total") {
		return "" // a total price is already multiplied, and can be summed
	}
	return c.rateWord(unit)
}

// rateWord says which word of the name is one of a number that is never added up; empty if there is none.
func (c *column) rateWord(unit meaning.Unit) string {
	for i, w := range c.words {
		// Margin is money, unless it is a share of something.
		if w == "margin" && unit.Kind == meaning.Money || w == "discount" && unit.Kind == meaning.Money {
			continue
		}
		if (w == "price" || w == "preis" || w == "prix") && !c.perPiece() {
			continue
		}
		// A harvest in tonnes is an amount; a yield without a unit, or in tonnes per hectare, is not.
		if w == "yield" && unit.Kind == meaning.Physical {
			continue
		}
		// The power that is drawn is a rate, and the power that is there adds up over things.
		if in(w, "powers") && anyIn(c.words, "capacities") {
			continue
		}
		if in(w, "rates") && !(in(c.last(), "flows") && i < len(c.words)-1 && !in(c.last(), "rates")) {
			return "Its name has the word " + w + "."
		}
		if w == "per" || w == "pro" || w == "je" {
			return "Its name says per what it is."
		}
	}
	return ""
}

func isTemperature(symbol string) bool {
	return slices.Contains([]string{"°c", "°f", "c", "f", "k", "celsius", "fahrenheit", "kelvin"}, strings.ToLower(symbol))
}

// isFraction reports whether a column contains fractions of one, such as a discount of 0.2.
func (c *column) isFraction() bool {
	low, high, ok := c.ends()
	return ok && c.Type == domain.ColumnNumber && c.distinct() > 1 && low >= 0 && high <= 1
}

// isOpinion reports whether a column has answers on a scale: its heading is a question, or a rating of the table has the same
// scale.
func (c *column) isOpinion() bool {
	low, high, ok := c.ends()
	if !ok || c.Type != domain.ColumnInteger || c.distinct() < 3 || c.distinct() > opinionMost || low > 1 || low < 0 {
		return false
	}
	if len(c.words) >= 4 && slices.Contains([]string{"how", "what", "would", "do", "i", "my", "the", "did", "are", "is"}, c.words[0]) {
		return true
	}
	if c.flows() {
		return false
	}
	return slices.ContainsFunc(c.table.columns, func(o *column) bool {
		l, h, ok := o.ends()
		return ok && l == low && h == high && slices.ContainsFunc(o.words, func(w string) bool {
			return slices.Contains([]string{"satisfaction", "satisfied", "rating", "agree", "recommend"}, w)
		})
	})
}

// lasts reports whether a number is the duration of one case.
func (c *column) lasts(unit meaning.Unit) bool {
	if slices.ContainsFunc(c.words, func(w string) bool {
		return slices.Contains([]string{"spent", "worked", "work", "overtime", "billed", "used", "played", "sick", "absent", "lost"}, w)
	}) {
		return false
	}
	if anyIn(c.words[:1], "years") && len(c.words) > 1 && c.isNumber() && !c.isYear() {
		return true // years at the company belong to one person
	}
	return anyIn(c.words, "durations") || unit.Kind == meaning.Duration && len(c.words) > 1 || slices.Contains(c.words, "time") && c.isNumber()
}

// earns reports whether a column is the income of a person, where each row is a person.
func (c *column) earns() bool {
	if !anyIn(c.words, "incomes") || slices.Contains(c.words, "paid") {
		return false
	}
	return slices.ContainsFunc(c.table.columns, func(o *column) bool {
		return slices.ContainsFunc(o.words, func(w string) bool {
			return slices.Contains([]string{
				"age", "gender", "sex", "hire", "employee", "job", "education", "marital", "candidate", "applicant",
				"player",
			}, w)
		})
	})
}

// flows reports whether the name has a word for a flow: what arises within a period.
func (c *column) flows() bool { return anyIn(c.words, "flows") }

// flowsLast reports whether the word for a flow comes last and no other word makes the number a level: “stock sold” is a flow.
func (c *column) flowsLast() bool {
	return in(c.last(), "flows") && !in(c.last(), "levels") &&
		!slices.ContainsFunc(c.words, func(w string) bool { return slices.Contains([]string{"open", "active", "cumulative", "ytd"}, w) })
}

// changes reports whether a word of the name says that the number is a change, whatever the other words say. In “pieces in
// stock” the “in” says where they are: nothing came in.
func (c *column) changes() bool {
	if slices.Contains(c.words, "hand") {
		return false
	}
	for i, w := range c.words {
		isWhere := w == "in" && i+1 < len(c.words) && in(c.words[i+1], "levels")
		if !isWhere && slices.Contains([]string{
			"change", "new", "net", "added", "lost", "sold", "delta", "growth", "movement", "joined", "hired", "gained", "difference", "ordered",
			"received", "shipped", "delivered", "in", "out",
		}, w) {
			return true
		}
	}
	return false
}

// aggregate decides how a number is summed up if a question does not say.
func (c *column) aggregate(n *meaning.Number) (meaning.Aggregate, meaning.Reason) {
	if c.note.Aggregate != "" {
		return c.note.Aggregate, meaning.Reason{State: meaning.Documented, Evidence: shortened(c.note.aggregate)}
	}
	switch n.Adds {
	case meaning.Amount:
		if c.earns() {
			return meaning.Mean, inferred("Incomes of people are compared by their mean.")
		}
		return meaning.Sum, inferred("Amounts are added up.")
	case meaning.Level:
		if c.table.period() == "" {
			return meaning.Sum, inferred("The table has one time only, so that levels add up over its rows.")
		}
		return meaning.LastPeriod, inferred("Of a level the last period is meant.")
	case meaning.Rate:
		return meaning.Mean, inferred("Rates are averaged.")
	case meaning.Unknown:
	}
	if n.Adds == meaning.Unknown && (c.lasts(n.Unit) || c.uncertainPrice()) {
		return meaning.Mean, inferred("It is averaged if nothing else is said.")
	}
	return meaning.AskFirst, inferred("Nothing says how it is summed up.")
}

// perPiece reports whether a price is one of a piece, of which a row can have several.
func (c *column) perPiece() bool {
	if slices.ContainsFunc(c.words, func(w string) bool {
		return slices.Contains([]string{"unit", "per", "piece", "each", "average", "avg", "mean", "median", "unitaire", "pro", "je"}, w)
	}) {
		return true
	}
	return slices.ContainsFunc(c.table.columns, func(o *column) bool {
		return o.isNumber() && anyIn(o.words, "pieces")
	})
}

// uncertainPrice reports whether a number is the price of the one thing that the row is about.
func (c *column) uncertainPrice() bool {
	return slices.ContainsFunc(c.words, func(w string) bool { return w == "price" || w == "preis" || w == "prix" }) &&
		!slices.Contains(c.words, "total")
}

// weight finds the column that weighs a price: the one that counts the pieces.
func (c *column) weight() *column {
	if !slices.Contains(c.words, "price") && !slices.Contains(c.words, "preis") || slices.Contains(c.words, "list") && len(c.words) == 2 {
		return nil
	}
	var out *column
	for _, o := range c.table.columns {
		if o.isNumber() && anyIn(o.words, "pieces") {
			if out != nil {
				return nil
			}
			out = o
		}
	}
	return out
}

// barriers finds the columns over whose values a number must not be added up.
func (c *column) barriers() {
	n, t := c.m.Number, c.table
	n.Barriers = nil
	p := t.period()
	if c.running() != nil {
		p = t.facts.Running.Time
	}
	if n.Adds == meaning.Level && p != "" {
		n.Barriers = append(n.Barriers, meaning.Barrier{Column: p, Resolve: t.resolve(), Of: english.Plural(stepWord(t, p))})
	}
	if n.Unit.Column != "" && n.Adds != meaning.Rate {
		n.Barriers = append(n.Barriers, meaning.Barrier{Column: n.Unit.Column, Resolve: meaning.FixOrGroup, Of: "currencies"})
	}
	for _, o := range t.columns {
		switch {
		case o == c || o.distinct() < 2 || !o.isText():
		case in(o.last(), "units") && o.last() != "units" && len(o.words) <= 2 && n.Unit.Kind == meaning.NoUnit && n.Unit.Column == "":
			n.Barriers = append(n.Barriers, meaning.Barrier{Column: o.Name, Resolve: meaning.FixOrGroup, Of: "units"})
			n.Unit.Column = o.Name
		case t.names(o) && c.isValue():
			n.Barriers = append(n.Barriers, meaning.Barrier{Column: o.Name, Resolve: meaning.FixOrGroup, Of: "figures"})
		case o.hasTotals():
			n.Barriers = append(n.Barriers, meaning.Barrier{Column: o.Name, Resolve: meaning.FixOrGroup, Of: "a total and its parts"})
		}
	}
	if len(n.Barriers) > 0 {
		c.m.Reasons["barriers"] = inferred("It is not added up over different %s.", n.Barriers[0].Of)
	}
}

// period is the column over which levels of the table are not added up: the period of a snapshot, and in a table of what
// happened its time. A table of things has one time only, so it has none.
func (t *table) period() string {
	switch {
	case t.m.Snapshot != nil:
		return t.m.Snapshot.Period
	case t.m.Kind == meaning.Event || t.m.Kind == meaning.Pairs:
		return t.m.Time
	}
	return ""
}

// resolve returns how a query gets past the period barrier of a level of the table.
func (t *table) resolve() meaning.Resolve {
	if t.m.Snapshot != nil && t.m.Snapshot.Regular {
		return meaning.ByLastPeriod
	}
	return meaning.ByLastOfEntity
}

// names reports whether a column names the figure whose value is in another column.
func (t *table) names(c *column) bool {
	return len(c.words) <= 2 && in(c.last(), "figures") && slices.ContainsFunc(t.columns, (*column).isValue)
}

// isValue reports whether a column has the values of figures that another column names.
func (c *column) isValue() bool {
	return c.isNumber() && len(c.words) <= 2 && slices.Contains([]string{"value", "amount", "wert", "figure", "reading", "result"}, c.last())
}

// hasTotals reports whether some rows hold the total of the others. Such rows are in tables with one row for each value of
// some columns; anywhere else a value such as Total may be the name of a company.
func (c *column) hasTotals() bool {
	inKey := slices.ContainsFunc(c.table.m.Keys, func(k []string) bool { return len(k) > 1 && slices.Contains(k, c.Name) })
	return inKey && c.m.Role != meaning.Flag && slices.ContainsFunc(c.Values, func(v string) bool { return in(strings.ToLower(v), "totals") })
}

// currencyColumn is the column with the currency of each row; nil if there is none.
func (t *table) currencyColumn() *column {
	for _, c := range t.columns {
		if !c.isText() || len(c.Values) == 0 {
			continue
		}
		if !slices.ContainsFunc(c.Values, func(v string) bool { return !isCurrency(strings.ToUpper(v)) }) && (anyIn(c.words, "currencies") ||
			len(c.Values) > 1) {
			return c
		}
	}
	return nil
}
