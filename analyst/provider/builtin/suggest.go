package builtin

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain/meaning"
)

// suggest returns questions that this schema can answer. Each question is read, and kept only if its
// reading leaves no word out.
func (p *planner) suggest(limit int) []string {
	var out []string
	asked := make(map[string]bool)
	for _, v := range p.views {
		// A name without its unit reads better, if it is still clear.
		for _, q := range append(candidates(v, true), candidates(v, false)...) {
			if len(out) == limit {
				return out
			}
			if slices.Contains(out, q) {
				continue
			}
			f := p.read(q, nil)
			if f != nil && f.view == v && f.understood() && len(f.ignored) == 0 && len(f.read) == 0 && len(f.notes) == 0 && !f.fragment &&
				!asked[sql(f)] {
				asked[sql(f)] = true // the same question with a unit is not another question
				out = append(out, q)
			}
		}
	}
	return out
}

// suggested reports whether the sum or the mean of a number is meaningful: it is not a class, a date,
// an index or a position in a list, whatever its type.
func (c *column) suggested() bool {
	if c.Type == "integer" && c.Distinct <= 12 && c.Distinct*20 < c.table.Rows || c.keyLike() || c.isPart() || c.level() &&
		c.table.snapshot() != nil || c.mixed() {
		return false
	}
	low, high := parseNumber(c.Min), parseNumber(c.Max)
	dated := c.Type == "integer" && (low >= 19000101 && high <= 21001231 || low >= 190001 && high <= 210012)
	return !dated && !slices.ContainsFunc(append(splitName(c.Name), c.words...), func(w string) bool {
		return isOne(w, "date", "time", "timestamp", "year", "month", "day", "hour", "class", "pclass", "grade", "index", "unnamed", "column",
			"rank", "position", "serial", "row", "id", "zip", "postcode", "lat", "lon", "latitude", "longitude", "group", "cluster", "code",
			"label", "version", "phone")
	})
}

// mixed reports whether a total of a number would mix what must not be added up: currencies, units, figures of several names.
func (c *column) mixed() bool {
	m := c.meant()
	return m != nil && m.Number != nil && slices.ContainsFunc(m.Number.Barriers, func(b meaning.Barrier) bool {
		return b.Resolve == meaning.FixOrGroup
	})
}

// averaged reports whether a number is summed up by its mean if a question does not say how.
func (c *column) averaged() bool {
	m := c.meant()
	return c.rate() || m != nil && m.Number != nil && m.Number.Default == meaning.Mean
}

// sorts reports whether a text divides rows into groups that people ask for, and does not name or describe single rows.
func (c *column) sorts() bool {
	if m := c.meant(); m != nil && m.Role != meaning.Dimension && m.Role != meaning.Geo && m.Role != meaning.Flag {
		return false
	}
	return c.isText() && c.groups() && !c.identifies() && c.Distinct > 1 && c.Distinct <= 60
}

// candidates returns questions made from a view's columns.
func candidates(v *view, short bool) []string {
	base := v.base
	entity := base.rowNoun()
	number := primary(base)
	level, at := number, base.lastPeriod()
	if number != nil && !number.suggested() {
		number = nil
	}
	if level == nil || !level.level() || at == "" {
		level = nil
	}
	var group, second *column
	for _, c := range base.columns {
		if c.sorts() {
			switch {
			case group == nil:
				group = c
			case second == nil:
				second = c
			}
		}
	}
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	say := func(c *column) string {
		words := c.titleWords()
		if short && len(c.bare) > 0 && c.headerUnit() != "" {
			words = words[:min(len(c.bare), len(words))]
		}
		for short && c.isNumber() && len(words) > 1 && !columns.Describes(words[len(words)-2]) && isOne(words[len(words)-1], "usd", "eur",
			"gbp", "chf", "euro", "min", "mins", "sec", "secs", "ms", "km", "mi", "miles", "kg", "pct", "percent", "cm", "mm") {
			words = words[:len(words)-1]
		}
		return strings.TrimPrefix(c.spoken(words), "total ")
	}
	aggWord := "total"
	if number != nil && number.averaged() {
		aggWord = "average"
	}
	if level != nil && group != nil {
		// A level is asked for at the last period, or by month.
		add("What is the total %s by %s in %s?", say(level), say(group), at)
		if base.overMonths() {
			add("How did total %s develop by month?", say(level))
		}
		add("What share of %s does each %s have in %s?", say(level), say(group), at)
	}
	if level != nil && second != nil {
		if second.countable() {
			add("Top 5 %s by %s in %s", plural(say(second)), say(level), at)
		} else {
			add("Which %s has the highest %s in %s?", say(second), say(level), at)
		}
	}
	if number != nil && group != nil {
		add("What is the %s %s by %s?", aggWord, say(number), say(group))
	}
	if number != nil && base.overMonths() {
		add("How did %s %s develop by month?", aggWord, say(number))
	}
	if number != nil && group != nil && !number.averaged() {
		add("What share of %s does each %s have?", say(number), say(group))
	}
	if number != nil && second != nil && (!number.averaged() || number.rate()) {
		if second.countable() {
			add("Top 5 %s by %s", plural(say(second)), say(number))
		} else {
			add("Which %s has the highest %s?", say(second), say(number))
		}
	}
	if group != nil {
		add("How many %s are there by %s?", entity, say(group))
	}
	if number != nil {
		add("What is the average %s?", say(number))
	}
	add("How many %s are there?", entity)
	add("Describe the data in %s", base.label())
	return out
}

// overMonths reports whether a question by month can show a development: the table has a date whose
// values are not all in one month. It is the date by which such a question is answered. Where it begins and ends may be unknown.
func (t *table) overMonths() bool {
	dates := t.dates()
	if len(dates) == 0 {
		return false
	}
	from, to := parseDay(dates[0].Min), parseDay(dates[0].Max)
	return from.IsZero() || to.IsZero() || from.Year() != to.Year() || from.Month() != to.Month()
}

// lastPeriod returns the last month of a table with the state of things in each month, in the usual
// form; "" for any other table.
func (t *table) lastPeriod() string {
	s := t.snapshot()
	if s == nil || s.unit != grainMonth {
		return ""
	}
	_, to := s.period.reach()
	if !s.complete.IsZero() && s.complete.Before(to) {
		to = s.complete
	}
	return to.Format("January 2006")
}
