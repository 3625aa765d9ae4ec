package guard

// What is said about a fault: to a model, which can mend its statement, and to a person, who reads the figure.

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/internal/english"
)

// noun is one row of a leaf, for people: "a department".
func (l *leaf) noun() string {
	if l.table == nil {
		return "row"
	}
	if l.table.Row != "" {
		return l.table.Row
	}
	return english.Singular(strings.ReplaceAll(l.name, "_", " "))
}

// rowsName is what a leaf has many of: "employees".
func (l *leaf) rowsName() string {
	switch {
	case l.table != nil:
		return l.name
	case len(l.groups) > 0:
		return "the groups by " + listed(l.groups)
	}
	return l.name
}

// valuesOf is what a column has many of: budgets.
func valuesOf(column string) string {
	return english.Plural(english.Singular(strings.ReplaceAll(column, "_", " ")))
}

// figure is the word for an aggregate.
func figure(name string) string {
	word, _ := words(name)
	return word
}

// verb is what a model may do with a table alone.
func verb(name string) string {
	_, word := words(name)
	return word
}

// words are the noun and the verb of an aggregate.
func words(name string) (noun, verb string) {
	switch classOf(name) {
	case sum:
		return "total", "sum"
	case count:
		return "count", "count"
	case weigh:
		if name == "avg" || name == "mean" {
			return "average", "average"
		}
	case other, pick, collect:
	}
	return "figure", "compute " + name + " of"
}

// source is the leaf that a term is said to come from: a base table before others.
func (j *judgement) source(t term) *leaf {
	var found *leaf
	for _, s := range t.from {
		l := j.w.leaves[s]
		if l != nil && (found == nil || found.table == nil && l.table != nil) {
			found = l
		}
	}
	if found == nil {
		found = &leaf{name: "a row"}
	}
	return found
}

// repeats is the fault of rows that a join repeats.
func (j *judgement) repeats(t term, missing []*leaf) Fault {
	of := j.source(t)
	noun := of.noun()
	many := make([]string, 0, len(missing))
	for _, m := range missing {
		if !slices.Contains(many, m.rowsName()) {
			many = append(many, m.rowsName())
		}
	}
	known := j.closure(t.from, false)
	first := missing[0]
	by := linked(first, known)
	reason := fmt.Sprintf("%s has many rows per %s", first.rowsName(), noun)
	if by == "" {
		reason = fmt.Sprintf("nothing says which rows of %s belong to %s", first.rowsName(), english.Article(noun))
	}
	way := fmt.Sprintf("aggregate %s first and join that", first.rowsName())
	if by != "" && first.table != nil {
		way = fmt.Sprintf("aggregate %s by %s first and join that", first.name, by)
	}
	if of.table != nil {
		what := of.name
		if t.origin != nil {
			what = t.origin.column + " from " + of.name
		}
		way = capital(verb(j.call.name)) + " " + what + " alone, or " + way
	}
	f := Fault{Kind: Repeated, Total: j.text, Control: j.control(t)}
	f.Model = fmt.Sprintf("%s counts %s once for each of its %s (%s).\n%s.", j.text, english.Article(noun), its(many), reason, capital(way))
	what := english.Article(noun)
	if t.origin != nil && classOf(j.call.name) != count {
		what = "the " + strings.ReplaceAll(t.origin.column, "_", " ") + " of " + what
	}
	f.People = fmt.Sprintf("This %s counts %s once for each of its %s.", figure(j.call.name), what, its(many))
	return f
}

// its removes the article of a name after "its".
func its(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strings.TrimPrefix(n, "the ")
	}
	return listed(out)
}

// linked names the column of a leaf that the other side determines.
func linked(l *leaf, known set) string {
	var names []string
	for name, s := range l.columns {
		if known.has(s) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return listed(names)
}

// capital writes the first letter in upper case.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// combined is the fault of a count of combinations.
func (j *judgement) combined() Fault {
	var names []string
	for _, l := range j.r.leaves {
		if n := l.rowsName(); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return Fault{
		Kind: Repeated, Total: j.text,
		Model: fmt.Sprintf("%s counts combinations of rows of %s, and not the rows of one of them.\nCount one of them alone, or aggregate each "+
			"of them first and join that.", j.text, listed(names)),
		People: fmt.Sprintf("This %s counts each combination of rows of %s, and not the rows of one of them.", figure(j.call.name),
			listed(names)),
	}
}

// overlapping is the fault of a total of counts or totals that count the same rows.
func (j *judgement) overlapping(t term) Fault {
	return Fault{
		Kind: Repeated, Total: j.text,
		Model: fmt.Sprintf("%s adds up %s of parts that may have rows in common, so a row is counted several times.\nCompute it over all rows "+
			"at once.", j.text, t.doubt.text),
		People: fmt.Sprintf("This %s adds up %s of parts that have rows in common, so what is in several of them is counted several times.",
			figure(j.call.name), t.doubt.text),
	}
}

// collapsed is the fault of a total of different values.
func (j *judgement) collapsed(t term) Fault {
	of, column := j.source(t), t.text
	if t.doubt != nil && t.doubt.text != "" {
		column = t.doubt.text
	}
	noun := "row"
	if of.table != nil {
		noun = of.noun()
	}
	f := Fault{Kind: EachValue, Total: j.text, Control: j.control(t)}
	f.Model = fmt.Sprintf("%s counts each different value of %s once, and not each %s: two with the same value count as one.\nKeep a key of "+
		"the rows in the DISTINCT or in the groups, or compute it from the table alone.", j.text, column, noun)
	f.People = fmt.Sprintf("This %s counts each different value of %s once, and not each %s.", figure(j.call.name), column, noun)
	return f
}

// periods are the words for one and many periods of a level.
func (j *judgement) periods(t term) (one, many string) {
	if step := j.w.steps[t.adds.period]; step != "" {
		return step, step + "s"
	}
	return "period", "periods"
}

// nameOf is the column of a measure.
func nameOf(t term) string {
	if o := t.adds.of; o != nil {
		return o.column
	}
	return t.text
}

// overTime is the fault of a level that is added up over its periods.
func (j *judgement) overTime(t term) Fault {
	one, many := j.periods(t)
	name := nameOf(t)
	period := "its " + one
	if o := t.adds.of; o != nil && o.leaf.table != nil {
		period = o.leaf.table.Columns[fold(o.column)].Period
	}
	return Fault{
		Kind: LevelSum, Total: j.text, Control: j.levelControl(t, one, many),
		Model: fmt.Sprintf("%s adds up several %s of %s, which is a level: its values of two %s are not to be added.\nTake one %s "+
			"(%s = the last complete one), group by %s, or average over the %s.", j.text, many, name, many, one, period, period, many),
		People: fmt.Sprintf("%s is a level: this adds several %s of it up.", name, many),
	}
}

// rates is the fault of a sum of rates.
func (j *judgement) rates(t term) Fault {
	name := nameOf(t)
	return Fault{
		Kind: RateSum, Total: j.text,
		Model: fmt.Sprintf("%s adds up %s, which is a rate: its sum means nothing.\nUse its average, weighted where the rows have a weight, or "+
			"the ratio of two sums.", j.text, name),
		People: fmt.Sprintf("%s is a rate, and the sum of rates means nothing.", name),
	}
}

// mixture is the fault of a total over the values of a barrier.
func (j *judgement) mixture(t term, b barrier) Fault {
	column := ""
	for _, l := range j.r.leaves {
		for name, s := range l.columns {
			if s == b.sym {
				column = name
			}
		}
	}
	way := "Group by what separates them, or keep one."
	if column != "" {
		way = fmt.Sprintf("Group by %s, or keep one %s.", column, column)
	}
	return Fault{
		Kind: Mixed, Total: j.text,
		Model:  fmt.Sprintf("%s mixes different %s in one %s.\n%s", j.text, b.of, figure(j.call.name), way),
		People: fmt.Sprintf("This %s of %s mixes different %s.", figure(j.call.name), nameOf(t), b.of),
	}
}
