package query

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley.dev/parley/domain/meaning"
)

// Scalar is one value of each row: a column, a constant, or what is calculated from them.
//
//sumtype:decl
type Scalar interface {
	scalar() *node
}

type scalarNode struct{ n *node }

func (s scalarNode) scalar() *node { return s.n }

func (c Col) scalar() *node    { return c.node() }
func (t Time) scalar() *node   { return t.node() }
func (n Amount) scalar() *node { return n.c.node() }
func (n Level) scalar() *node  { return n.c.node() }
func (n Rate) scalar() *node   { return n.c.node() }
func (n Plain) scalar() *node  { return n.c.node() }
func (f Flag) scalar() *node   { return f.c.node() }
func (t Text) scalar() *node   { return t.c.node() }

// kind is the kind of values of a scalar, as far as the meaning says it. A key can be text or a number, so it compares with both.
type kind string

const (
	kindNumber kind = "number"
	kindText   kind = "text"
	kindTime   kind = "time"
	kindOpen   kind = "open"
)

func (m *Model) kind(n *node) kind {
	switch n.Op {
	case opCol:
		c, err := m.Col(n.Table, n.Column)
		if err != nil {
			return kindOpen
		}
		return c.kind()
	case opCalendar, opTrunc, opDay:
		return kindTime
	case opText, opExtract, opBins:
		return kindText
	case opPart:
		if _, named := partNamed(n); named {
			return kindText
		}
		return kindNumber
	case opCase:
		return m.kind(n.Kids[1])
	case opNamed:
		return m.kind(n.Kids[0])
	default:
		return kindNumber
	}
}

func (c Col) kind() kind {
	switch {
	case c.c.Number != nil:
		return kindNumber
	case c.c.Role == meaning.Time:
		return kindTime
	case c.c.Role == meaning.Text || c.c.Role == meaning.Geo:
		return kindText
	}
	return kindOpen
}

// Const is a number. It must be finite.
func Const(x float64) (Scalar, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil, refuse(nil, "A number must be finite.")
	}
	return scalarNode{op(opNumber).num(x)}, nil
}

// Word is a text.
func Word(text string) Scalar { return scalarNode{op(opText).with(text)} }

// Day is a date, as 2006-01-02, or a moment, as 2006-01-02T15:04:05.
func Day(date string) (Scalar, error) {
	if err := isMoment(date); err != nil {
		return nil, err
	}
	return scalarNode{op(opDay).with(date)}, nil
}

func isDay(date string) error {
	if t, err := time.Parse(time.DateOnly, date); err != nil || t.Year() < 1 {
		return refuse(nil, "“%s” is no date.", date)
	}
	return nil
}

// momentForm is how a moment of a day is written in a tree.
const momentForm = "2006-01-02T15:04:05"

func isMoment(s string) error {
	if _, err := time.Parse(momentForm, s); err == nil {
		return isDay(s[:len(time.DateOnly)])
	}
	return isDay(s)
}

// numbers refuses scalars that are no numbers.
func (m *Model) numbers(what string, all ...Scalar) error {
	for _, s := range all {
		if k := m.kind(s.scalar()); k != kindNumber {
			return refuse(nil, "%s needs numbers, and %s is none.", what, m.say(s.scalar()))
		}
	}
	return nil
}

// Arith is a + b, a - b, a * b or a / b of two numbers. A division by zero has no value.
func (m *Model) Arith(a Scalar, operator string, b Scalar) (Scalar, error) {
	if !slices.Contains([]string{"+", "-", "*", "/"}, operator) {
		return nil, refuse([]string{"+", "-", "*", "/"}, "There is no operator %s.", operator)
	}
	if err := m.numbers("A calculation", a, b); err != nil {
		return nil, err
	}
	return scalarNode{op(opArith, a.scalar(), b.scalar()).with(operator)}, nil
}

// Func is a function of a number: ln, log10, sqrt, abs, exp, floor, ceil, or round to digits. What is not defined, as the
// root of a negative number, has no value.
func (m *Model) Func(name string, x Scalar, digits int) (Scalar, error) {
	known := []string{"ln", "log10", "sqrt", "abs", "exp", "floor", "ceil", "round"}
	if !slices.Contains(known, name) {
		return nil, refuse(known, "There is no function %s.", name)
	}
	if err := m.numbers("The function "+name, x); err != nil {
		return nil, err
	}
	n := op(opFunc, x.scalar()).with(name)
	if name == "round" {
		if digits < 0 || digits > 15 {
			return nil, refuse(nil, "A number is rounded to 0 to 15 digits.")
		}
		n.num(float64(digits))
	}
	return scalarNode{n}, nil
}

// grains and parts are the units of time that a time is cut to, and the parts of the calendar that recur.
func grains() []string { return []string{"hour", "day", "week", "month", "quarter", "year"} }

func parts() []string {
	return []string{"year", "quarter", "month", "week", "weekday", "day", "hour"}
}

// Part is a part of the calendar as a number: year, quarter, month, week (ISO), weekday (1 is Monday), day or hour.
func (t Time) Part(part string) (Dim, error) {
	if !slices.Contains(parts(), part) {
		return Dim{}, refuse(parts(), "A time has no %s.", part)
	}
	return Dim{op(opPart, t.node()).with(part)}, nil
}

// byName is what a part of the calendar is called in a tree if its name is meant and not its number.
const byName = " name"

// Name is the name of a part of the calendar, in English: of a weekday or a month. Answers are in the order of the calendar.
func (t Time) Name(part string) (Dim, error) {
	if known := []string{"weekday", "month"}; !slices.Contains(known, part) {
		return Dim{}, refuse(known, "A %s has no name.", part)
	}
	return Dim{op(opPart, t.node()).with(part + byName)}, nil
}

// partNamed returns the part of the calendar whose name a node is.
func partNamed(n *node) (part string, ok bool) {
	if n.Op != opPart {
		return "", false
	}
	return strings.CutSuffix(n.word(0), byName)
}

// Years is the year of a time as a number, for windows that go along years.
func (t Time) Years() TimeDim { return TimeDim{op(opPart, t.node()).with("year")} }

// YearsOf is a number that is a year, for windows that go along years.
func YearsOf(n Number) TimeDim { return TimeDim{n.number().scalar()} }

// By cuts a time to a unit: hour, day, week (from Monday), month, quarter or year.
func (t Time) By(grain string) (TimeDim, error) {
	if !slices.Contains(grains(), grain) {
		return TimeDim{}, refuse(grains(), "A time has no %s.", grain)
	}
	return TimeDim{op(opTrunc, t.node()).with(grain)}, nil
}

// Between is the time from a to b in days, hours, minutes or seconds, with fractions.
func (m *Model) Between(a, b Time, unit string) (Scalar, error) {
	units := []string{"days", "hours", "minutes", "seconds"}
	if !slices.Contains(units, unit) {
		return nil, refuse(units, "The time between two times has no %s.", unit)
	}
	return scalarNode{op(opBetween, a.node(), b.node()).with(unit)}, nil
}

// Length is the number of characters of a text.
func Length(t Text) Scalar { return scalarNode{op(opLength, t.scalar())} }

// Clock is the hour of a text that is a time of day, as 09:30; no value for other texts.
func Clock(t Text) Scalar { return scalarNode{op(opClock, t.scalar())} }

// Extract is the first group of a regular expression in a text, or all that matches if it has no group; no value if nothing
// matches. The expression is one of RE2, of at most 200 bytes.
func Extract(t Text, pattern string) (Scalar, error) {
	r, err := regexp.Compile(pattern)
	if err != nil || len(pattern) > 200 || pattern == "" {
		return nil, refuse(nil, "“%s” is no regular expression that I can use.", pattern)
	}
	if r.MatchString("") {
		return nil, refuse(nil, "“%s” also matches nothing at all.", pattern)
	}
	return scalarNode{op(opExtract, t.scalar()).with(pattern)}, nil
}

// maxBins is how many edges bins can have.
const maxBins = 100

// Bins puts numbers into classes: below the first edge, from each edge up to the next, and from the last one on. names can be
// empty; otherwise they are one more than the edges.
func (m *Model) Bins(x Scalar, edges []float64, names []string) (Dim, error) {
	if err := m.numbers("A class", x); err != nil {
		return Dim{}, err
	}
	if len(edges) == 0 || len(edges) > maxBins {
		return Dim{}, refuse(nil, "Classes need 1 to %d edges.", maxBins)
	}
	for i, e := range edges {
		if math.IsNaN(e) || math.IsInf(e, 0) || i > 0 && edges[i-1] >= e {
			return Dim{}, refuse(nil, "The edges of classes must rise.")
		}
	}
	if len(names) == 0 {
		names = append(names, "below "+number(edges[0]))
		for i := range len(edges) - 1 {
			names = append(names, fmt.Sprintf("%s to below %s", number(edges[i]), number(edges[i+1])))
		}
		names = append(names, "from "+number(edges[len(edges)-1]))
	}
	if len(names) != len(edges)+1 {
		return Dim{}, refuse(nil, "%d edges make %d classes, and %d names are given.", len(edges), len(edges)+1, len(names))
	}
	return Dim{op(opBins, x.scalar()).with(names...).num(edges...)}, nil
}

// number writes a number as people and SQL do.
func number(x float64) string {
	if a := math.Abs(x); a != 0 && (a >= 1e15 || a < 1e-6) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// Branch is a value for the rows that meet a condition.
type Branch struct {
	If   Pred
	Then Scalar
}

// Case is the value of the first branch whose condition is met, or the last value.
func (m *Model) Case(branches []Branch, otherwise Scalar) (Dim, error) {
	if len(branches) == 0 || otherwise == nil {
		return Dim{}, refuse(nil, "A choice needs a condition and a value for all other rows.")
	}
	n := op(opCase)
	for _, b := range branches {
		if m.kind(b.Then.scalar()) != m.kind(otherwise.scalar()) {
			return Dim{}, refuse(nil, "The values of a choice must be of one kind.")
		}
		n.Kids = append(n.Kids, b.If.pred(), b.Then.scalar())
	}
	n.Kids = append(n.Kids, otherwise.scalar())
	return Dim{n}, nil
}

// Of is a figure of each thing: the orders of each customer. It is 0 for counts of things that have none.
func (m *Model) Of(thing Table, figure Measure) (Scalar, error) {
	leaves, err := m.leaves(figure.measure())
	if err != nil {
		return nil, err
	}
	for _, l := range leaves {
		if m.isEnd(l.n) {
			return nil, refuse(nil, "%s is nothing to calculate with.", m.say(l.n))
		}
		if l.home.key() == thing.place().key() {
			if l.n.Op == opAt && Pick(l.n.word(0)) != Each {
				return nil, refuse([]string{"the value of it"}, "A %s is of one period.", thing.row())
			}
			continue
		}
		found, err := m.many(thing.place(), l.home.t)
		if err != nil {
			return nil, err
		}
		if found == nil || found.shared != "" || l.home.by != nil {
			return nil, refuse(nil, "A %s has no %s of its own.", thing.row(), l.home.t.plural())
		}
	}
	if has(figure.measure(), opDiff) {
		return nil, refuse([]string{"the difference of two figures of each " + thing.row()},
			"A difference of two figures is made of each of them.")
	}
	if _, err := m.asGroups(thing, figure.measure()); err != nil {
		return nil, err
	}
	return scalarNode{op(opOf, figure.measure()).at(thing)}, nil
}

// Overall is one figure of a set for all rows: the average fare.
func (m *Model) Overall(figure Measure, of Set) (Scalar, error) {
	if _, err := m.Groups(of, nil, []Measure{figure}); err != nil {
		return nil, err
	}
	if leaves, err := m.leaves(figure.measure()); err != nil || m.isEnd(leaves[0].n) {
		return nil, refuse(nil, "%s is nothing to calculate with.", m.say(figure.measure()))
	}
	return scalarNode{op(opOverall, figure.measure(), of.n)}, nil
}

// ZScore is how many standard deviations (of a sample) a number is above the mean of its group, over all rows of its table.
func (m *Model) ZScore(x Number, by ...Col) (Scalar, error) {
	kids, err := m.grouped(x, by)
	if err != nil {
		return nil, err
	}
	return scalarNode{op(opZScore, kids...)}, nil
}

// Scaled is a number from 0, the lowest of all rows of its table, to 1, the highest.
func (m *Model) Scaled(x Number) (Scalar, error) {
	kids, err := m.grouped(x, nil)
	if err != nil {
		return nil, err
	}
	return scalarNode{op(opScaled, kids...)}, nil
}

// grouped are a number and the columns of its table that group it. Numbers of several currencies have no mean in common.
func (m *Model) grouped(x Number, by []Col) ([]*node, error) {
	kids := []*node{x.number().scalar()}
	for _, c := range by {
		if c.t.key() != x.number().t.key() {
			return nil, refuse(nil, "%s can only be compared within groups of its own table, and %s is of another one.",
				x.number().label(), c.label())
		}
		kids = append(kids, c.scalar())
	}
	t := x.number().t
	for _, b := range x.number().c.Number.Barriers {
		c := column(t, b.Column)
		if b.Resolve == meaning.FixOrGroup && !c.among(kids) && !m.kept(t, c) {
			return nil, refuse([]string{"within each " + label(t, b.Column), "only one " + label(t, b.Column)},
				"%s of all rows mixes %s.", x.number().label(), b.Of)
		}
	}
	return kids, nil
}

// kept reports whether a step of the script has left one value of a column.
func (m *Model) kept(t *table, c *node) bool {
	return slices.ContainsFunc(m.steps, func(s *node) bool {
		return s.Op == opKeep && s.Kids[0].Table == t.key() &&
			slices.ContainsFunc(conjuncts(s.Kids[0]), func(p *node) bool { return fixes(p, c) })
	})
}

// numberWord writes a number that In was given as a word. In has read it before.
func numberWord(w string) string {
	x, err := strconv.ParseFloat(w, 64)
	if err != nil {
		return "NULL"
	}
	return number(x)
}

// has reports whether an operation is in a tree.
func has(n *node, name string) bool {
	return n.Op == name || slices.ContainsFunc(n.Kids, func(k *node) bool { return has(k, name) })
}
