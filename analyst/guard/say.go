package guard

// Texts about faults: for a model, which can correct its query, and for a person.

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/internal/english"
)

// noun is the singular of the rows of a leaf, for people: "department".
func (l *leaf) noun() string {
	if l.table == nil {
		return "row"
	}
	if l.table.Row != "" {
		return l.table.Row
	}
	return english.Singular(strings.ReplaceAll(l.name, "_", " "))
}

// rowsName is the plural of the rows of a leaf: "employees".
func (l *leaf) rowsName() string {
	switch {
	case l.table != nil:
		return l.name
	case len(l.groups) > 0:
		return "the groups by " + joinNames(l.groups)
	}
	return l.name
}

// pluralOf is the plural of a column name: budgets.
func pluralOf(column string) string {
	return english.Plural(english.Singular(strings.ReplaceAll(column, "_", " ")))
}

// resultNoun is the noun for the result of an aggregate.
func resultNoun(name string) string {
	word, _ := nounAndVerb(name)
	return word
}

// aggregateVerb is the verb for an aggregate.
func aggregateVerb(name string) string {
	_, word := nounAndVerb(name)
	return word
}

// nounAndVerb are both words of an aggregate.
func nounAndVerb(name string) (noun, verb string) {
	switch classOf(name) {
	case sum:
		return "total", "sum"
	case count:
		return "count", "count"
	case weighted:
		if name == "avg" || name == "mean" {
			return "average", "average"
		}
	case other, pick, collect:
	}
	return "figure", "compute " + name + " of"
}

// namedLeaf is the leaf that texts about a term name: a base table if there is one.
func (j *judgement) namedLeaf(t term) *leaf {
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

// repeatedFault is the fault of rows that a join repeats.
func (j *judgement) repeatedFault(t term, missing []*leaf) Fault {
	of := j.namedLeaf(t)
	noun := of.noun()
	many := make([]string, 0, len(missing))
	for _, m := range missing {
		if !slices.Contains(many, m.rowsName()) {
			many = append(many, m.rowsName())
		}
	}
	known := j.closure(t.from, false)
	first := missing[0]
	by := linkColumns(first, known)
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
		way = capitalize(aggregateVerb(j.call.name)) + " " + what + " alone, or " + way
	}
	f := Fault{Kind: Repeated, Total: j.text, Control: j.control(t)}
	f.Model = fmt.Sprintf("%s counts %s once for each of its %s (%s).\n%s.", j.text, english.Article(noun), withoutArticles(many), reason,
		capitalize(way))
	what := english.Article(noun)
	if t.origin != nil && classOf(j.call.name) != count {
		what = "the " + strings.ReplaceAll(t.origin.column, "_", " ") + " of " + what
	}
	f.People = fmt.Sprintf("This %s counts %s once for each of its %s.", resultNoun(j.call.name), what, withoutArticles(many))
	return f
}

// withoutArticles removes "the", because the names follow "its".
func withoutArticles(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strings.TrimPrefix(n, "the ")
	}
	return joinNames(out)
}

// linkColumns names the columns of a leaf that the other side determines.
func linkColumns(l *leaf, known set) string {
	var names []string
	for name, s := range l.columns {
		if known.has(s) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return joinNames(names)
}

// capitalize changes the first letter to upper case.
func capitalize(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// combinationFault is the fault of a count that counts combinations of rows.
func (j *judgement) combinationFault() Fault {
	var names []string
	for _, l := range j.r.leaves {
		if n := l.rowsName(); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return Fault{
		Kind: Repeated, Total: j.text,
		Model: fmt.Sprintf("%s counts combinations of rows of %s, and not the rows of one of them.\nCount one of them alone, or aggregate each "+
			"of them first and join that.", j.text, joinNames(names)),
		People: fmt.Sprintf("This %s counts each combination of rows of %s, and not the rows of one of them.", resultNoun(j.call.name),
			joinNames(names)),
	}
}

// overlapFault is the fault of a total of counts or totals that may contain the same rows.
func (j *judgement) overlapFault(t term) Fault {
	return Fault{
		Kind: Repeated, Total: j.text,
		Model: fmt.Sprintf("%s adds up %s of parts that may have rows in common, so a row is counted several times.\nCompute it over all rows "+
			"at once.", j.text, t.doubt.text),
		People: fmt.Sprintf("This %s adds up %s of parts that have rows in common, so what is in several of them is counted several times.",
			resultNoun(j.call.name), t.doubt.text),
	}
}

// distinctFault is the fault of a total of distinct values.
func (j *judgement) distinctFault(t term) Fault {
	of, column := j.namedLeaf(t), t.text
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
	f.People = fmt.Sprintf("This %s counts each different value of %s once, and not each %s.", resultNoun(j.call.name), column, noun)
	return f
}

// periodWords are the singular and the plural of a level's period.
func (j *judgement) periodWords(t term) (one, many string) {
	if step := j.w.steps[t.measure.period]; step != "" {
		return step, step + "s"
	}
	return "period", "periods"
}

// measureName is the column name of a measure.
func measureName(t term) string {
	if o := t.measure.origin; o != nil {
		return o.column
	}
	return t.text
}

// levelFault is the fault of a level that is added up over its periods.
func (j *judgement) levelFault(t term) Fault {
	one, many := j.periodWords(t)
	name := measureName(t)
	period := "its " + one
	if o := t.measure.origin; o != nil && o.leaf.table != nil {
		period = o.leaf.table.Columns[fold(o.column)].Period
	}
	return Fault{
		Kind: LevelSum, Total: j.text, Control: j.levelControl(t, one, many),
		Model: fmt.Sprintf("%s adds up several %s of %s, which is a level: its values of two %s are not to be added.\nTake one %s "+
			"(%s = the last complete one), group by %s, or average over the %s.", j.text, many, name, many, one, period, period, many),
		People: fmt.Sprintf("%s is a level: this adds several %s of it up.", name, many),
	}
}

// rateFault is the fault of a sum of rates.
func (j *judgement) rateFault(t term) Fault {
	name := measureName(t)
	return Fault{
		Kind: RateSum, Total: j.text,
		Model: fmt.Sprintf("%s adds up %s, which is a rate: its sum means nothing.\nUse its average, weighted where the rows have a weight, or "+
			"the ratio of two sums.", j.text, name),
		People: fmt.Sprintf("%s is a rate, and the sum of rates means nothing.", name),
	}
}

// mixedFault is the fault of a total over several values of a barrier.
func (j *judgement) mixedFault(t term, b barrier) Fault {
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
		Model:  fmt.Sprintf("%s mixes different %s in one %s.\n%s", j.text, b.separates, resultNoun(j.call.name), way),
		People: fmt.Sprintf("This %s of %s mixes different %s.", resultNoun(j.call.name), measureName(t), b.separates),
	}
}
