package builtin

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"parley.dev/parley/domain/meaning"
)

// snapshot describes a table with the state of things at the end of each period: accounts by month,
// stock by week. A level in it, such as seats, can be summed over the things, but not over the periods.
type snapshot struct {
	period *column
	unit   grain // grainNone if the periods are text, or years as numbers
	keys   []*column
	exit   *column // a flag for things that left in the period; nil if there is none
	// complete is the last day of the last complete period; zero if it is not known.
	complete time.Time
}

// snapshot finds the periods of a table: those that were measured, or else by its statistics a date with regular steps, and
// things that recur at each step, or one row for each step. It returns nil for a table of events.
func (t *table) snapshot() *snapshot {
	if slices.ContainsFunc(t.columns, (*column).runs) {
		return nil // measured: no time has readings of several things
	}
	levels := slices.ContainsFunc(t.columns, (*column).level)
	if s := t.measuredSnapshot(); s != nil && (levels || s.exit != nil) {
		return s
	}
	if t.Rows < 4 || !levels && t.exitFlag() == nil {
		return nil
	}
	for _, p := range t.columns {
		unit, periods, ok := p.steps()
		if !ok {
			continue
		}
		s := &snapshot{period: p, unit: unit, exit: t.exitFlag()}
		if periods >= t.Rows && levels && !t.listsThings() {
			return s // one row for each period
		}
		if s.keys = t.things(p, periods, unit); s.keys != nil && (levels || s.keys[0].keyLike() && !finer(unit, grainMonth)) {
			return s
		}
	}
	return nil
}

// listsThings reports whether each row is a thing of the table with a key of its own: accounts that all began on different days are not
// one account over time.
func (t *table) listsThings() bool {
	return slices.ContainsFunc(t.columns, func(c *column) bool {
		core := coreOf(c.words)
		return c.keyLike() && c.unique() && len(core) > 0 && slices.Contains(t.words, core[len(core)-1])
	})
}

var monthText = regexp.MustCompile(`^\d{4}-\d{2}$`)

// steps reports whether a column contains periods, and returns their number and unit.
func (c *column) steps() (unit grain, periods int64, ok bool) {
	if c.beginnings() {
		return grainNone, 0, false
	}
	if c.isYear() {
		low, high := parseNumber(c.Min), parseNumber(c.Max)
		return grainNone, c.Distinct, c.Distinct > 1 && c.Distinct*10 >= int64(high-low+1)*2
	}
	if c.isText() {
		match := len(c.Values) > 1 && int(c.Distinct) == len(c.Values) &&
			!slices.ContainsFunc(c.Values, func(v string) bool { return !monthText.MatchString(v) })
		return grainNone, c.Distinct, match
	}
	from, to := c.reach()
	if !c.isDate() || from.IsZero() || c.Distinct < 2 || c.Nulls > 0 {
		return grainNone, 0, false
	}
	days := int64(to.Sub(from).Hours()/24) + 1
	months := int64(to.Year()-from.Year())*12 + int64(to.Month()-from.Month()) + 1
	for _, g := range []struct {
		unit  grain
		steps int64
	}{
		{grainYear, int64(to.Year()-from.Year()) + 1},
		{grainQuarter, (months + 2) / 3},
		{grainMonth, months},
		{grainWeek, days/7 + 1},
		{grainDay, days},
	} {
		if g.steps > 1 && c.Distinct <= g.steps+1 && c.Distinct*10 >= g.steps*6 {
			return g.unit, c.Distinct, true
		}
	}
	return grainNone, 0, false
}

// things returns the columns that together identify what recurs in each period.
func (t *table) things(period *column, periods int64, unit grain) []*column {
	byDay := unit == grainDay || unit == grainWeek
	fits := func(n int64) bool {
		fill := float64(t.Rows) / float64(n*periods)
		least := 0.25
		if byDay {
			least = 0.8
		}
		return fill <= 1.001 && fill >= least && t.Rows >= 2*n
	}
	rowID := slices.ContainsFunc(t.columns, func(c *column) bool { return c.keyLike() && c.unique() })
	var names []*column
	for _, c := range t.columns {
		if c != period && c.Distinct > 1 && c.Distinct < t.Rows && (c.keyLike() || c.isText() && !c.booleanLike()) && c.Nulls == 0 {
			names = append(names, c)
		}
	}
	slices.SortStableFunc(names, func(a, b *column) int {
		switch {
		case a.keyLike() && !b.keyLike():
			return -1
		case b.keyLike() && !a.keyLike():
			return 1
		default:
			return int(b.Distinct - a.Distinct)
		}
	})
	for _, c := range names {
		if fits(c.Distinct) && (!byDay || c.keyLike() || t.Rows*100 >= c.Distinct*periods*95) && (!rowID ||
			t.Rows*10 >= c.Distinct*periods*9) {
			return []*column{c}
		}
	}
	for i, a := range names {
		for _, b := range names[i+1:] {
			if fits(a.Distinct*b.Distinct) && t.Rows*10 >= a.Distinct*b.Distinct*periods*7 {
				return []*column{a, b}
			}
		}
	}
	return nil
}

// exitFlag returns the column that says whether a thing left.
func (t *table) exitFlag() *column {
	for _, c := range t.columns {
		if c.booleanLike() && len(c.words) <= 2 && slices.ContainsFunc(c.words, func(w string) bool {
			return isOne(w, stem("churned"), "churn", stem("cancelled"), stem("canceled"), stem("terminated"), "left",
				stem("closed"), stem("inactive"), stem("departed"), stem("exited"), stem("resigned"), stem("delisted"),
				stem("retired"), stem("decommissioned"), stem("scrapped"), stem("expired"), stem("lapsed"), stem("withdrawn"),
				stem("deceased"), stem("dissolved"), stem("ended"))
		}) {
			return c
		}
	}
	return nil
}

// level reports whether a number says how much there is at a time, and not how much was added.
func (c *column) level() bool {
	if n := c.stated(); n != nil && c.made == nil {
		return n.Adds == meaning.Level
	}
	if !c.isNumber() || c.made != nil || c.isOpinion() || c.openPart() || c.Distinct <= 11 && c.table.Rows > 60 && parseNumber(c.Max) <= 10 {
		return false
	}
	words := append(splitName(c.Name), c.words...)
	if slices.ContainsFunc(words, func(w string) bool {
		return isOne(w, "change", "chang", "new", "net", "added", "add", "lost", "sold", "delta", "growth", "movement", "joined",
			"hired", "gained", "diff", "difference", "rate", "percent", "pct", "price", "pric", "cost", "ratio", "per", "avg",
			"average", "averag", "ordered", "received", "shipped", "delivered", "in", "out")
	}) && !slices.Contains(words, "hand") {
		return false
	}
	return slices.ContainsFunc(words, func(w string) bool {
		return isOne(w, "mrr", "arr", "seat", "seats", "headcount", "head", "staff", "employee", "employees", "fte", "ftes",
			"balance", "balanc", "inventory", "stock", "backlog", "subscriber", "subscribers",
			"member", "members", "population", "capacity", "beds", "bed", "followers", "follower", "enrolled", "enrolment",
			"enrollment", "pupils", "pupil", "students", "student", "residents", "resident",
			"inhabitants", "inhabitant", "tenants", "tenant", "licences", "licenses", "licens", "licenc", "holdings", "holding",
			"aum", "debt", "outstanding", "active", "activ", "cumulative", "cumulativ", "ytd", "closing",
			"fleet", "vehicles", "equity", "cash", "hand", "installed", "subscriptions", "subscription", "open", "assets", "asset",
			"occupied", "portfolio", "book", "market", "reading", "odometer", "mileage", "meter", "counter", "limit", "quota",
			"allowance",
			"loan", "loans", "principal", "valuation", "nav", "savings", "saving", "remaining", "remain", "available",
			"availabl", "rooms", "room", "stores", "store", "branches", "branch", "panels", "panel", "liabilities",
			"liability", "overdraft", "arrears", "arrear", "workforce", "crew", "servers", "server", "nodes",
			"circulation", "livestock", "cattle", "worker", "workers", "unemployed", "permit", "permits", "membership", "memberships")
	})
}

// stillThere reads "active customers" for a snapshot that says who left: they are the customers who did
// not leave, and a count of a snapshot includes only them in any case.
func (p *parser) stillThere(a *atom) bool {
	if !isOne(strings.ToLower(a.words), "active", "current", "existing") || p.pos+1 >= len(p.atoms) ||
		p.atoms[p.pos+1].kind != atomLink {
		return false
	}
	s := p.form.view.base.snapshot()
	number := numberOf(&p.atoms[p.pos+1]) != nil
	return s != nil && (s.exit != nil && !number || number && strings.EqualFold(a.words, "current"))
}

// last returns the condition for the last period of a snapshot, within a filter on the period, and its
// label.
func (s *snapshot) last(within *condition) (condition, string) {
	c := s.period
	switch {
	case c.isYear():
		year := parseNumber(c.Max)
		if within != nil && len(within.nums) > 0 {
			switch within.op {
			case opBetween:
				year = within.nums[1]
			case opLe:
				year = within.nums[0]
			case opLt:
				year = within.nums[0] - 1
			default:
			}
		}
		return condition{col: c, op: opEq, nums: []float64{year}}, trimFloat(year)
	case c.isText():
		last := slices.Max(c.Values)
		return condition{col: c, op: opIn, values: []string{last}}, last
	}
	_, to := c.reach()
	if within == nil && !s.complete.IsZero() && s.complete.Before(to) {
		to = s.complete
	}
	if within != nil && !within.span.to.IsZero() && !within.span.to.After(to) {
		to = within.span.to.AddDate(0, 0, -1)
	}
	from := floor(to, s.unit)
	label := from.Format("2 January 2006")
	switch s.unit {
	case grainMonth:
		label = from.Format("January 2006")
	case grainYear:
		label = from.Format("2006")
	case grainQuarter:
		label = fmt.Sprintf("Q%d %d", (int(from.Month())+2)/3, from.Year())
	case grainWeek:
		label = "the week of " + label
	default:
	}
	return condition{col: c, op: opSpan, span: span{from: from, to: shift(from, s.unit, 1), grain: s.unit, label: label}}, label
}

// noteAdded adds a note if a number was summed over the periods of a table with each thing in each
// period, and nothing shows that this is allowed. It also refuses a mean of single rows.
func (f *form) noteAdded() {
	t := f.view.base
	period, unit, keys := t.panel()
	if f.mode == modeGroups && period != nil && slices.ContainsFunc(f.dims, func(d dimension) bool {
		return d.col == period &&
			d.grain == unit
	}) &&
		slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggAvg && !m.assumed }) &&
		!slices.ContainsFunc(keys, func(k *column) bool {
			return !slices.ContainsFunc(f.dims,
				func(d dimension) bool { return d.col == k })
		}) {
		f.block(fmt.Sprintf("Each %s has one row in each %s, so there is nothing to take a mean of.", coreTitle(keys[0]),
			orElse(string(unit), "period")))
	}
	if f.mode != modeGroups || f.blocked || period == nil || f.share && len(f.dims) == 0 {
		return
	}
	if slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == period && (d.grain == unit || d.grain == grainNone) }) {
		return
	}
	s := &snapshot{period: period, unit: unit}
	if w, _ := f.windowOf(s); s.single(w) {
		return
	}
	for _, m := range f.measures {
		if m.agg == aggSum && m.col != nil && m.col.table == t && m.col.made == nil && m.over == nil && !m.col.level() &&
			!m.col.flows() {
			each := orElse(string(unit), "period")
			f.note(fmt.Sprintf("I added up %s over the %ss; if it is what there is at a time, ask for one %s.", quoteName(m.col),
				each, each))
		}
	}
}

// panel returns the period of a table that has each of its things in each period, with periods of a
// week or longer; nil for other tables.
func (t *table) panel() (period *column, unit grain, keys []*column) {
	if t.Rows < 8 {
		return nil, grainNone, nil
	}
	for _, p := range t.columns {
		unit, periods, ok := p.steps()
		if !ok || finer(unit, grainWeek) {
			continue
		}
		if keys = t.things(p, periods, unit); keys != nil {
			return p, unit, keys
		}
	}
	return nil, grainNone, nil
}

// flows reports whether a number is counted from zero in each period, so that periods can be summed.
func (c *column) flows() bool {
	return slices.ContainsFunc(append(splitName(c.Name), c.words...), func(w string) bool {
		return isOne(w, "sold", "sales", "revenue", "revenu", "turnover", "amount", "spend", "spent", "cost", "expense", "expenses",
			"expens", "fee", "fees", "tax", "refund", "refunds", "profit", "income", "incom", "bill", "billed", "paid", "payment",
			"payments",
			"consumption", "consumed", "usage", "used", "kwh", "mwh", "units", "unit", "quantity", "qty", "orders", "order",
			"visits", "visit", "visitors", "tickets", "ticket", "hours", "hour", "minutes", "days", "deposits", "withdrawals",
			"births", "deaths", "outages", "output",
			"production", "produced", "calls", "call", "incidents", "incident", "leavers", "hires", "hired", "leads", "clicks",
			"click", "impressions", "conversions", "sessions", "downloads", "views", "rain", "rainfall", "precipitation",
			"trips", "trip", "distance", "km", "volume",
			"returns", "absences", "complaints", "defects", "accidents", "sent", "opened", "claims", "donations", "change", "new",
			"added", "lost", "received", "shipped", "delivered", "net", "gross", "yield", "harvest", "total", "number", "count",
			"emissions", "admissions", "sum", "joined", "left", "wages", "salaries", "cancellations", "bookings", "nights",
			"passengers", "guests", "attendance")
	})
}

// windowOf returns the filter on the period and its index; nil and -1 if there is none.
func (f *form) windowOf(s *snapshot) (*condition, int) {
	for i := range f.where {
		if w := &f.where[i]; w.col == s.period && (w.op == opSpan && !w.not || len(w.nums) > 0 || w.op == opIn) {
			return w, i
		}
	}
	return nil, -1
}

// single reports whether a filter selects only one period.
func (s *snapshot) single(w *condition) bool {
	switch {
	case w == nil:
		return false
	case w.op == opIn:
		return len(w.values) == 1
	case w.op == opEq:
		return true
	case w.op != opSpan || w.span.from.IsZero() || w.span.to.IsZero() || s.unit == grainNone:
		return false
	}
	return !shift(floor(w.span.from, s.unit), s.unit, 1).Before(w.span.to)
}

// finer reports whether a unit of time is shorter than another one.
func finer(a, b grain) bool {
	order := []grain{grainHour, grainDay, grainWeek, grainMonth, grainQuarter, grainYear}
	i, k := slices.Index(order, a), slices.Index(order, b)
	return i >= 0 && k >= 0 && i < k
}
