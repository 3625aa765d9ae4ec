package builtin

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// snapshot is what is known of a table that holds things as they stood at the end
// of each period: accounts by month, stock by week. A level of it, such as seats,
// adds up over the things and never over the periods.
type snapshot struct {
	period *column
	unit   grain // grainNone where the periods are text, or years as numbers
	keys   []*column
	exit   *column // a flag that says that a thing left in the period; nil for none
}

// snapshot finds the periods of a table by its statistics: a date that steps evenly,
// and things that come back at each step, or one row for each step. Nil for a table
// of events.
func (t *table) snapshot() *snapshot {
	levels := slices.ContainsFunc(t.columns, (*column).level)
	if t.Rows < 4 || !levels && t.exitFlag() == nil {
		return nil
	}
	for _, p := range t.columns {
		unit, periods, ok := p.steps()
		if !ok {
			continue
		}
		s := &snapshot{period: p, unit: unit, exit: t.exitFlag()}
		if periods >= t.Rows && levels {
			return s // one row for each period
		}
		if s.keys = t.things(p, periods, unit); s.keys != nil && (levels || s.keys[0].keyLike() && !finer(unit, grainMonth)) {
			return s
		}
	}
	return nil
}

var monthText = regexp.MustCompile(`^\d{4}-\d{2}$`)

// steps tells a column of periods: how many there are, and by which unit they step.
func (c *column) steps() (unit grain, periods int64, ok bool) {
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

// things are the columns that together name what comes back in each period.
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

// exitFlag is the column that says that a thing left.
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

// level tells a number that says how much there is at a time, and not how much came.
func (c *column) level() bool {
	if !c.isNumber() || c.made != nil || c.isOpinion() || c.Distinct <= 11 && c.table.Rows > 60 && parseNumber(c.Max) <= 10 {
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
			"circulation", "livestock", "cattle", "worker", "workers", "unemployed")
	})
}

// stillThere reads "active customers" of a snapshot that says who left: they are those
// who did not, which is what is counted of it in any case.
func (p *parser) stillThere(a *atom) bool {
	if !isOne(strings.ToLower(a.words), "active", "current", "existing") || p.pos+1 >= len(p.atoms) ||
		p.atoms[p.pos+1].kind != atomLink {
		return false
	}
	s := p.form.view.base.snapshot()
	number := numberOf(&p.atoms[p.pos+1]) != nil
	return s != nil && (s.exit != nil && !number || number && strings.EqualFold(a.words, "current"))
}

// last is the last period of a snapshot within a filter on it, as a condition.
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

// noteAdded says that a number was added up over the periods of a table that has each
// thing in each of them, where neither its name nor anything else says that it may be.
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

// panel is the period of a table that has each of its things in each period, by months or
// longer; nil for other tables.
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

// flows tells a number that comes in each period anew, and adds up.
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

// guardLevels keeps levels from being added up over time. Over a longer time the last
// period is taken, and said; where that would not answer, it is refused.
func (f *form) guardLevels() {
	if f.mode == modeDescribe || f.help || f.blocked {
		return
	}
	s := f.view.base.snapshot()
	if s == nil {
		return
	}
	if f.busiest(s) {
		f.block(fmt.Sprintf("Each %s is there once in each period, so that the number of rows does not tell which is the most; please name a number.",
			strings.TrimSuffix(coreTitle(s.keys[0]), " id")))
		return
	}
	f.levelTotals(s)
	levels, things := f.levelsOf(s)
	if len(levels) == 0 && f.beganOnce(s) {
		return
	}
	if f.mode == modeRows && s.keys != nil && !f.countsRows() && f.orderCol == nil && f.latestOf == nil {
		things++ // accounts are listed once, and not once for each period
	}
	if len(levels)+things == 0 {
		return
	}
	if f.mode == modeCorrelation {
		return
	}
	named := "The number of " + f.view.base.entity()
	if len(levels) > 0 {
		named = quoteName(levels[0])
	}
	each := "period"
	if s.unit != grainNone {
		each = string(s.unit)
	}
	if things > 0 && len(levels) == 0 && (f.arrivals() || s.exit != nil && f.filters(s.exit)) {
		return // what came or left in a time is counted over all of it
	}
	if len(levels) > 0 && f.arrivals() {
		for _, c := range f.view.base.columns {
			if c != levels[0] && len(c.words) > len(levels[0].words) && slices.Equal(c.words[:len(levels[0].words)], levels[0].words) {
				f.block(fmt.Sprintf("%s is what there is in a %s; how it moved stands in %s, so please say which of them you mean.",
					named, each, quoteName(c)))
				return
			}
		}
	}
	for _, d := range f.dims {
		if d.col != s.period || f.counted != nil {
			continue
		}
		if d.grain != grainNone && d.grain != s.unit && !finer(d.grain, s.unit) || f.running {
			f.block(fmt.Sprintf("%s is what there is in a %s, and is not added up over several; ask for it by %s, or in one %s.",
				named, each, each, each))
		}
		return
	}
	for _, m := range f.measures {
		if m.each == s.unit && s.unit != grainNone {
			return
		}
		if m.each != grainNone {
			f.block(fmt.Sprintf("%s is what there is in a %s, and is not added up over several.", named, each))
			return
		}
	}
	window, at := f.windowOf(s)
	if s.exit != nil && f.filters(s.exit) || f.shareOf != nil && f.shareOf.col == s.exit && s.exit != nil {
		if len(levels) > 0 && f.filters(s.exit) {
			f.block(fmt.Sprintf("%s of what has left is nothing, for it is what there is at the end of a %s.", named, each))
		}
		if f.shareOf != nil && f.shareOf.col == s.exit && !s.single(window) && f.timed() == nil {
			f.note(fmt.Sprintf("Each %s counts once, so this is the mean rate of a %s and not that of the whole time.", each, each))
		}
		return // who left in a time is counted over all of it
	}
	if s.single(window) {
		f.guardLeft(s, things)
		return
	}
	if window != nil && things > 0 && slices.ContainsFunc(f.where, func(w condition) bool {
		return w.col.table == f.view.base && (len(w.nums) > 0 || w.col.isBool()) && w.col != s.period
	}) {
		f.block(fmt.Sprintf("I could not tell whether that is to hold once or in each %s of that time; please name one %s.", each,
			each))
		return
	}
	if f.growth || f.moving != nil || f.running {
		f.block(fmt.Sprintf("%s is what there is in a %s; ask how it went by %s.", named, each, each))
		return
	}
	if window != nil && len(f.dims) == 0 && things == 0 && s.unit != grainNone && f.shareOf == nil && len(f.having) == 0 &&
		f.mode == modeGroups && !f.perEach() {
		f.dims = []dimension{{col: s.period, grain: s.unit}}
		f.orderDim, f.desc = true, false
		f.note(fmt.Sprintf("%s is what there is in a %s, and is not added up over several, so I give each of them.", named, each))
		return
	}
	last, label := s.last(window)
	if at >= 0 {
		f.where[at] = last
	} else {
		f.where = append(f.where, last)
	}
	f.note(fmt.Sprintf("%s is what there is in a %s, and is not added up over several, so I took the last one, %s.", named, each,
		label))
	f.guardLeft(s, things)
}

// levelTotals takes the total of a level where the question named no aggregation: the
// balance of a branch is what its accounts hold together. A mean over all periods that
// was asked for is said to be one.
func (f *form) levelTotals(s *snapshot) {
	if f.mode != modeGroups {
		return
	}
	for i := range f.measures {
		m := &f.measures[i]
		if m.agg != aggAvg || m.col == nil || m.col.table != f.view.base || !m.col.level() || m.per != nil || m.over != nil ||
			m.each != grainNone {
			continue
		}
		if m.assumed && m.col.adds() {
			m.agg = aggSum
			continue
		}
		if w, _ := f.windowOf(s); (m.col.rate() || f.byThing(s)) && !s.single(w) && !slices.ContainsFunc(f.dims, func(d dimension) bool {
			return d.col == s.period &&
				d.grain == s.unit
		}) && s.keys != nil {
			f.note(fmt.Sprintf("%s stands in each %s; this is the mean over all of them.", quoteName(m.col), orElse(string(s.unit),
				"period")))
		}
	}
}

// byThing tells that each group is one thing of a snapshot: a mean of it is one over time,
// as in its last period there is one row to take the mean of.
func (f *form) byThing(s *snapshot) bool {
	return len(s.keys) == 1 && slices.ContainsFunc(f.dims, func(d dimension) bool {
		return d.col == s.keys[0] || d.col.table.on == s.keys[0] && d.col.Distinct == d.col.table.Rows
	})
}

// busiest tells a ranking by the number of rows in a table where each thing has one row in
// each period.
func (f *form) busiest(s *snapshot) bool {
	return s.keys != nil && f.mode == modeGroups && !f.countsRows() && len(f.where) == len(slices.DeleteFunc(slices.Clone(f.where),
		func(w condition) bool {
			return w.col.table == f.view.base && w.col != s.period && !slices.Contains(s.keys, w.col)
		})) &&
		slices.ContainsFunc(f.atoms, func(a atom) bool { return a.kind == atomSuper && a.hint == "count" }) &&
		slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggCount && m.col == nil })
}

// adds tells a level that adds up over things: money and heads do, readings of a scale
// do not.
func (c *column) adds() bool {
	return !slices.ContainsFunc(append(splitName(c.Name), c.words...), func(w string) bool {
		return isOne(w, "score", "scor", "rating", "rate", "percent", "pct", "level", "temperature", "temperatur", "pressure",
			"pressur", "odometer", "mileage", "index", "density")
	})
}

// beganOnce reads what is asked by a day that each thing has once, such as that of its
// installation: it is counted over all periods, each thing once.
func (f *form) beganOnce(s *snapshot) bool {
	if len(s.keys) != 1 {
		return false
	}
	once := func(c *column) bool {
		return c != nil && c.isDate() && c != s.period && c.table == f.view.base && c.Distinct <= s.keys[0].Distinct
	}
	var day *column
	for _, d := range f.dims {
		if once(d.col) {
			day = d.col
		}
	}
	for _, w := range f.where {
		if w.op == opSpan && once(w.col) {
			day = w.col
		}
		if w.col == s.period {
			return false
		}
	}
	if day == nil {
		return false
	}
	switch {
	case f.mode == modeRows && f.orderCol == nil && len(f.columns) == 0:
		f.mode, f.columns, f.limit = modeGroups, nil, 0
		f.measures = []measure{{agg: aggDistinct, col: s.keys[0]}}
		return true
	case f.mode != modeGroups || f.share || f.shareOf != nil || f.growth:
		return false
	}
	for i := range f.measures {
		m := &f.measures[i]
		if m.agg == aggCount && m.col == nil && !f.countsRows() {
			*m = measure{agg: aggDistinct, col: s.keys[0]}
		}
		if m.agg != aggDistinct {
			return false
		}
	}
	return true
}

// perEach tells a total that is divided by things.
func (f *form) perEach() bool {
	return slices.ContainsFunc(f.measures, func(m measure) bool { return m.per != nil })
}

// guardLeft leaves out of a count what left in the period itself.
func (f *form) guardLeft(s *snapshot, things int) {
	if s.exit == nil || f.filters(s.exit) || things == 0 && !f.perEach() &&
		!slices.ContainsFunc(f.measures, func(m measure) bool { return m.agg == aggAvg || m.agg == aggMedian }) {
		return
	}
	if slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == s.exit }) || f.arrivals() {
		return
	}
	f.where = append(f.where, condition{col: s.exit, op: opIn, values: []string{s.exit.truth(false)}})
	f.note(fmt.Sprintf("Those where %s is yes left in it and do not count.", quoteName(s.exit)))
}

// arrivals tells a filter on what happened to a thing in a period, by a column whose
// values say what moved: new, churned.
func (f *form) arrivals() bool {
	return slices.ContainsFunc(f.where, func(w condition) bool {
		return w.op == opIn && slices.ContainsFunc(w.values, func(v string) bool {
			return isOne(strings.ToLower(strings.TrimSpace(v)), "new", "churn", "churned", "expansion", "contraction", "joined",
				"left", "hired", "cancelled", "canceled", "upgrade", "downgrade", "reactivation", "lost", "won", "added", "removed",
				"departed")
		})
	})
}

// levelsOf are the levels that a form adds up or averages, and how many of its measures
// count the things of a snapshot.
func (f *form) levelsOf(s *snapshot) (levels []*column, things int) {
	add := func(c *column) {
		if c != nil && c.table == f.view.base && c.level() && !slices.Contains(levels, c) {
			levels = append(levels, c)
		}
	}
	for _, m := range f.measures {
		switch {
		case m.agg == aggMin || m.agg == aggMax:
		case m.agg == aggAvg && m.col != nil && m.per == nil && (m.col.rate() || !m.assumed && f.byThing(s)):
			// The mean of a level over time says something.
		case m.agg == aggDistinct && slices.Contains(s.keys, m.col):
			things++
		case m.agg == aggCount && m.col == nil && f.mode == modeGroups && s.keys != nil && !f.countsRows():
			things++
		default:
			add(m.col)
			add(m.over)
		}
	}
	if f.mode == modeRows {
		add(f.orderCol)
	}
	return levels, things
}

// countsRows tells that rows are counted as such.
func (f *form) countsRows() bool {
	return slices.ContainsFunc(f.tokens, func(t token) bool {
		return isOne(t.norm, "rows", "records", "entries", "lines", "row",
			"observations")
	})
}

// windowOf is the filter on the period and its place, nil and -1 for none.
func (f *form) windowOf(s *snapshot) (*condition, int) {
	for i := range f.where {
		if w := &f.where[i]; w.col == s.period && (w.op == opSpan && !w.not || len(w.nums) > 0 || w.op == opIn) {
			return w, i
		}
	}
	return nil, -1
}

// single tells a filter that holds one period.
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

// finer tells a unit of time that is shorter than another one.
func finer(a, b grain) bool {
	order := []grain{grainHour, grainDay, grainWeek, grainMonth, grainQuarter, grainYear}
	i, k := slices.Index(order, a), slices.Index(order, b)
	return i >= 0 && k >= 0 && i < k
}
