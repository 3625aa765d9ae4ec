package semantic

// The meaning as a model reads it. What changes from day to day is separate from the rest (Complete), so that the beginning of a
// prompt stays the same and vendors can cache it.

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/english"
)

const (
	// linksMax is the maximum number of links in a prompt, keysMax that of the keys of a table, and impliedMax that of the columns
	// that another one implies.
	linksMax, keysMax, impliedMax = 40, 3, 8
)

// AboutTable returns the lines that stand under the name of a table, each without an end: what a row is, what people call it, its keys, its
// time and its verbs. said are the words that people said for it.
func AboutTable(t *meaning.Table, said []string) []string {
	var out []string
	line := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if t.Row != "" && t.Row != "row" {
		line("one row is %s", english.Article(t.Row))
	}
	if words := aboutWords(said); words != "" {
		line("%s", words)
	}
	switch {
	case len(t.Keys) > 0:
		keys := make([]string, 0, keysMax)
		for _, k := range t.Keys[:min(len(t.Keys), keysMax)] {
			keys = append(keys, strings.Join(k, " + "))
		}
		proof := "exact"
		if !t.KeysKnown {
			proof = "a constraint of the database"
		}
		line("key: %s (%s)", strings.Join(keys, ", or "), proof)
	case t.KeysKnown && t.Rows > 0:
		line("no key: rows can be equal")
	}
	if t.Time != "" {
		step := ""
		if t.Snapshot != nil && t.Snapshot.Step != "" {
			step = ", one for each " + string(t.Snapshot.Step)
		}
		line("time: %s%s; meant when a question names no other", t.Time, step)
	}
	if t.Main != "" {
		line("main number: %s; its total ranks things when a question names no number, and say that you took it", t.Main)
	}
	if t.Called != "" {
		line("name: %s; show it instead of a key", t.Called)
	}
	if s := t.Snapshot; s != nil && s.Exit != "" {
		entity := english.Article(entityWord(t))
		line("%s is true only in the last row of %s: %s is there in a %s when it has a row and not %s", s.Exit, entity, entity, wordOr(s.Step),
			s.Exit)
	}
	if s := t.Snapshot; s != nil && s.Birth != "" {
		line("%s is when %s began", s.Birth, english.Article(entityWord(t)))
	}
	if verbs := aboutVerbs(t); verbs != "" {
		line("verbs: %s", verbs)
	}
	for _, i := range t.Implies {
		names := i.Columns[:min(len(i.Columns), impliedMax)]
		line("implied by %s: %s%s", strings.Join(i.By, " + "), strings.Join(names, ", "), andMore(len(i.Columns)-len(names)))
	}
	return out
}

// entityWord is the thing of a snapshot.
func entityWord(t *meaning.Table) string {
	thing, _, _ := strings.Cut(t.Row, " in a ")
	return thing
}

// wordOr is the word for a step; period if it is not known.
func wordOr(step meaning.Step) string {
	if step == "" {
		return "period"
	}
	return string(step)
}

// AboutColumn returns what a model must know to calculate with a column, and what people call it; empty if there is nothing to say.
// said are the words that people said for it.
func AboutColumn(t *meaning.Table, c *meaning.Column, said []string) string {
	about, words := calculated(t, c), aboutWords(said)
	if about != "" && words != "" {
		return about + "; " + words
	}
	return about + words
}

// calculated says how a column is calculated with.
func calculated(t *meaning.Table, c *meaning.Column) string {
	n := c.Number
	if n == nil {
		switch {
		case c.Role == meaning.Flag && c.Yes != "" && c.Yes != "true":
			return "yes is " + c.Yes
		case len(c.Ordered) > 0:
			return "in the order " + strings.Join(c.Ordered, " < ")
		}
		return ""
	}
	parts := []string{}
	if unit := unitText(&n.Unit); unit != "" {
		parts = append(parts, unit)
	}
	if n.Scale != 1 && n.Scale != 0 {
		parts = append(parts, fmt.Sprintf("times %g when spoken of", n.Scale))
	}
	switch n.Adds {
	case meaning.Amount:
		parts = append(parts, "amount")
	case meaning.Level:
		parts = append(parts, levelText(t, n))
	case meaning.Rate:
		text := "rate: average only, never sum"
		if n.Weight != "" {
			text += "; weigh it by " + n.Weight
		}
		parts = append(parts, text)
	case meaning.Unknown:
		if n.Default == meaning.Mean {
			parts = append(parts, "average it unless a total is asked for")
		} else {
			parts = append(parts, "not known whether it adds up")
		}
	}
	for _, b := range n.Barriers {
		if b.Resolve == meaning.FixOrGroup {
			parts = append(parts, fmt.Sprintf("never add up %s: group by %s or limit it to one value", b.Of, b.Column))
		}
	}
	return strings.Join(parts, ", ")
}

// levelText says how a level is summed up.
func levelText(t *meaning.Table, n *meaning.Number) string {
	at := slices.IndexFunc(n.Barriers, func(b meaning.Barrier) bool { return b.Resolve != meaning.FixOrGroup })
	if at < 0 {
		return "level"
	}
	p, step := n.Barriers[at].Column, "period"
	if t.Snapshot != nil {
		step = wordOr(t.Snapshot.Step)
	}
	if n.Default == meaning.MeanOfPeriods {
		return fmt.Sprintf("LEVEL: never sum over %ss; the mean of the sums of each %s", step, step)
	}
	if n.Barriers[at].Resolve == meaning.ByLastOfEntity {
		return fmt.Sprintf("LEVEL: never sum over %s; take the last row of each thing", p)
	}
	return fmt.Sprintf("LEVEL: never sum over %ss; a single %s, or the last %s of each period (%s = max(%s) within the period)", step, step,
		step, p, p)
}

// unitText is a unit for a model.
func unitText(u *meaning.Unit) string {
	switch {
	case u.Kind == meaning.NoUnit:
		return ""
	case u.Column != "":
		return string(u.Kind) + " in the unit of " + u.Column
	case u.Kind == meaning.Percent && u.OfOne:
		return "share of 1"
	case u.Kind == meaning.Percent:
		return "percent of 100"
	case u.Symbol == "":
		return string(u.Kind)
	}
	return u.Symbol
}

// AboutLinks returns the lines of the links; none without a link. name writes a table as SQL does, and is empty
// for one that is not asked.
func AboutLinks(m *meaning.Meaning, name func(source int64, table string) string) []string {
	var out []string
	for i := range m.Links {
		l := &m.Links[i]
		from, to := name(l.From.Source, l.From.Table), name(l.To.Source, l.To.Table)
		if from == "" || to == "" {
			continue
		}
		if len(out) == linksMax {
			out = append(out, fmt.Sprintf("and %d more links", len(m.Links)-i))
			break
		}
		out = append(out, linkText(l, from, to))
	}
	return out
}

// linkText is one link for a model.
func linkText(l *meaning.Link, from, to string) string {
	columns := func(table string, e *meaning.Ends) string { return table + "." + strings.Join(e.Columns, " + ") }
	if l.Cardinality == meaning.ManyToMany {
		return fmt.Sprintf("link: %s and %s name the same %s (many to many: both have several rows of one; aggregate each by it before joining)",
			columns(from, &l.From), columns(to, &l.To), l.Entity)
	}
	how := "many to one"
	if l.Cardinality == meaning.OneToOne {
		how = "one to one"
	}
	var notes []string
	if l.Reason.State == meaning.Measured {
		notes = append(notes, "exact")
	} else {
		notes = append(notes, string(l.Reason.State)+", not measured")
	}
	if l.Part != "" {
		notes = append(notes, "as "+l.Part)
	}
	if l.Orphans > 0 {
		notes = append(notes, counted(l.Orphans, "row")+" without a match")
	}
	if l.Preferred {
		notes = append(notes, "preferred")
	}
	return fmt.Sprintf("link: %s → %s (%s, %s)", columns(from, &l.From), columns(to, &l.To), how, strings.Join(notes, ", "))
}

// Complete returns the last complete periods, one sentence for each table of periods: what changes from day to day.
func Complete(m *meaning.Meaning, name func(source int64, table string) string) []string {
	var out []string
	for i := range m.Tables {
		t := &m.Tables[i]
		if of := name(t.Source, t.Name); of != "" && t.Snapshot != nil && t.Snapshot.Last != "" {
			out = append(out, fmt.Sprintf("The last complete %s of %s is %s.", wordOr(t.Snapshot.Step), of, t.Snapshot.Last))
		}
	}
	return out
}
