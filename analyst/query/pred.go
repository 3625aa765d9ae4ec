package query

import (
	"math"
	"slices"
	"strconv"
)

// Pred is a condition on rows. A condition on a missing value does not hold, and Not of it does: “not a lamp” keeps rows without a
// product.
//
//sumtype:decl
type Pred interface {
	pred() *node
}

type predNode struct{ n *node }

func (p predNode) pred() *node { return p.n }

// All holds for every row.
func All() Pred { return predNode{op(opAll)} }

// And holds if all conditions do. Without conditions it is All.
func And(all ...Pred) (Pred, error) { return combined(opAnd, all) }

// Or holds if one condition does. It needs one at least.
func Or(all ...Pred) (Pred, error) {
	if len(all) == 0 {
		return nil, refuse(nil, "“Or” needs a condition.")
	}
	return combined(opOr, all)
}

func combined(name string, all []Pred) (Pred, error) {
	n := list(all, Pred.pred)
	n.Op = name
	n = normal(n)
	if err := possible(n); err != nil {
		return nil, err
	}
	return predNode{n}, nil
}

// Not holds for rows where the condition does not hold, and for rows where it is unknown.
func Not(p Pred) Pred { return predNode{normal(op(opNot, p.pred()))} }

func comparisons() []string { return []string{"=", "<", "<=", ">", ">="} }

func comparison(operator string) error {
	if !slices.Contains(comparisons(), operator) {
		return refuse(comparisons(), "There is no comparison %s.", operator)
	}
	return nil
}

// Cmp compares two values of a row with =, <, <=, > or >=. “Not equal” is Not of =.
func (m *Model) Cmp(a Scalar, operator string, b Scalar) (Pred, error) {
	if err := comparison(operator); err != nil {
		return nil, err
	}
	ka, kb := m.kind(a.scalar()), m.kind(b.scalar())
	if ka != kb && ka != kindOpen && kb != kindOpen || ka == kindTime && kb == kindOpen || ka == kindOpen && kb == kindTime {
		return nil, refuse(nil, "%s and %s cannot be compared.", m.say(a.scalar()), m.say(b.scalar()))
	}
	return predNode{op(opCmp, a.scalar(), b.scalar()).with(operator)}, nil
}

// maxValues is how many values In takes.
const maxValues = 10_000

// In holds if a value is one of these. Values of numbers are written as numbers, values of times as dates.
func (m *Model) In(x Scalar, values ...string) (Pred, error) {
	if len(values) == 0 || len(values) > maxValues {
		return nil, refuse(nil, "A value is compared with 1 to %d others.", maxValues)
	}
	for _, v := range values {
		switch m.kind(x.scalar()) {
		case kindNumber:
			if f, err := strconv.ParseFloat(v, 64); err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
				return nil, refuse(nil, "“%s” is no number, and %s is one.", v, m.say(x.scalar()))
			}
		case kindTime:
			if err := isMoment(v); err != nil {
				return nil, err
			}
		case kindText, kindOpen:
		}
	}
	return predNode{normal(op(opIn, x.scalar()).with(values...))}, nil
}

// Match holds if a text contains, starts or ends with, or is another one. Capitals make no difference.
func Match(t Text, how, text string) (Pred, error) {
	if known := []string{"contains", "starts", "ends", "is"}; !slices.Contains(known, how) {
		return nil, refuse(known, "There is no such comparison: %s.", how)
	}
	if text == "" {
		return nil, refuse(nil, "Every text contains nothing.")
	}
	return predNode{op(opMatch, t.scalar()).with(how, text)}, nil
}

// Blank holds for rows without a text, or with one of nothing but blanks.
func Blank(t Text) Pred { return predNode{op(opBlank, t.scalar())} }

// Missing holds for rows without the value.
func Missing(x Scalar) Pred { return predNode{op(opMissing, x.scalar())} }

// Span is the time from a day up to another one, which is excluded.
type Span struct{ from, to string }

// NewSpan makes a span of two dates, as 2006-01-02: the first day, and the day after the last one. Either can be a moment, as
// 2006-01-02T15:04:05.
func NewSpan(from, to string) (Span, error) {
	if err := isMoment(from); err != nil {
		return Span{}, err
	}
	if err := isMoment(to); err != nil {
		return Span{}, err
	}
	if from >= to {
		return Span{}, refuse(nil, "The time from %s to before %s is empty.", from, to)
	}
	return Span{from, to}, nil
}

func (s Span) words() []string { return []string{s.from, s.to} }

func (s Span) empty() error {
	if s.from == "" {
		return refuse(nil, "No time is given.")
	}
	return nil
}

// During holds if a time is in a span.
func During(t Time, s Span) (Pred, error) {
	if err := s.empty(); err != nil {
		return nil, err
	}
	return predNode{op(opDuring, t.node()).with(s.words()...)}, nil
}

// Recurs holds if a part of the calendar has one of these values: weekday 6 and 7.
func Recurs(t Time, part string, values ...int) (Pred, error) {
	if !slices.Contains(parts(), part) {
		return nil, refuse(parts(), "A time has no %s.", part)
	}
	if len(values) == 0 {
		return nil, refuse(nil, "No %s is given.", part)
	}
	n := op(opRecurs, t.node()).with(part)
	for _, v := range values {
		n.Numbers = append(n.Numbers, float64(v))
	}
	return predNode{normal(n)}, nil
}

// Yes holds if a flag says yes.
func Yes(f Flag) Pred { return predNode{op(opYes, f.scalar())} }

// Alive holds for the rows of a period of a snapshot whose things still exist at its end: the rows of that period without the exit
// flag. An empty period means the last complete one.
func Alive(s Snapshot, period string) (Pred, error) {
	if period == "" {
		period = s.t.t.Snapshot.Last
		if period == "" {
			return nil, refuse(nil, "The last complete period of the %s is not known. Which one is meant?", s.t.t.plural())
		}
	}
	if err := isDay(period); err != nil {
		return nil, err
	}
	return predNode{op(opAlive).at(s.t).with(period)}, nil
}

// Born holds for the rows of things that began to exist in a span.
func Born(s Snapshot, span Span) (Pred, error) {
	if b := s.t.t.Snapshot.Birth; s.t.t.columns[b] == nil {
		return nil, refuse(nil, "Nothing says since when a %s exists.", s.t.t.row())
	}
	return predNode{op(opBorn).at(s.t).with(span.words()...)}, span.empty()
}

// Gone holds for the last rows of things that ceased to exist in a span.
func Gone(s Snapshot, span Span) (Pred, error) {
	if e := s.t.t.Snapshot.Exit; s.t.t.columns[e] == nil || s.t.t.columns[e].Role != "flag" {
		return nil, refuse(nil, "Nothing says when a %s ceases.", s.t.t.row())
	}
	return predNode{op(opGone).at(s.t).with(span.words()...)}, span.empty()
}

// belonging refuses a set whose rows do not belong to things.
func (m *Model) belonging(thing Table, of Set) error {
	t, err := m.base(of.n)
	if err != nil {
		return err
	}
	if t.by != nil {
		return refuse([]string{"the rows of " + t.t.Name}, "A %s is asked for rows, not for %s.", thing.row(), t.plural())
	}
	found, err := m.many(thing.place(), t.t)
	if err != nil {
		return err
	}
	if found == nil {
		return refuse(nil, "A %s has no %s.", thing.row(), t.plural())
	}
	return nil
}

// Some holds for things to which at least one row of the set belongs. Bought both is And of two of them.
func (m *Model) Some(thing Table, of Set) (Pred, error) {
	if err := m.belonging(thing, of); err != nil {
		return nil, err
	}
	return predNode{op(opSome, of.n).at(thing)}, nil
}

// Every holds for things of which all rows of the set meet a condition, and also for things without any row of it. Combined with
// Some it means “only”.
func (m *Model) Every(thing Table, of Set, meet Pred) (Pred, error) {
	if err := m.belonging(thing, of); err != nil {
		return nil, err
	}
	if err := m.placed(of.place(), meet.pred()); err != nil {
		return nil, err
	}
	return predNode{op(opEvery, of.n, meet.pred()).at(thing)}, nil
}

// CountOf holds for things that have a number of rows of the set: at least 3 orders. With a distinct scalar, its different
// values are counted: orders in at least 3 channels.
func (m *Model) CountOf(thing Table, of Set, distinct Scalar, operator string, n int) (Pred, error) {
	if err := m.belonging(thing, of); err != nil {
		return nil, err
	}
	if err := comparison(operator); err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, refuse(nil, "A number of %s is never negative.", of.plural())
	}
	out := op(opCountOf, of.n).at(thing).with(operator).num(float64(n))
	if distinct != nil {
		if err := m.placed(of.place(), distinct.scalar()); err != nil {
			return nil, err
		}
		out.Kids = append(out.Kids, distinct.scalar())
	}
	return predNode{out}, nil
}

// AllOf holds for things whose rows of the set have every value that any row of that table has: ordered in every country.
func (m *Model) AllOf(thing Table, of Set, values Scalar) (Pred, error) {
	if err := m.belonging(thing, of); err != nil {
		return nil, err
	}
	if err := m.placed(of.place(), values.scalar()); err != nil {
		return nil, err
	}
	return predNode{op(opAllOf, of.n, values.scalar()).at(thing)}, nil
}

// Outlier holds for rows whose number is far from the others of its group, over all rows of its table: more than k standard
// deviations (of a sample) from the mean with the rule z, or more than k times the distance of the quartiles outside of them
// with the rule iqr.
func (m *Model) Outlier(x Number, rule string, k float64, by ...Col) (Pred, error) {
	if rule != "z" && rule != "iqr" {
		return nil, refuse([]string{"z", "iqr"}, "There is no rule %s for outliers.", rule)
	}
	if !(k > 0) || math.IsInf(k, 0) {
		return nil, refuse(nil, "The factor of a rule for outliers must be above 0.")
	}
	kids, err := m.grouped(x, by)
	if err != nil {
		return nil, err
	}
	return predNode{op(opOutlier, kids...).with(rule).num(k)}, nil
}

// Rank holds for the n things with the highest (desc) or lowest (asc) figure, ties kept, within each value of what is given. The
// figure is that of Of: a thing without rows counts 0 of them.
func (m *Model) Rank(thing Table, figure Measure, direction string, n int, within ...Scalar) (Pred, error) {
	if err := directed(direction); err != nil {
		return nil, err
	}
	if n < 1 || n > maxTop {
		return nil, refuse(nil, "A ranking has 1 to %d places.", maxTop)
	}
	if _, err := m.Of(thing, figure); err != nil {
		return nil, err
	}
	kids := []*node{figure.measure()}
	for _, w := range within {
		if err := m.placed(thing.place(), w.scalar()); err != nil {
			return nil, err
		}
		kids = append(kids, w.scalar())
	}
	return predNode{op(opRank, kids...).at(thing).with(direction).num(float64(n))}, nil
}

func directed(direction string) error {
	if direction != "desc" && direction != "asc" {
		return refuse([]string{"desc", "asc"}, "There is no direction %s.", direction)
	}
	return nil
}
